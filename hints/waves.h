// SPDX-License-Identifier: BSD-3-Clause
// Families of files that processes make for themselves, one each, at about the same time: what all processes
// of a job on a node know of them. The table lies in memory that these share (core/segment.h); it has no
// locks, nobody waits, and a process that dies leaves nothing behind that others need.
//
// A wave is one experiment: files of the family that are open at the same time, one a process, all of the
// same stripe count. A process joins the latest wave where that is not its own last one and has a file open;
// else it begins the next. Who begins it first chooses the count, by one exchange. A wave whose files are all
// closed is complete and never changes again, so that all processes see the same results.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "core/fixed_string.h"

namespace toto::hints::waves {

inline constexpr std::size_t kFamilies = 24;  // more are decided by the rule
inline constexpr std::uint32_t kWaves = 128;  // later files get the best count so far

struct Wave {
  std::atomic<std::uint32_t> count{0};  // stripes of its files; 0: not begun
  // Opened in the upper half, closed in the lower one; the same and not 0: complete.
  std::atomic<std::uint64_t> files{0};
  std::atomic<std::uint64_t> bytes{0};       // of all its files
  std::atomic<std::uint64_t> slowest_ns{0};  // of its files: time in I/O calls
};

// What was known of the family by the process that put it into the table; the tuning starts from it, in all
// processes alike.
struct Facts {
  FixedString<256> name;
  FixedString<20> file_system;
  std::uint64_t place = 0;    // history::Record::place
  std::uint64_t bytes = 0;    // of a file
  std::uint64_t request = 0;  // mean bytes of a write
  std::uint32_t targets = 0;
  std::uint32_t start = 0;    // stripes that the rule gives
  std::uint32_t untuned = 0;  // ... that a file has which nobody chooses for
  bool sure = false;          // the rule is
  bool rule_leaves = false;   // the rule chooses nothing: `untuned` is left to the folder
  bool alone = false;         // a single process writes it, as far as was known
};

struct Family {
  std::atomic<std::uint64_t> hash{0};  // 0: free
  std::atomic<bool> ready{false};      // the facts are there
  Facts facts;
  std::atomic<std::uint32_t> current{0};  // the latest wave, from 1; 0: none
  std::array<Wave, kWaves> waves;
};

struct Table {
  std::array<Family, kFamilies> families;
};
// nullptr: not there, or not ready.
[[nodiscard]] Family* find(Table& table, std::uint64_t hash);
// Puts a family in, or finds who has done so. nullptr: no room, or it is not ready.
Family* claim(Table& table, std::uint64_t hash, const Facts& facts);

// A file's part in a wave.
struct Place {
  std::uint32_t wave = 0;  // 0: none is left
  std::uint32_t count = 0;
};
// For a file about to be made. `last`: the last wave of this process; `choice`: stripes, should a new one
// begin.
Place join(Family& family, std::uint32_t last, std::uint32_t choice);
// The file was closed.
void leave(Family& family, std::uint32_t wave, std::uint64_t bytes, std::uint64_t ns);
// The file was not made, or not with these stripes.
void cancel(Family& family, std::uint32_t wave);

struct Result {
  std::uint32_t count = 0, files = 0;
  std::uint64_t bytes = 0, slowest_ns = 0;
};
// Of a complete wave.
[[nodiscard]] std::optional<Result> result(const Family& family, std::uint32_t wave);

}  // namespace toto::hints::waves
