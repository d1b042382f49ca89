// SPDX-License-Identifier: BSD-3-Clause
// The families that are tuned in this process: from a decision about a new file to what it reached, and to
// the next decision (hints/tuner/tuner.h has the policy). Fed at a file's close by the rank that decided
// about it.
//
// What counts: files that were new, were written by all ranks of the job together (MPI-IO), and tell
// something about the file system. A family tells something once a file of it had 64 MiB, or took half a
// second: below, opening and the caches of the clients are what is measured. Then its quick files count too,
// as being quick is what is looked for; but none faster than memory, kMemorySpeed a node.
//
// Files that each process makes for itself (file per process) are not tuned: the processes do not talk when
// they create them, each would probe on its own, and files of different counts at once are no experiment. The
// rule decides for them. Nor are files of a part of the ranks, of which there are several at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/fixed_string.h"
#include "core/report.h"
#include "hints/past.h"
#include "hints/pattern.h"
#include "hints/prior.h"
#include "hints/tuner/tuner.h"

namespace toto::hints::tuning {

inline constexpr std::uint64_t kLargeFile = 64U << 20;
inline constexpr double kLongWrite = 0.5;                   // seconds
inline constexpr double kMemorySpeed = 8.0 * (1ULL << 30);  // bytes a second and node: one channel of DDR4

// What is asked about one new file.
struct Question {
  std::string_view family;
  Situation situation;
  bool seen = false;  // the situation knows how the family's last file was used
  std::string_view file_system;
  std::uint64_t device = 0;   // of the file system
  std::uint64_t place = 0;    // history::Record::place
  std::uint32_t untuned = 0;  // stripes of a file there that nobody chooses for; 0: not known
  const Prior* prior = nullptr;
};

struct Answer {
  std::uint32_t count = 0;  // 0: nothing is known, the prior decides
  bool untuned = false;     // leave the file to its folder's default
  FixedString<220> sentence;
};

[[nodiscard]] Answer choose(const Question& question);

// How the family was used in an earlier run of this program in the same setting, where this run does not know
// yet; the next choice then starts with what was found. Reads the history, once.
[[nodiscard]] std::optional<Usage> recall(const Question& question);

// Writes what was learned into the history: at the end, on one rank. Nothing where nothing was learned.
void keep();

// For the report: every family that was tuned here, of shared files and of processes' own ones.
void tell(report::TunedVisitor visit, void* context);

// A file of the family has ended, on all ranks.
struct Measured {
  std::uint32_t count = 0;  // stripes that it has; 0: not known, and then it does not count
  std::uint32_t nodes = 1;
  std::uint64_t bytes = 0;  // written, by all ranks
  double seconds = 0;       // of the slowest rank, from its open to its close
};
// `usage`: how it was used, for the history.
void observe(std::string_view family, const Measured& measured, const Usage& usage);

}  // namespace toto::hints::tuning
