// SPDX-License-Identifier: BSD-3-Clause
// Targets that are much slower than their peers (TOTO_MONITOR_OST_PERFORMANCE=1): found by what writers wait
// for, named, and avoided by new files where the file system takes a list of targets (Lustre).
//
// A file that is opened for writing has its layout read, and the times of its writes are added up by target:
// those that lie within one stripe. At the close each such file is one observation:
//   - of several targets: a slow one is what the writer waits for most of the time. So is, on targets that
//   are
//     all alike, the one that it came to first, where it finds its last round not done, and then all others
//     done: such a file tells nothing.
//   - of one target: its bandwidth.
// Slow is who was waited for in three of four files at least; or had less than half the median of the others.
// What several processes saw at the same time counts once. Of fewer files than kLeast nothing is said, nor
// where more than a quarter of the targets would be slow. What was found stays for the job: a target that is
// avoided is not seen again.
//
// Costs an attribute's reading at an open and a division at a write; nothing where it is off (the wrappers
// come here from a branch that they have anyway).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/fixed_string.h"
#include "core/outcome.h"
#include "hints/layout/backend.h"

namespace toto::hints::targets {

inline constexpr std::size_t kMost = 512;  // targets with a higher number are not watched
inline constexpr std::uint32_t kLeast = 4;

struct Cell {
  std::atomic<bool> seen{false};         // a file has it
  std::atomic<std::uint32_t> files{0};   // of several targets, that tell something about it
  std::atomic<std::uint32_t> waited{0};  // of these, in which it was waited for
  std::atomic<std::uint64_t> last{0};    // when the last of them ended
  std::atomic<std::uint32_t> alone{0};   // files of this target only
  std::atomic<std::int64_t> speed{0};    // ln(bytes a second) in millionths, summed over these
};
struct Table {
  std::atomic<std::uint64_t> device{0};  // the file system that is watched, + 1; 0: none yet
  std::array<Cell, kMost> cells;
};

struct Slow {
  std::uint32_t target = 0;
  std::uint32_t files = 0, waited = 0;  // 0 files: by its bandwidth
  double speed = 0, usual = 0;          // bytes a second, and the median of the others
  void explain(FixedString<160>& text) const;
};
// Pure. Those that are slow, as many as fit.
std::span<const Slow> find(const Table& table, std::span<Slow> room);

// An open file of several writers' or one's; of this process.
class Watch {
 public:
  static constexpr std::size_t kStripes = kMostTargets;
  void begin(Table& table, std::uint64_t stripe_size, std::span<const std::uint32_t> targets);
  void note(std::uint64_t offset, std::uint64_t bytes, std::uint64_t ticks);
  // `ns_per_tick`: of the ticks that were noted; `now_ns`: CLOCK_MONOTONIC.
  void end(double ns_per_tick, std::uint64_t now_ns);
  void forget();  // what was noted
  std::atomic<bool> used{false};

 private:
  Table* table_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint32_t count_ = 0;
  std::atomic<std::uint32_t> first_{0};  // the stripe that was written first, + 1
  std::array<std::uint32_t, kStripes> target_{};
  std::array<std::atomic<std::uint64_t>, kStripes> ticks_{}, bytes_{};
  std::array<std::atomic<std::uint32_t>, kStripes> requests_{};
};

// For the wrappers of open(2) and its kin. nullptr: this file is not watched.
[[nodiscard]] Watch* watch(const layout::Backend* backend, std::uint64_t device, const char* path);
void end(Watch& watch);
// In a forked child: what was noted is its parent's to tell.
void after_fork();

// For decisions. Targets of the device that new files can avoid: 0 where there are none, or where not all of
// `targets` are known by number. Warns of each slow one, once a process.
[[nodiscard]] std::uint32_t avoidable(std::uint64_t device, std::uint32_t targets);
// So many targets that are none of those, beginning at another one each time; nullptr: not that many.
[[nodiscard]] const TargetList* others(std::uint64_t device, std::uint32_t count);

}  // namespace toto::hints::targets
