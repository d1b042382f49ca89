// SPDX-License-Identifier: BSD-3-Clause
#include "bench/workload/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

namespace workload {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;

double mib_per_second(const Phase& phase) { return phase.bytes / kMiB / phase.total; }

nlohmann::ordered_json result_of(const Options& options, const Phase& phase) {
  return {{"access", phase.write ? "write" : "read"},
          {"bwMiB", mib_per_second(phase)},
          {"blockKiB", static_cast<double>(options.block) / 1024.0},
          {"xferKiB", static_cast<double>(options.transfer) / 1024.0},
          {"iops", phase.transfers / phase.transfer},
          {"latency", phase.latency},
          {"openTime", phase.open},
          {"wrRdTime", phase.transfer},
          {"closeTime", phase.close},
          {"totalTime", phase.total},
          {"iter", phase.repetition}};
}

nlohmann::ordered_json summary_of(const Options& options, const Run& run, bool write) {
  std::vector<double> rates, times;
  for (const Phase& phase : run.phases) {
    if (phase.write != write) continue;
    rates.push_back(mib_per_second(phase));
    times.push_back(phase.total);
  }
  const auto mean = [](const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  };
  double squares = 0;
  for (const double rate : rates) squares += (rate - mean(rates)) * (rate - mean(rates));
  return {{"operation", write ? "write" : "read"},
          {"API", options.api == Api::kPosix ? "POSIX" : "MPIIO"},
          {"TestID", 0},
          {"ReferenceNumber", 0},
          {"segmentCount", options.segments},
          {"blockSize", options.block},
          {"transferSize", options.transfer},
          {"numTasks", run.ranks},
          {"filePerProc", options.file_per_process},
          {"repetitions", options.repetitions},
          {"bwMaxMIB", *std::max_element(rates.begin(), rates.end())},
          {"bwMinMIB", *std::min_element(rates.begin(), rates.end())},
          {"bwMeanMIB", mean(rates)},
          {"bwStdMIB", std::sqrt(squares / static_cast<double>(rates.size()))},
          {"MeanTime", mean(times)},
          {"xsizeMiB", static_cast<double>(options.block * options.segments * run.ranks) / kMiB}};
}

}  // namespace

void print_table(const Options& options, const Run& run) {
  fmt::print("{:<8}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>6}\n", "access", "bw(MiB/s)", "iops", "open(s)", "wr/rd(s)",
             "close(s)", "total(s)", "iter");
  for (const Phase& phase : run.phases) {
    fmt::print("{:<8}{:>12.2f}{:>12.1f}{:>12.6f}{:>12.6f}{:>12.6f}{:>12.6f}{:>6}\n", phase.write ? "write" : "read",
               mib_per_second(phase), phase.transfers / phase.transfer, phase.open, phase.transfer, phase.close,
               phase.total, phase.repetition);
  }
  fmt::print("{} ranks, {} bytes a rank\n", run.ranks, options.block * options.segments);
}

int write_summary(const Options& options, const Run& run) {
  nlohmann::ordered_json json;
  json["Version"] = "toto-workload";
  json["Command line"] = run.command;
  auto& test = json["tests"][0];
  test["TestID"] = 0;
  test["Parameters"] = {{"api", options.api == Api::kPosix ? "POSIX" : "MPIIO"},
                        {"testFileName", options.file},
                        {"fsync", options.sync},
                        {"collective", options.collective},
                        {"filePerProc", options.file_per_process},
                        {"randomOffset", options.random_order},
                        {"segmentCount", options.segments},
                        {"blockSize", options.block},
                        {"transferSize", options.transfer},
                        {"numTasks", run.ranks},
                        {"repetitions", options.repetitions}};
  test["Results"] = nlohmann::ordered_json::array();
  for (const Phase& phase : run.phases) test["Results"].push_back(result_of(options, phase));
  json["summary"] = nlohmann::ordered_json::array();
  for (const bool write : {true, false}) {
    if (write ? options.write : options.read) json["summary"].push_back(summary_of(options, run, write));
  }
  errno = 0;
  std::ofstream out(options.summary);
  out << json.dump(2) << '\n';
  out.close();
  return out ? 0 : std::max(errno, 1);
}

}  // namespace workload
