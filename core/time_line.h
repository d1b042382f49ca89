// SPDX-License-Identifier: BSD-3-Clause
// Bytes moved over time, by layer and direction: 200 bins that double in width when they are used up, so that
// a run of any length has between 100 and 200 of them.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "core/clock.h"
#include "core/counters.h"

namespace toto {

inline constexpr std::size_t kTimeBins = 200;

// Of one process; lives in its area. Times are ticks of core/clock.h.
class TimeLine {
 public:
  void start(std::uint64_t zero_ticks) { zero_ = zero_ticks; }

  static constexpr std::size_t kRows = 2 * kLayers;
  [[nodiscard]] static constexpr std::size_t row(Layer layer, bool write) {
    return 2 * static_cast<std::size_t>(layer) + (write ? 1 : 0);
  }
  using Cell = std::atomic<std::uint64_t>;

  // What one thread has moved in the bin that it is in: added to without a locked instruction, and put where
  // it belongs when the bin has ended. What a thread leaves here is found by those who read the line.
  class Own {
   public:
    [[gnu::always_inline]] void add(Layer layer, bool write, std::uint64_t bytes) {
      Owned::add(bytes_[row(layer, write)], bytes);
    }

   private:
    friend class TimeLine;
    friend struct JobTimeLine;
    std::atomic<std::uintptr_t> owner_{0};
    std::atomic<std::uint32_t> bin_{0}, shift_{0};
    std::array<Cell, kRows> bytes_{};
  };
  // The calling thread's, by a number that no two living threads share; nullptr: there are none left.
  Own* own(std::uintptr_t thread);
  // Puts its bytes where they belong and makes it ready for those of `at`; until when (ticks). Only its
  // thread.
  std::uint64_t move_on(Own& own, std::uint64_t at);
  // Any thread; for those that have none.
  void add(Layer layer, bool write, std::uint64_t at, std::uint64_t bytes);

 private:
  friend struct JobTimeLine;
  struct Bin {
    std::uint32_t index, shift;
    std::uint64_t end;  // ticks
  };
  Bin bin_of(std::uint64_t at);
  void widen(std::uint32_t from);
  // Where a bin's bytes are now, after all widening since.
  [[nodiscard]] std::size_t index_now(std::uint32_t bin, std::uint32_t shift) const;

  // 2^23 ticks: 3 to 8 ms, whatever the clock.
  static constexpr std::uint32_t kFirstShift = 23;
  static constexpr std::size_t kOwners = 64;
  std::uint64_t zero_ = 0;
  std::atomic<std::uint32_t> shift_{kFirstShift};
  std::atomic<bool> widening_{false};
  std::array<std::array<Cell, kTimeBins>, kRows> bytes_{};
  std::array<Own, kOwners> own_{};
};

// Of several processes: plain numbers, nanoseconds of the wall clock, mergeable. No bytes are lost in a
// merge; a bin's bytes go to the bin that holds its middle.
struct JobTimeLine {
  std::uint64_t origin_ns = 0;  // wall clock, start of the first bin
  std::uint64_t width_ns = 0;   // of a bin; 0: empty
  using Rows = std::array<std::array<std::uint64_t, kTimeBins>, TimeLine::kRows>;
  Rows bytes{};

  void merge(const JobTimeLine& other);
  void add(const TimeLine& line, const clock::Rate& rate);
  [[nodiscard]] std::size_t used_bins() const { return used_bins(bytes); }

 private:
  static std::size_t used_bins(const Rows& rows);
  void reach(std::uint64_t origin, std::uint64_t width, std::uint64_t end);
  [[nodiscard]] std::size_t bin_of(std::uint64_t origin, std::uint64_t width, std::size_t i) const;
};

}  // namespace toto
