// SPDX-License-Identifier: BSD-3-Clause
// The counters of one file in one layer, from one list, so that enum, names and merging cannot drift apart.
//
// Units: calls, bytes, and ticks of core/clock.h (turned into seconds when a report is written).
// Every counter has one writer, the thread that owns the shard (core/registry.h), so that a relaxed load and
// store is exact; readers add the shards up. A counter merges over shards, processes and ranks by its kind.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <string_view>

#include "core/table_text.h"

namespace toto {

enum class Layer : std::uint8_t { kPosix, kStdio, kMpiIo };
inline constexpr std::size_t kLayers = 3;
[[nodiscard]] constexpr std::string_view name(Layer layer) {
  constexpr std::array<std::string_view, kLayers> kNames{"posix", "stdio", "mpiio"};
  return kNames[static_cast<std::size_t>(layer)];
}

// X(name, kind): kSum adds up; kMax keeps the largest; kFirst keeps the smallest that is not 0.
#define TOTO_COUNTERS(X)                                                                          \
  X(opens, kSum)   /* opens that succeeded */                                                     \
  X(creates, kSum) /* of these, opens that made the file */                                       \
  X(closes, kSum)                                                                                 \
  X(reads, kSum) /* calls; collective ones count once a rank */                                   \
  X(writes, kSum)                                                                                 \
  X(bytes_read, kSum) /* as returned, not as asked */                                             \
  X(bytes_written, kSum)                                                                          \
  X(read_ticks, kSum)                                                                             \
  X(write_ticks, kSum)                                                                            \
  X(meta_ticks, kSum) /* open, close, seek, stat, sync, ... */                                    \
  X(open_ticks, kSum) /* of these, opening and closing */                                         \
  X(sync_ticks, kSum) /* of these, syncs and flushes */                                           \
  X(seeks, kSum)                                                                                  \
  X(syncs, kSum)     /* fsync, fdatasync, sync_file_range, msync, MPI_File_sync */                \
  X(flushes, kSum)   /* stdio: fflush */                                                          \
  X(truncates, kSum) /* truncate, preallocate, set_size */                                        \
  X(stats, kSum)     /* stat and its kin, access */                                               \
  X(unlinks, kSum)                                                                                \
  X(renames, kSum)                                                                                \
  X(mkdirs, kSum)                                                                                 \
  X(links, kSum)             /* names added: link, symlink */                                     \
  X(attributes, kSum)        /* set: mode, owner, times, extended ones */                         \
  X(listings, kSum)          /* folders opened for listing */                                     \
  X(entries, kSum)           /* of folders, read */                                               \
  X(maps, kSum)              /* mmap of a file; what is moved through it cannot be seen */        \
  X(bytes_mapped, kSum)      /* by these */                                                       \
  X(errors, kSum)            /* data calls that returned an error */                              \
  X(reads_consecutive, kSum) /* starts where the last access of this open file ended */           \
  X(writes_consecutive, kSum)                                                                     \
  X(reads_sequential, kSum) /* starts there or beyond */                                          \
  X(writes_sequential, kSum)                                                                      \
  X(reads_strided, kSum) /* same distance to the last start as before, not consecutive */         \
  X(writes_strided, kSum)                                                                         \
  X(switches, kSum)         /* read after write or write after read */                            \
  X(unaligned_block, kSum)  /* start not on a multiple of 4 KiB */                                \
  X(unaligned_stripe, kSum) /* start not on a multiple of the stripe size, where that is known */ \
  X(independent, kSum)      /* MPI-IO data calls by kind */                                       \
  X(collective, kSum)                                                                             \
  X(nonblocking, kSum)                                                                            \
  X(split, kSum)                                                                                  \
  X(shared_pointer, kSum)                                                                         \
  X(views, kSum)     /* MPI_File_set_view */                                                      \
  X(mpi_reads, kSum) /* POSIX calls that MPI-IO made */                                           \
  X(mpi_writes, kSum)                                                                             \
  X(mpi_bytes_read, kSum)                                                                         \
  X(mpi_bytes_written, kSum)                                                                      \
  X(largest_read, kMax)                                                                           \
  X(largest_write, kMax)                                                                          \
  X(slowest_read_ticks, kMax)                                                                     \
  X(slowest_write_ticks, kMax)                                                                    \
  X(stride, kMax)       /* from start to start, of the last access that was strided */            \
  X(end_offset, kMax)   /* one past the highest byte touched */                                   \
  X(first_open, kFirst) /* times: ticks since the clock's zero of this process */                 \
  X(first_data, kFirst)                                                                           \
  X(last_data, kMax)                                                                              \
  X(last_close, kMax)

enum class Counter : std::uint8_t {
#define TOTO_X(counter, kind) counter,
  TOTO_COUNTERS(TOTO_X)
#undef TOTO_X
      kCount
};
inline constexpr std::size_t kCounters = static_cast<std::size_t>(Counter::kCount);

enum class Merge : std::uint8_t { kSum, kMax, kFirst };
inline constexpr std::array<Merge, kCounters> kMerge = {
#define TOTO_X(counter, kind) Merge::kind,
    TOTO_COUNTERS(TOTO_X)
#undef TOTO_X
};
inline constexpr std::array<TableText<23>, kCounters> kCounterNames = {
#define TOTO_X(counter, kind) #counter,
    TOTO_COUNTERS(TOTO_X)
#undef TOTO_X
};

// Sizes of accesses: bin b holds sizes up to 2^(kFirstBin + b) bytes and above half of that; the first bin
// everything smaller too, the last everything larger. 64 B ... 64 MiB and more.
inline constexpr std::size_t kFirstBin = 6;
inline constexpr std::size_t kBins = 21;
[[nodiscard]] constexpr std::size_t positive_size_bin(std::uint64_t bytes) {
  // The bits below the first bin set: no size has fewer, and none of the steps branches.
  constexpr std::uint64_t kSmall = (std::uint64_t{1} << kFirstBin) - 1;
  const std::uint64_t last = (bytes - 1) | kSmall;
  const auto bin =
      static_cast<std::size_t>(63U - static_cast<unsigned>(__builtin_clzll(last))) - (kFirstBin - 1);
  return bin < kBins ? bin : kBins - 1;
}
[[nodiscard]] constexpr std::size_t size_bin(std::uint64_t bytes) {
  return bytes != 0 ? positive_size_bin(bytes) : 0;
}

// Plain numbers: what shards, processes and ranks are added up into. 8 * (kCounters + 2 * kBins) bytes, no
// padding, so that it can travel as an array of 64-bit integers.
struct Totals {
  std::array<std::uint64_t, kCounters> value{};
  std::array<std::uint64_t, kBins> read_sizes{};
  std::array<std::uint64_t, kBins> write_sizes{};

