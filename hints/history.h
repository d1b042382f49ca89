// SPDX-License-Identifier: BSD-3-Clause
// What was learned about families of files, from run to run: one JSON file a user (TOTO_HISTORY, else
// toto/history.json below XDG_STATE_HOME or ~/.local/state). Read once, at the first decision that asks;
// written at the end by one rank: under a lock, merged with what other jobs wrote meanwhile, to a temporary
// name, and renamed. A file that is not understood (damaged, of another kind, of a later version) is said
// once and left as it is: nothing is learned from it, and nothing is written over it. Plain system calls, no
// allocation but mmap(2).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/fixed_string.h"
#include "hints/past.h"
#include "hints/tuner/tuner.h"

namespace toto::hints::history {

inline constexpr std::uint64_t kVersion = 1;
inline constexpr std::size_t kMostRecords = 512;  // the oldest go when there are more

struct ArmRecord {
  std::uint32_t count = 0;
  std::uint32_t files = 0;
  std::uint64_t speed = 0;      // bytes a second, median of the recent files
  std::uint64_t deviation = 0;  // of its logarithm, median absolute, in millionths
  std::int64_t gain = 0;        // ln(this / best), in millionths
  std::uint64_t compared = 0;   // comparisons, in thousandths
};

struct Record {
  // The key: the same program writes the same family in the same setting.
  FixedString<256> family;
  FixedString<64> program;
  FixedString<20> file_system;
  std::uint64_t place = 0;  // which one, and which pool, as policy::folders::place_of; 0: not told
  std::uint32_t targets = 0, ranks = 0, nodes = 0;
  Usage usage;  // its size counts as a power of two, its calls and its sharing as they are
  // What was found.
  std::uint32_t best = 0;  // stripes
  std::uint64_t when = 0;  // seconds since 1970
  std::uint32_t arm_count = 0;
  std::array<ArmRecord, tuner::kMostArms> arms{};

  [[nodiscard]] std::span<const ArmRecord> all_arms() const { return {arms.data(), arm_count}; }
  // The same family in the same setting, whatever it wrote.
  [[nodiscard]] bool same_place(const Record& other) const;
  [[nodiscard]] bool same_key(const Record& other) const;
};

struct Records {
  // Not set before they are used: a history of few families touches few pages.
  union {
    std::array<Record, kMostRecords> all;
  };
  std::size_t count = 0;

  // (A defaulted one would be deleted: a Record has values to start with.)
  Records() {}  // NOLINT(modernize-use-equals-default)

  [[nodiscard]] std::span<Record> used() { return {all.data(), count}; }
  [[nodiscard]] std::span<const Record> used() const { return {all.data(), count}; }
  [[nodiscard]] Record* find(const Record& key);
  // Room for one more: where there is none, the oldest one's.
  Record& add();
};

enum class Read : std::uint8_t { kOk, kMissing, kUnreadable, kDamaged, kLater };
// Pure: from the file's text. kOk, kDamaged or kLater; `records` is what was understood where it is kOk.
[[nodiscard]] Read parse(std::string_view text, Records& records);
[[nodiscard]] Read read(const char* path, Records& records);
// What is wrong with a file, for a message.
[[nodiscard]] std::string_view name(Read read);

// Adds what a job found beyond `base`, which it had started from (its files are 0 where it had none), to what
// the history holds by now.
void merge(const Record& found, const Record& base, Records& into);

// Where the history is; empty: nowhere (no HOME).
[[nodiscard]] FixedString<1023> path();

// Changes the file under its lock: reads it, calls change(records), writes it. 0 or an errno; EPROTO: what is
// there is not understood (`found` says how) and was left alone.
int update(const char* path, void (*change)(Records& records, void* context), void* context, Read& found);

}  // namespace toto::hints::history
