// SPDX-License-Identifier: BSD-3-Clause
#include "settings.h"

#include <boost/program_options.hpp>
#include <charconv>
#include <chrono>
#include <iostream>
#include <stdexcept>

#include "ceph.h"
#include "control.h"
#include "ops.h"

namespace toto::stripefs {

namespace {

namespace po = boost::program_options;

constexpr std::uint32_t kMaxTargets = 256;  // keeps the statistics within one extended attribute
constexpr int kUsageError = 2;

po::options_description Describe() {
  po::options_description options("Options");
  // clang-format off
  options.add_options()
      ("help,h", "this text")
      ("targets", po::value<std::uint32_t>()->default_value(8), "number of storage targets")
      ("rate", po::value<std::string>()->default_value("25"),
       "MiB/s of each target, or a comma separated list of all; 0: not throttled")
      ("latency", po::value<double>()->default_value(0), "us that every request occupies a target")
      ("dirty", po::value<std::string>()->default_value("1M"), "write-behind per open file and target")
      ("ra", po::value<std::string>()->default_value("1M"), "read-ahead per open file and target")
      ("dialect", po::value<std::string>()->default_value("all"), "lustre, ceph, beegfs or all")
      ("default-count", po::value<std::uint32_t>()->default_value(1), "stripes of a file nobody asked for")
      ("default-size", po::value<std::string>(), "stripe size of the same (1M; 4M with --dialect ceph)")
      ("locks", po::value<double>()->default_value(0), "ms that handing over an extent lock takes; 0: no locks")
      ("lenient", po::bool_switch(), "a file without data may get another layout")
      ("foreground,f", po::bool_switch(), "do not become a daemon")
      ("subtype", po::value<std::string>(), "mount type to show, after \"fuse.\"")
      ("fsname", po::value<std::string>(), "mount source to show")
      ("mountpoint", po::value<std::string>(), "where to mount (also as plain argument)");
  // clang-format on
  return options;
}

std::uint64_t Size(const po::variables_map& given, const char* name) {
  const auto size = ParseSize(given[name].as<std::string>());
  if (!size) throw std::invalid_argument(std::string("--") + name + ": not a size");
  return *size;
}

std::uint64_t Budget(const po::variables_map& given, const char* name) {
  const std::uint64_t budget = Size(given, name);
  if (budget < kMaxRequest) {
    throw std::invalid_argument(std::string("--") + name +
                                " must be at least one request (1M), or stripes have no effect");
  }
  return budget;
}

void ChooseDialect(const std::string& dialect, Settings& settings) {
  const bool all = dialect == "all";
  settings.options.lustre = all || dialect == "lustre";
  settings.options.ceph = all || dialect == "ceph";
  settings.options.beegfs = all || dialect == "beegfs";
  if (all) {
    settings.subtype = "stripefs";
  } else if (dialect == "ceph") {
    settings.subtype = "ceph-fuse";  // as the real client calls itself
  } else if (dialect == "lustre" || dialect == "beegfs") {
    settings.subtype = dialect;
  } else {
    throw std::invalid_argument("--dialect must be lustre, ceph, beegfs or all");
  }
}

Time Duration(double value, double nanoseconds, const char* name) {
  if (!(value >= 0 && value < 1e9)) throw std::invalid_argument(std::string("--") + name + " out of range");
  return Time(static_cast<Time::rep>(value * nanoseconds));
}

Settings Interpret(const po::variables_map& given) {
  Settings settings;
  ChooseDialect(given["dialect"].as<std::string>(), settings);
  Options& options = settings.options;
  options.model.targets = given["targets"].as<std::uint32_t>();
  if (options.model.targets == 0 || options.model.targets > kMaxTargets) {
    throw std::invalid_argument("--targets must be 1 to " + std::to_string(kMaxTargets));
  }
  options.model.latency = Duration(given["latency"].as<double>(), 1e3, "latency");
  options.model.lock_handover = Duration(given["locks"].as<double>(), 1e6, "locks");
  options.model.write_budget = Budget(given, "dirty");
  options.model.read_budget = Budget(given, "ra");
  options.default_count = given["default-count"].as<std::uint32_t>();
  if (options.default_count == 0) throw std::invalid_argument("--default-count must be at least 1");
  const bool only_ceph = options.ceph && !options.lustre;
  if (only_ceph) options.default_unit = ceph::kDefaultObjectSize;
  if (given.contains("default-size")) options.default_unit = Size(given, "default-size");
  if (options.default_unit == 0 || options.default_unit % kUnitGrain != 0 ||
      options.default_unit > UINT32_MAX) {
    throw std::invalid_argument("--default-size must be a multiple of 64K below 4G");
  }
  options.lenient = given["lenient"].as<bool>();
  settings.rates = given["rate"].as<std::string>();
  Model probe(options.model);
  if (!SetRates(probe, settings.rates))
    throw std::invalid_argument("--rate: one number, or one for each target");
  settings.foreground = given["foreground"].as<bool>();
  if (given.contains("subtype")) settings.subtype = given["subtype"].as<std::string>();
  settings.source = given.contains("fsname") ? given["fsname"].as<std::string>()
                                             : "stripefs:" + std::to_string(options.model.targets);
  for (const std::string& text : {settings.subtype, settings.source}) {
    if (text.empty() || text.find(',') != std::string::npos) {
      throw std::invalid_argument("--subtype and --fsname must not be empty or hold a comma");
    }
  }
  settings.mount_point = given["mountpoint"].as<std::string>();
  return settings;
}

}  // namespace

std::optional<std::uint64_t> ParseSize(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc()) return std::nullopt;
  const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  if (unit.empty()) return value;
  if (unit.size() > 1 && unit.substr(1) != "iB") return std::nullopt;
  const std::size_t power = std::string_view("KMGT").find(unit.front());
  if (power == std::string_view::npos) return std::nullopt;
  const auto shift = static_cast<unsigned>(10 * (power + 1));
  if (value > UINT64_MAX >> shift) return std::nullopt;
  return value << shift;
}

std::optional<Settings> ParseCommandLine(int argc, char** argv, int* status) {
  const po::options_description options = Describe();
  po::positional_options_description positional;
  positional.add("mountpoint", 1);
  try {
    po::variables_map given;
    po::store(po::command_line_parser(argc, argv).options(options).positional(positional).run(), given);
    if (given.contains("help")) {
      std::cout << "Usage: stripefs [options] MOUNTPOINT\nA striped file system in memory, whose targets are "
                   "slow.\n"
                << options;
      *status = 0;
      return std::nullopt;
    }
    if (!given.contains("mountpoint")) throw std::invalid_argument("no mount point given (see --help)");
    return Interpret(given);
  } catch (const std::exception& error) {
    std::cerr << "stripefs: " << error.what() << '\n';
    *status = kUsageError;
    return std::nullopt;
  }
}

}  // namespace toto::stripefs