  [[nodiscard]] std::uint64_t operator[](Counter counter) const {
    return value[static_cast<std::size_t>(counter)];
  }
  std::uint64_t& operator[](Counter counter) { return value[static_cast<std::size_t>(counter)]; }

  void merge(const Totals& other);
  // What came since `before`, of sums and of sizes; the others stay.
  void subtract(const Totals& before);
  [[nodiscard]] bool empty() const;
};

// The same numbers with one writer and many readers.
struct Counters {
  using Cell = std::atomic<std::uint64_t>;
  std::array<Cell, kCounters> value;
  std::array<Cell, kBins> read_sizes;
  std::array<Cell, kBins> write_sizes;

  [[nodiscard]] Cell& operator[](Counter counter) { return value[static_cast<std::size_t>(counter)]; }

  void read_into(Totals& totals) const;  // merges
  void clear();
};

// How a counter is changed. Owned: by the one thread that owns the shard, without a locked instruction; on
// x86-64 in one instruction, so that a signal handler of the same thread loses nothing either.
struct Owned {
  static void add(Counters::Cell& cell, std::uint64_t by) {
#if defined(__x86_64__)
    asm("addq %1, %0" : "+m"(cell) : "er"(by) : "cc");
#else
    cell.store(cell.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
#endif
  }
  static void raise(Counters::Cell& cell, std::uint64_t to) {
    if (cell.load(std::memory_order_relaxed) < to) cell.store(to, std::memory_order_relaxed);
  }
  static void set(Counters::Cell& cell, std::uint64_t to) { cell.store(to, std::memory_order_relaxed); }
};

// Shared: the last resort when there is no room for a shard of one's own; slower, as exact.
struct Shared {
  static void add(Counters::Cell& cell, std::uint64_t by) { cell.fetch_add(by, std::memory_order_relaxed); }
  static void raise(Counters::Cell& cell, std::uint64_t to) {
    std::uint64_t seen = cell.load(std::memory_order_relaxed);
    while (seen < to && !cell.compare_exchange_weak(seen, to, std::memory_order_relaxed)) {
    }
  }
  static void set(Counters::Cell& cell, std::uint64_t to) { raise(cell, to); }
};

// Either: for the paths that are not the data path.
template <class How>
inline void first(Counters::Cell& cell, std::uint64_t at) {
  if (cell.load(std::memory_order_relaxed) == 0) How::set(cell, at);
}

}  // namespace toto
