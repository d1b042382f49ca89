// SPDX-License-Identifier: BSD-3-Clause
// toto history: what earlier runs learned about families of files.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <memory>
#include <sstream>

#include "core/config.h"
#include "core/path.h"
#include "hints/history.h"
#include "tools/command.h"
#include "tools/failure.h"
#include "tools/options.h"
#include "tools/units.h"

namespace toto::tools {
namespace {

namespace po = boost::program_options;
using hints::history::ArmRecord;
using hints::history::Read;
using hints::history::Record;
using hints::history::Records;

constexpr double kMiB = 1024 * 1024;

std::string day(std::uint64_t when) {
  const auto seconds = static_cast<std::time_t>(when);
  std::tm parts{};
  char text[32] = "?";
  if (localtime_r(&seconds, &parts) != nullptr) std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
  return text;
}

std::unique_ptr<Records> read_all(const std::string& file, bool may_be_missing) {
  auto records = std::make_unique<Records>();
  const Read read = hints::history::read(file.c_str(), *records);
  if (read == Read::kOk || (read == Read::kMissing && may_be_missing)) return records;
  throw Failure(kExitFailure, fmt::format("{} is {}", printable(file), hints::history::name(read)));
}

void print_one(const Record& record, bool whole) {
  std::uint64_t files = 0;
  for (const ArmRecord& arm : record.all_arms()) files += arm.files;
  fmt::print("{}\n  {} on {} with {} targets; {} ranks on {} nodes; {} a file, {}, {}; {}\n",
             printable(record.family.view()), printable(record.program.view()),
             printable(record.file_system.view()), record.targets, record.ranks, record.nodes,
             bytes_text(record.usage.bytes), hints::name(record.usage.sharing),
             hints::name(record.usage.calls), day(record.when));
  fmt::print("  best: {} stripes, of {} counts in {} files\n", record.best, record.arm_count, files);
  if (!whole) return;
  for (const ArmRecord& arm : record.all_arms()) {
    fmt::print("    {:>5} stripes  {:>8.0f} MiB/s  {:>5} files\n", arm.count,
               static_cast<double>(arm.speed) / kMiB, arm.files);
  }
}

// A family is named by itself, or by a pattern of the shell's.
bool is_meant(const Record& record, const std::string& what) {
  return record.family == std::string_view(what) || path::glob_matches(what, record.family.view());
}

int show(const std::string& file, const std::string& what, bool whole) {
  const auto records = read_all(file, what.empty());
  std::size_t shown = 0;
  for (const Record& record : records->used()) {
    if (!what.empty() && !is_meant(record, what)) continue;
    print_one(record, whole);
    ++shown;
  }
  if (shown == 0 && !what.empty()) {
    throw Failure(kExitFailure, fmt::format("no family \"{}\" in {}", printable(what), printable(file)));
  }
  if (shown == 0) fmt::print("nothing was learned yet: {} has no families\n", printable(file));
  return 0;
}

void change(const std::string& file, void (*how)(Records&, void*), void* context) {
  Read found;
  const int error = hints::history::update(file.c_str(), how, context, found);
  if (error == EPROTO) {
    throw Failure(kExitFailure,
                  fmt::format("{} is {}: left as it is", printable(file), hints::history::name(found)));
  }
  if (error != 0) throw Failure(kExitFailure, fmt::format("{}: {}", printable(file), std::strerror(error)));
}

int forget(const std::string& file, const std::string& what) {
  read_all(file, false);  // do not make one only to forget
  struct Forgetting {
    const std::string& what;
    std::size_t gone;
  } job{what, 0};
  change(
      file,
      [](Records& records, void* context) {
        auto& it = *static_cast<Forgetting*>(context);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < records.count; ++i) {
          if (is_meant(records.all[i], it.what)) continue;
          if (kept != i) records.all[kept] = records.all[i];
          ++kept;
        }
        it.gone = records.count - kept;
        records.count = kept;
      },
      &job);
  if (job.gone == 0) {
    throw Failure(kExitFailure, fmt::format("no family \"{}\" in {}", printable(what), printable(file)));
  }
  fmt::print("{} forgotten\n", job.gone);
  return 0;
}

int import(const std::string& file, const std::string& from) {
  auto records = read_all(from, false);
  change(
      file,
      [](Records& there, void* context) {
        for (const Record& record : static_cast<Records*>(context)->used()) {
          // Files that both know must not count twice: the one that knows more stands.
          Record* same = there.find(record);
          if (same == nullptr) {
            there.add() = record;
          } else if (record.when > same->when) {
            *same = record;
          }
        }
      },
      records.get());
  fmt::print("{} taken from {}\n", records->count, printable(from));
  return 0;
}

int export_to(const std::string& file, const std::string& to) {
  auto records = read_all(file, false);
  if (to == file) throw Failure(kExitUsage, "the history cannot be exported onto itself");
  change(
      to, [](Records& there, void* context) { there = *static_cast<Records*>(context); }, records.get());
  fmt::print("{} written to {}\n", records->count, printable(to));
  return 0;
}

}  // namespace

int history_command(const Words& words) {
  po::options_description options("Options");
  options.add_options()("file", po::value<std::string>(),
                        "the history; default: TOTO_HISTORY, or the user's own")("help", "this text");
  const CommandLine line = read_command_line(words, options, Rest::kAnywhere);
  if (line.values.count("help") != 0) {
    std::ostringstream text;
    text << options;
    fmt::print(
        "Usage: toto history [options] [list | show FAMILY | forget FAMILY | export FILE | import FILE]\n\n"
        "What earlier runs learned about families of files: names in which # stands for any number. FAMILY "
        "may be a\n"
        "pattern, such as '/scratch/me/*'. Export writes a copy; import takes what is newer.\n\n{}",
        text.str());
    return 0;
  }
  config::load();
  const std::string file = line.values.count("file") != 0 ? line.values["file"].as<std::string>()
                                                          : std::string(hints::history::path().view());
  if (file.empty()) throw Failure(kExitFailure, "there is no history: neither TOTO_HISTORY nor HOME is set");
  const std::string what = line.rest.empty() ? "list" : line.rest[0];
  if (what == "list" && line.rest.size() <= 1) return show(file, "", false);
  if (line.rest.size() == 2) {
    if (what == "show") return show(file, line.rest[1], true);
    if (what == "forget") return forget(file, line.rest[1]);
    if (what == "export") return export_to(file, line.rest[1]);
    if (what == "import") return import(file, line.rest[1]);
  }
  throw Failure(kExitUsage,
                "one of: toto history list, show FAMILY, forget FAMILY, export FILE, import FILE");
}

}  // namespace toto::tools
