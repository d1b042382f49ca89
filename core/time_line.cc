// SPDX-License-Identifier: BSD-3-Clause
#include "core/time_line.h"

#include <algorithm>
#include <bit>

namespace toto {

// The bin of a moment; makes room where it is beyond the last.
TimeLine::Bin TimeLine::bin_of(std::uint64_t at) {
  // Another thread's clock may be a little before our zero.
  const std::uint64_t since = at > zero_ ? at - zero_ : 0;
  for (;;) {
    const std::uint32_t shift = shift_.load(std::memory_order_relaxed);
    const std::uint64_t bin = since >> shift;
    if (bin < kTimeBins) return {static_cast<std::uint32_t>(bin), shift, zero_ + ((bin + 1) << shift)};
    // Somebody else is widening: the last bin is near enough, waiting for him is not worth it.
    if (widening_.exchange(true, std::memory_order_acquire)) return {kTimeBins - 1, shift, at};
    if (shift_.load(std::memory_order_relaxed) == shift) widen(shift);
    widening_.store(false, std::memory_order_release);
  }
}

// Two bins become one. A thread that adds meanwhile by the old width may hit a bin that is moved already: its
// bytes show too early then, and are not lost.
void TimeLine::widen(std::uint32_t from) {
  shift_.store(from + 1, std::memory_order_relaxed);
  for (auto& line : bytes_) {
    for (std::size_t i = 0; i < kTimeBins; ++i) {
      const std::uint64_t moved = line[i].exchange(0, std::memory_order_relaxed);
      if (moved != 0) line[i / 2].fetch_add(moved, std::memory_order_relaxed);
    }
  }
}

// Of a crash's numbers, which may be anything: always a bin that there is.
std::size_t TimeLine::index_now(std::uint32_t bin, std::uint32_t shift) const {
  const std::uint32_t now = shift_.load(std::memory_order_relaxed);
  const std::uint32_t widened = now > shift ? std::min(now - shift, 31U) : 0;
  return std::min<std::size_t>(bin >> widened, kTimeBins - 1);
}

TimeLine::Own* TimeLine::own(std::uintptr_t thread) {
  for (Own& one : own_) {
    std::uintptr_t owner = one.owner_.load(std::memory_order_relaxed);
    if (owner == thread || (owner == 0 && one.owner_.compare_exchange_strong(owner, thread))) return &one;
  }
  return nullptr;
}

std::uint64_t TimeLine::move_on(Own& own, std::uint64_t at) {
  const std::size_t index =
      index_now(own.bin_.load(std::memory_order_relaxed), own.shift_.load(std::memory_order_relaxed));
  for (std::size_t row = 0; row < kRows; ++row) {
    // Taken first: a signal handler that comes in between finds nothing to take again.
    const std::uint64_t moved = own.bytes_[row].exchange(0, std::memory_order_relaxed);
    if (moved != 0) bytes_[row][index].fetch_add(moved, std::memory_order_relaxed);
  }
  const Bin bin = bin_of(at);
  own.bin_.store(bin.index, std::memory_order_relaxed);
  own.shift_.store(bin.shift, std::memory_order_relaxed);
  return bin.end;
}

void TimeLine::add(Layer layer, bool write, std::uint64_t at, std::uint64_t bytes) {
  bytes_[row(layer, write)][bin_of(at).index].fetch_add(bytes, std::memory_order_relaxed);
}

// Up to the last one that holds anything.
std::size_t JobTimeLine::used_bins(const Rows& rows) {
  std::size_t used = 0;
  for (const auto& line : rows) {
    for (std::size_t i = used; i < kTimeBins; ++i) {
      if (line[i] != 0) used = i + 1;
    }
  }
  return used;
}

// Our bin that holds the middle of bin `i` of others.
std::size_t JobTimeLine::bin_of(std::uint64_t origin, std::uint64_t width, std::size_t i) const {
  const std::uint64_t middle = origin + width * i + width / 2;
  return std::min<std::uint64_t>((middle - origin_ns) / width_ns, kTimeBins - 1);
}

// Makes the bins start at `origin` or before, end at `end` or later, and be `width` wide or more: fine bins
// are taken into coarse ones, never torn apart.
void JobTimeLine::reach(std::uint64_t origin, std::uint64_t width, std::uint64_t end) {
  const JobTimeLine& old = *this;
  const std::uint64_t old_origin = origin_ns, old_width = width_ns;
  end = std::max(end, old_origin + old_width * old.used_bins());
  origin_ns = std::min(origin_ns, origin);
  width_ns = std::max(width_ns, width);
  // By division: of a crash's numbers, which may be anything, no product may overflow.
  while (end > origin_ns && width_ns <= (end - origin_ns - 1) / kTimeBins) width_ns *= 2;
  if (origin_ns == old_origin && width_ns == old_width) return;
  for (auto& line : bytes) {
    std::array<std::uint64_t, kTimeBins> moved{};
    for (std::size_t i = 0; i < kTimeBins; ++i) {
      if (line[i] != 0) moved[bin_of(old_origin, old_width, i)] += line[i];
    }
    line = moved;
  }
}

void JobTimeLine::merge(const JobTimeLine& other) {
  if (other.width_ns == 0) return;
  if (width_ns == 0) {
    *this = other;
    return;
  }
  reach(other.origin_ns, other.width_ns, other.origin_ns + other.width_ns * other.used_bins());
  for (std::size_t row = 0; row < bytes.size(); ++row) {
    for (std::size_t i = 0; i < kTimeBins; ++i) {
      const std::uint64_t moved = other.bytes[row][i];
      if (moved != 0) bytes[row][bin_of(other.origin_ns, other.width_ns, i)] += moved;
    }
  }
}

void JobTimeLine::add(const TimeLine& line, const clock::Rate& rate) {
  const auto ns = [&rate](std::uint64_t ticks) {
    return static_cast<std::uint64_t>(static_cast<double>(ticks) * rate.ns_per_tick);
  };
  Rows all{};
  for (std::size_t row = 0; row < bytes.size(); ++row) {
    for (std::size_t i = 0; i < kTimeBins; ++i)
      all[row][i] = line.bytes_[row][i].load(std::memory_order_relaxed);
    for (const TimeLine::Own& own : line.own_) {
      all[row][line.index_now(own.bin_.load(std::memory_order_relaxed),
                              own.shift_.load(std::memory_order_relaxed))] +=
          own.bytes_[row].load(std::memory_order_relaxed);
    }
  }
  const std::size_t used = used_bins(all);
  if (used == 0) return;
  const std::uint64_t origin =
      static_cast<std::uint64_t>(rate.zero_wall_ns) + ns(line.zero_ - rate.zero_ticks);
  const std::uint64_t width =
      std::max<std::uint64_t>(ns(std::uint64_t{1} << (line.shift_.load(std::memory_order_relaxed) & 63U)), 1);
  if (width_ns == 0) {
    origin_ns = origin;
    width_ns = width;
  }
  reach(origin, width, origin + width * used);
  for (std::size_t row = 0; row < bytes.size(); ++row) {
    for (std::size_t i = 0; i < used; ++i) bytes[row][bin_of(origin, width, i)] += all[row][i];
  }
}

}  // namespace toto
