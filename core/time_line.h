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

  using Cell = std::atomic<std::uint64_t>;
  // One interval: its cell of the first row (those of the other rows lie kTimeBins apart), and the end of it.
  struct Bin {
    Cell* first = nullptr;
    std::uint64_t end = 0;  // ticks
    [[gnu::always_inline]] inline void add(Layer layer, bool write, std::uint64_t bytes) const {
      first[row(layer, write) * kTimeBins].fetch_add(bytes, std::memory_order_relaxed);
    }
  };
  // The bin of a moment; makes room where it is beyond the last. Any thread, also two at a time. A bin may be
  // kept until its end has come: where bins are widened meanwhile, its bytes show at another time, and are
  // not lost.
  Bin bin_of(std::uint64_t at);

  static constexpr std::size_t kRows = 2 * kLayers;
  [[nodiscard]] static constexpr std::size_t row(Layer layer, bool write) {
    return 2 * static_cast<std::size_t>(layer) + (write ? 1 : 0);
  }

 private:
  friend struct JobTimeLine;
  void widen(std::uint32_t from);

  // 2^23 ticks: 3 to 8 ms, whatever the clock.
  static constexpr std::uint32_t kFirstShift = 23;
  std::uint64_t zero_ = 0;
  std::atomic<std::uint32_t> shift_{kFirstShift};
  std::atomic<bool> widening_{false};
  std::array<std::array<Cell, kTimeBins>, kRows> bytes_{};
};

// Of several processes: plain numbers, nanoseconds of the wall clock, mergeable. No bytes are lost in a
// merge; a bin's bytes go to the bin that holds its middle.
struct JobTimeLine {
  std::uint64_t origin_ns = 0;  // wall clock, start of the first bin
  std::uint64_t width_ns = 0;   // of a bin; 0: empty
  std::array<std::array<std::uint64_t, kTimeBins>, TimeLine::kRows> bytes{};

  void merge(const JobTimeLine& other);
  void add(const TimeLine& line, const clock::Rate& rate);
  [[nodiscard]] std::size_t used_bins() const;  // up to the last one that holds anything

 private:
  void reach(std::uint64_t origin, std::uint64_t width, std::uint64_t end);
  [[nodiscard]] std::size_t bin_of(std::uint64_t origin, std::uint64_t width, std::size_t i) const;
};

}  // namespace toto
