// SPDX-License-Identifier: BSD-3-Clause
// The closed loop of one family of files: how many stripes the next file gets, from what the files before it
// did. Pure: no MPI, no files, no clock, no chance; the same measurements give the same choices. Of a fixed
// size and trivially copyable.
//
//   Tuner tuner;
//   tuner.begin(setup);
//   const Choice choice = tuner.choose();        // the same as often as one asks, until ...
//   tuner.observe(choice.count, bytes, seconds); // ... a file has ended: bytes of all ranks, seconds from
//   the first
//                                                // open to the last close of any
//
// The policy:
//   1. The first file gets the prior's count, the incumbent. One other count is probed at a time.
//   2. Which: x2 and x4, then /2 and /4 of the incumbent where the prior is sure, after two files; x4, /4,
//   x2,
//      /2 at once where it is not, since only a far look sees over a plateau. Too many stripes seldom cost
//      much; too few may cost several times a file's time. Counts beyond one that lost, and those that the
//      line between two measured ones shows far below the incumbent, are passed over.
//   3. A probe is compared with the incumbent's files before and after it, as file systems drift: half with
//      the nearest ones, half with the median of the recent ones.
//   4. It wins by 5 %, or by its standard error where that is more. One that is 40 % slower is out after one
//      file, others have two, and further ones now and then while they may still be better. Where six
//      comparisons find no difference, fewer stripes win: fewer locks, and more targets for others.
//   5. Care: a probe must be affordable. What probes have cost, and what this one may, is at most a tenth of
//   the
//      family's I/O time and a grace: one file's time; twelve while the prior is unsure, as a strict budget
//      would leave it on its plateau. Second looks have 3 % of the time, and no grace.
//   6. Settled, when nothing is left to try; re-opened when five files in a row are far from what was usual.
//   7. Guard: once settled, the incumbent is compared with a file that nobody chose anything for, twice at
//      least (once, where that was 40 % slower). If it is worse, such files it is from then on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/fixed_string.h"
#include "hints/tuner/arms.h"

namespace toto::tuner {

struct Setup {
  Arms arms;
  std::uint32_t start = 0;  // the prior's count; one of the arms
  std::uint32_t untuned =
      0;              // stripes of a file that nobody chooses for; 0: not known, then there is no guard
  bool sure = false;  // the prior is
};

enum class Kind : std::uint8_t {
  kIncumbent,
  kProbe,
  kUntuned
};  // kUntuned: leave the file to its folder's default

struct Choice {
  std::uint32_t count = 0;
  Kind kind = Kind::kIncumbent;
};

// One stripe count, and what is known of it.
struct Arm {
  static constexpr std::size_t kRecent = 8;
  std::uint32_t count = 0;
  std::uint32_t files = 0;               // that were measured
  std::array<double, kRecent> recent{};  // ln(bytes / second) of the last ones, a ring
  double gain = 0;                       // ln(this / incumbent), the mean of its comparisons
  double compared = 0;                   // as many comparisons as that is worth

  [[nodiscard]] std::size_t kept() const { return files < kRecent ? files : kRecent; }
  [[nodiscard]] double last() const { return recent[(files - 1) % kRecent]; }
  [[nodiscard]] double median() const;            // of the recent ones
  [[nodiscard]] double deviation() const;         // median absolute deviation of the recent ones
  [[nodiscard]] double bytes_per_second() const;  // at the median; 0: not measured
};

class Tuner {
 public:
  void begin(const Setup& setup);
  [[nodiscard]] bool begun() const { return size_ != 0; }
  // What an earlier run found, after begin(): counts that are no arms are left out. The arm with `incumbent`
  // stripes leads; `weight` of at most 1 is what its files still count.
  void resume(std::span<const Arm> arms, std::uint32_t incumbent, double weight);

  [[nodiscard]] Choice choose() const { return next_; }
  // A count that is no arm, and bytes or seconds that are not above 0, are left out.
  void observe(std::uint32_t count, std::uint64_t bytes, double seconds);

  [[nodiscard]] std::span<const Arm> arms() const { return {arms_.data(), size_}; }
  [[nodiscard]] const Arm& incumbent() const { return arms_[incumbent_]; }
  [[nodiscard]] bool settled() const { return settled_; }
  [[nodiscard]] bool reverted() const { return reverted_; }
  [[nodiscard]] std::uint32_t files() const { return files_; }
  [[nodiscard]] double seconds() const { return io_time_; }  // of all files
  [[nodiscard]] double extra_seconds() const {
    return extra_;
  }  // of these, what probes took beyond the incumbent
  // Why the next file gets what it gets, in one sentence with numbers; empty before the first file.
  void explain(FixedString<220>& text) const;

 private:
  [[nodiscard]] std::size_t index_of(std::uint32_t count) const;
  [[nodiscard]] bool measured(std::size_t arm) const;
  [[nodiscard]] double usual() const;
  [[nodiscard]] double noise() const;
  [[nodiscard]] double doubt(const Arm& arm) const;
  [[nodiscard]] double predicted(std::size_t arm) const;
  [[nodiscard]] bool hopeless(std::size_t arm) const;
  [[nodiscard]] double risk(std::size_t arm) const;
  [[nodiscard]] bool affordable(std::size_t arm, double budget, double grace) const;
  [[nodiscard]] std::size_t near_to(double count) const;
  [[nodiscard]] std::size_t unfinished() const;
  [[nodiscard]] std::size_t untried() const;
  [[nodiscard]] std::size_t doubtful() const;
  [[nodiscard]] bool guarded() const;
  [[nodiscard]] bool wins(std::size_t arm) const;
  void note(Arm& arm, double value);
  void compare(std::size_t arm, double value, double seconds);
  void lead(std::size_t arm);
  void watch(double value);
  void plan();

  std::array<Arm, kMostArms> arms_{};
  std::size_t size_ = 0;
  std::size_t incumbent_ = 0;
  std::size_t open_ = kMostArms;  // the arm whose last comparison waits for the incumbent's next file
  double open_gain_ = 0;          // ... and what it said
  Choice next_;
  std::uint32_t untuned_ = 0;
  std::uint32_t files_ = 0;
  std::uint32_t since_probe_ = 0;  // files of the incumbent since the last probe, or since it became it
  std::uint32_t unusual_ = 0;      // files in a row that are far from what was usual
  double io_time_ = 0;
  double extra_ = 0;
  double squares_ = 0;  // of the differences between files of the same count, one after the other
  std::uint32_t differences_ = 0;
  bool unsure_ = false;
  bool settled_ = false;
  bool reverted_ = false;
};

}  // namespace toto::tuner
