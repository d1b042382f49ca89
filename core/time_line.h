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

  // One data call that ended at `ended`. Any thread, also two at a time.
  [[gnu::always_inline]] inline void add(Layer layer, bool write, std::uint64_t ended, std::uint64_t bytes) {
    const std::uint64_t bin = (ended - zero_) >> shift_.load(std::memory_order_relaxed);
    if (bin >= kTimeBins) [[unlikely]] {
      add_later(layer, write, ended, bytes);
      return;
    }
    bytes_[row(layer, write)][bin].fetch_add(bytes, std::memory_order_relaxed);
  }

  static constexpr std::size_t kRows = 2 * kLayers;
  [[nodiscard]] static constexpr std::size_t row(Layer layer, bool write) {
    return 2 * static_cast<std::size_t>(layer) + (write ? 1 : 0);
  }

 private:
  friend struct JobTimeLine;
  [[gnu::cold, gnu::noinline]] void add_later(Layer layer, bool write, std::uint64_t ended,
                                              std::uint64_t bytes);
  void widen(std::uint32_t from);

  // 2^23 ticks: 3 to 8 ms, whatever the clock.
  static constexpr std::uint32_t kFirstShift = 23;
  std::uint64_t zero_ = 0;
  std::atomic<std::uint32_t> shift_{kFirstShift};
  std::atomic<bool> widening_{false};
  std::array<std::array<std::atomic<std::uint64_t>, kTimeBins>, kRows> bytes_{};
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
