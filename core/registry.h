// SPDX-License-Identifier: BSD-3-Clause
// The files of this process and their counters: slots and shards in its area (core/area.h), of bounded size
// (TOTO_MEMORY_KIB), which is there from the first file of interest on (or the first fork, where a report is
// wanted). Forked children share it: what they do is in the same report, however they end.
//
// A file has a slot; each thread that touches it has a shard a layer, so that every counter has one writer.
// When the area runs short, a file is folded into the slot of its family, in the end into one slot for all:
// nothing is dropped and totals stay exact.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "core/area.h"
#include "core/counters.h"
#include "core/file.h"
#include "core/outcome.h"
#include "core/path.h"

namespace toto::registry {

// Makes or takes over the area; idempotent. False when the kernel gives no memory: then nothing is recorded.
bool start();
// This process's area; nullptr before start().
[[nodiscard]] inline Area* area();

// The slot of an absolute path; made when it is new. Never null after start() succeeded.
File* find_or_add(std::string_view path);
// The slot of a path; nullptr: it has none of its own (yet).
[[nodiscard]] File* find(std::string_view path);
// Keeps a copy, while there is room (a folded file has none): in place of an earlier one, for the report.
// False: no room.
bool keep_outcome(File& file, const Outcome& outcome);

// A number that no two living threads share, of all processes that share the area.
[[nodiscard]] inline std::uintptr_t thread_key();

// This thread's shard of the file.
[[nodiscard]] inline Shard& shard(File& file, Layer layer);

// Before a fork whose child is to be in the same report; in every forked child: it gets shards of its own.
void before_fork();
void after_fork();

// ---- the fast path, inline ----

namespace detail {
extern constinit std::atomic<Area*> region;
struct CacheEntry {
  File* file = nullptr;
  std::array<Shard*, kLayers> shard{};
};
inline constexpr std::size_t kCacheEntries = 8;
struct ThreadCache {
  std::array<CacheEntry, kCacheEntries> entries;
  TimeLine::Own* line = nullptr;  // this thread's part of the time line
  std::uint64_t line_end = 0;     // ticks: until when it is in the right bin; 0: there is none
  bool asked_for_line = false;
};
extern constinit thread_local ThreadCache cache;
extern constinit std::uintptr_t salt;  // a multiple of 2^48, another one in each process of an area
void note_time_slowly(Layer layer, bool write, std::uint64_t ended, std::uint64_t bytes);
Shard& slow_shard(File& file, Layer layer, CacheEntry& entry);
inline CacheEntry& entry_of(File& file) {
  // Slots are 64 bytes or more apart.
  return cache.entries[(reinterpret_cast<std::uintptr_t>(&file) >> 6) % kCacheEntries];
}
}  // namespace detail

inline Area* area() { return detail::region.load(std::memory_order_acquire); }
// A data call for the time line.
[[gnu::always_inline]] inline void note_time(Layer layer, bool write, std::uint64_t ended,
                                             std::uint64_t bytes) {
  if (ended < detail::cache.line_end) [[likely]] {
    detail::cache.line->add(layer, write, bytes);
  } else {
    detail::note_time_slowly(layer, write, ended, bytes);
  }
}

inline std::uintptr_t thread_key() { return reinterpret_cast<std::uintptr_t>(&detail::cache) + detail::salt; }

// This thread's own shard, where it was used before; else nullptr. (A shared one is never cached.)
inline Shard* cached_shard(File& file, Layer layer) {
  const detail::CacheEntry& entry = detail::entry_of(file);
  return entry.file == &file ? entry.shard[static_cast<std::size_t>(layer)] : nullptr;
}

inline Shard& shard(File& file, Layer layer) {
  if (Shard* mine = cached_shard(file, layer); mine != nullptr) [[likely]]
    return *mine;
  return detail::slow_shard(file, layer, detail::entry_of(file));
}

}  // namespace toto::registry
