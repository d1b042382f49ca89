// SPDX-License-Identifier: BSD-3-Clause
// What a wrapper notes of one call: inline, a few dozen instructions, no system call, errno untouched.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "core/clock.h"
#include "core/counters.h"
#include "core/process.h"
#include "core/registry.h"
#include "hints/targets.h"
#include "posix/descriptors.h"

namespace toto::posix {

enum class Access : std::uint8_t { kRead = 1, kWrite = 2 };

// The counters of one direction, chosen at compile time.
template <Access kind>
struct Of {
  static constexpr bool kReads = kind == Access::kRead;
  static constexpr Counter kCalls = kReads ? Counter::reads : Counter::writes;
  static constexpr Counter kBytes = kReads ? Counter::bytes_read : Counter::bytes_written;
  static constexpr Counter kTicks = kReads ? Counter::read_ticks : Counter::write_ticks;
  static constexpr Counter kLargest = kReads ? Counter::largest_read : Counter::largest_write;
  static constexpr Counter kSlowest = kReads ? Counter::slowest_read_ticks : Counter::slowest_write_ticks;
  static constexpr Counter kConsecutive = kReads ? Counter::reads_consecutive : Counter::writes_consecutive;
  static constexpr Counter kSequential = kReads ? Counter::reads_sequential : Counter::writes_sequential;
  static constexpr Counter kStrided = kReads ? Counter::reads_strided : Counter::writes_strided;
  static constexpr Counter kMpiCalls = kReads ? Counter::mpi_reads : Counter::mpi_writes;
  static constexpr Counter kMpiBytes = kReads ? Counter::mpi_bytes_read : Counter::mpi_bytes_written;
};

template <Access kind, class How>
[[gnu::always_inline]] inline void note_data(Description& open, Shard& shard, std::uint64_t offset,
                                             std::uint64_t bytes, std::uint64_t started,
                                             std::uint64_t ended) {
  using It = Of<kind>;
  Counters& counters = shard.counters;
  const std::uint64_t took =
      ended > started ? ended - started : 0;  // processors' counters may differ a little
  How::add(counters[It::kCalls], 1);
  How::add(counters[It::kBytes], bytes);
  How::add(counters[It::kTicks], took);
  How::raise(counters[It::kLargest], bytes);
  How::raise(counters[It::kSlowest], took);
  auto& sizes = It::kReads ? counters.read_sizes : counters.write_sizes;
  if (bytes != 0) [[likely]] {
    How::raise(counters[Counter::end_offset], offset + bytes);
    How::add(sizes[positive_size_bin(bytes)], 1);
  } else {
    How::add(sizes[0], 1);
  }
  How::set(counters[Counter::last_data], ended);
  first<How>(counters[Counter::first_data], started);

  // Where this access lies relative to the last one of the same open file.
  constexpr auto relaxed = std::memory_order_relaxed;
  const std::uint8_t state = open.state.load(relaxed);
  const std::uint64_t last_end = open.last_end.load(relaxed);
  if (offset == last_end) [[likely]] {
    How::add(counters[It::kConsecutive], 1);  // sequential, too: added when the shard is read
  } else {
    const auto stride = static_cast<std::int64_t>(offset - open.last_start.load(relaxed));
    if (offset > last_end) How::add(counters[It::kSequential], 1);
    if (state % Description::kByMpi != 0 && stride == open.last_stride.load(relaxed)) {
      How::add(counters[It::kStrided], 1);
      How::set(counters[Counter::stride], static_cast<std::uint64_t>(stride < 0 ? -stride : stride));
    }
    open.last_stride.store(stride, relaxed);
  }
  constexpr auto kKind = static_cast<std::uint8_t>(kind);
  // Else the same kind as the last one, by the program itself: mostly.
  if (state != kKind) {
    const std::uint8_t last = state % Description::kByMpi;
    if (last != kKind) {
      if (last != 0) How::add(counters[Counter::switches], 1);
      open.state.store((state - last) | kKind, relaxed);
    }
    if (state >= Description::kWatched) {
      // It may be closed by another thread just now.
      hints::targets::Watch* const watch = open.watch.load(std::memory_order_acquire);
      if (!It::kReads && watch != nullptr) watch->note(offset, bytes, took);
    }
    if ((state & Description::kByMpi) != 0) {
      How::add(counters[It::kMpiCalls], 1);
      How::add(counters[It::kMpiBytes], bytes);
    }
  }
  open.last_start.store(offset, relaxed);
  open.last_end.store(offset + bytes, relaxed);

  if ((offset & 4095U) != 0) How::add(counters[Counter::unaligned_block], 1);
  const std::uint32_t stripe = open.file->stripe_size.load(relaxed);
  if (stripe != 0 && (offset & (stripe - 1)) != 0) How::add(counters[Counter::unaligned_stripe], 1);
}

// Where the call puts its data: at the description's position, or at an offset of its own.
inline constexpr std::uint64_t kAtPosition = ~std::uint64_t{0};

// The first call of a thread on a file, and one whose shard is shared for want of room.
template <Access kind>
[[gnu::noinline, gnu::cold]] void note_data_slowly(Description& open, Layer layer, std::uint64_t offset,
                                                   std::uint64_t bytes, std::uint64_t started,
                                                   std::uint64_t ended) {
  Shard& shard = registry::shard(*open.file, layer);
  if (shard.owner != 0) {
    note_data<kind, Owned>(open, shard, offset, bytes, started, ended);
  } else {
    note_data<kind, Shared>(open, shard, offset, bytes, started, ended);
  }
}

// One data call that returned `result` (bytes, or -1).
template <Access kind>
[[gnu::always_inline]] inline void record_data(Description& open, Layer layer, std::uint64_t offset,
                                               ssize_t result, std::uint64_t started, std::uint64_t ended) {
  if (result < 0) [[unlikely]] {
    Shared::add(registry::shard(*open.file, layer).counters[Counter::errors], 1);
    return;
  }
  const auto bytes = static_cast<std::uint64_t>(result);
  if (offset == kAtPosition) {
    // An appending write goes to the file's end, wherever other writers left it: taken as consecutive.
    offset = open.append && kind == Access::kWrite ? open.last_end.load(std::memory_order_relaxed)
                                                   : open.position.load(std::memory_order_relaxed);
    open.position.store(offset + bytes, std::memory_order_relaxed);
  }
  registry::note_time(layer, kind == Access::kWrite, ended, bytes);
  if (Shard* mine = registry::cached_shard(*open.file, layer); mine != nullptr) [[likely]] {
    note_data<kind, Owned>(open, *mine, offset, bytes, started, ended);
  } else {
    note_data_slowly<kind>(open, layer, offset, bytes, started, ended);
  }
}

// The same out of line, for wrappers that are not worth a copy of it.
template <Access kind>
[[gnu::noinline]] void record_data_call(Description& open, Layer layer, std::uint64_t offset, ssize_t result,
                                        std::uint64_t started, std::uint64_t ended) {
  record_data<kind>(open, layer, offset, result, started, ended);
}

// One call that moves no data, on a file. Not on the data path: a locked add costs nothing here.
inline void record_meta(File& file, Layer layer, Counter counter, std::uint64_t started,
                        std::uint64_t ended) {
  Counters& counters = registry::shard(file, layer).counters;
  const std::uint64_t took = ended > started ? ended - started : 0;
  Shared::add(counters[counter], 1);
  Shared::add(counters[Counter::meta_ticks], took);
  if (counter == Counter::closes) Shared::add(counters[Counter::open_ticks], took);
  if (counter == Counter::syncs || counter == Counter::flushes)
    Shared::add(counters[Counter::sync_ticks], took);
}

}  // namespace toto::posix
