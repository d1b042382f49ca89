// SPDX-License-Identifier: BSD-3-Clause
// The settings, from one table: name, kind, default, what is allowed, help. The environment wins over the
// TOML file that TOTO_CONFIG names (which uses the same names); a bad value is one warning that names the
// setting, the value and the default used instead.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/table_text.h"

namespace toto {

enum class SettingKind : std::uint8_t {
  kSwitch,  // 0 or 1 (also off/on, no/yes, false/true)
  kNumber,  // whole number in the range "least..most"
  kChoice,  // one of "a|b|c", case does not matter
  kText,    // anything
};

// X(member, kind, name, default, allowed, help)
#define TOTO_SETTINGS(X)                                                                                    \
  X(disable, kSwitch, "TOTO_DISABLE", "0", "", "1: do nothing at all, only forward")                        \
  X(config, kText, "TOTO_CONFIG", "", "", "TOML file with these same names; the environment wins")          \
  X(pfs_paths, kText, "TOTO_PFS_PATHS", "", "",                                                             \
    "what to watch: /path[=type][:...]; default: every mount of a known parallel file system")              \
  X(hints, kText, "TOTO_HINTS", "", "", "glob:key=value[:key=value...][,glob:...] or @file")                \
  X(hints_mode, kChoice, "TOTO_HINTS_MODE", "fill", "fill|override",                                        \
    "fill: the program's own MPI_Info wins over TOTO_HINTS; override: TOTO_HINTS wins")                     \
  X(hints_display, kSwitch, "TOTO_HINTS_DISPLAY", "0", "",                                                  \
    "1: the hints of each MPI file at its open, on standard error, as Cray's MPI shows them")               \
  X(learn, kChoice, "TOTO_LEARN", "on", "on|frozen|off",                                                    \
    "tune stripe counts from file to file; frozen: only use what the history has; off: neither")            \
  X(history, kText, "TOTO_HISTORY", "", "",                                                                 \
    "file of what was learned; default: toto/history.json below XDG_STATE_HOME")                            \
  X(tuning, kSwitch, "TOTO_STRIPE_COUNT_TUNING", "1", "", "0: measure only, change nothing by itself")      \
  X(combine, kSwitch, "TOTO_COMBINE", "1", "",                                                              \
    "0: no messages between ranks; needed where not every rank of an MPI job has the library")              \
  X(beegfs_prefix, kText, "TOTO_BEEGFS_STRIPING_PREFIX", "", "",                                            \
    "BeeGFS without its ioctls: PREFIX/SUFFIX_<count> are folders made beforehand, one a count")            \
  X(beegfs_suffix, kText, "TOTO_BEEGFS_STRIPING_SUFFIX", "", "", "see TOTO_BEEGFS_STRIPING_PREFIX")         \
  X(beegfs_sufix, kText, "TOTO_BEEGFS_STRIPING_SUFIX", "", "", "the same, as the published tool spells it") \
  X(logs_folder, kText, "TOTO_LOGS_FOLDER", "", "", "folder for the report and the log; default: neither")  \
  X(report, kText, "TOTO_REPORT", "", "",                                                                   \
    "path of the report; default: a name of its own in TOTO_LOGS_FOLDER")                                   \
  X(summary, kSwitch, "TOTO_SUMMARY", "0", "", "1: a short summary on standard error at the end")           \
  X(log_level, kChoice, "TOTO_LOG_LEVEL", "warning", "off|error|warning|info|debug", "how much is logged")  \
  X(log_to_stdout, kSwitch, "TOTO_LOG_TO_STDOUT", "0", "", "1: log to standard output")                     \
  X(memory_kib, kNumber, "TOTO_MEMORY_KIB", "1024", "256..1048576",                                         \
    "memory for counters a process, KiB; when it runs short, files are folded into their family")           \
  X(job_id, kText, "TOTO_JOB_ID", "", "",                                                                   \
    "name of the job; default: the scheduler's or launcher's, else of the process")                         \
  X(segment_dir, kText, "TOTO_SEGMENT_DIR", "", "",                                                         \
    "folder for the memory that the processes of a node share; default: /dev/shm")                          \
  X(analysis_period, kNumber, "TOTO_ANALYSIS_PERIOD", "500", "0..3600000",                                  \
    "milliseconds between two rounds in which the nodes combine their statistics; 0: no rounds")            \
  X(accumulate, kSwitch, "TOTO_ACCUMULATE_STATISTICS", "1", "",                                             \
    "1: rounds combine what was done since the start; 0: since the last round")                             \
  X(monitor_targets, kSwitch, "TOTO_MONITOR_OST_PERFORMANCE", "0", "",                                      \
    "1: look for targets that are much slower than their peers, and avoid them (Lustre)")                   \
  X(finalize_limit, kNumber, "TOTO_FINALIZE_LIMIT", "600", "1..86400",                                      \
    "seconds that MPI_Finalize waits for other ranks' statistics")                                          \
  X(ranks_per_node, kNumber, "TOTO_RANKS_PER_NODE", "0", "0..65536",                                        \
    "for tests: pretend that so many ranks make a node; 0: nodes are what they are")

struct Settings {
  // Values as members, one a setting; texts stay valid for the life of the process.
  bool disable = false, tuning = true, combine = true, summary = false, log_to_stdout = false;
  bool accumulate = true, hints_display = false, monitor_targets = false;
  std::string_view config, pfs_paths, hints, hints_mode = "fill", logs_folder, report, log_level = "warning";
  std::string_view learn = "on", history, job_id, segment_dir, beegfs_prefix, beegfs_suffix, beegfs_sufix;
  std::int64_t memory_kib = 1024, analysis_period = 500, finalize_limit = 600, ranks_per_node = 0;
};

struct SettingInfo {
  TableText<28> name;
  SettingKind kind;
  TableText<7> fallback;
  TableText<28> allowed;
  TableText<95> help;
};
inline constexpr auto kSettings = std::to_array<SettingInfo>({
#define TOTO_X(member, kind, name, fallback, allowed, help) \
  SettingInfo{name, SettingKind::kind, fallback, allowed, help},
    TOTO_SETTINGS(TOTO_X)
#undef TOTO_X
});

enum class SettingOrigin : std::uint8_t { kDefault, kFile, kEnvironment };

namespace config {

// Reads the environment, and TOTO_CONFIG's file where that is set. Called once, early; allocates only for
// the TOML file. Costs a walk over the environment when no TOTO_ variable is set.
void load();
[[nodiscard]] const Settings& settings();
// A report or a summary is asked for.
[[nodiscard]] bool wants_report();
[[nodiscard]] SettingOrigin origin(std::string_view name);
[[nodiscard]] std::string_view value(std::string_view name);  // as text, for the report

// One value by text; false: not allowed, nothing changed. Used by load() and by the toto command's check of
// its options.
bool accepts(const SettingInfo& info, std::string_view text);

}  // namespace config
}  // namespace toto
