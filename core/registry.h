// SPDX-License-Identifier: BSD-3-Clause
// The files of this process and their counters.
//
// All of it lives in one region of bounded size (TOTO_MEMORY_KIB), mapped at the first file of interest (or
// before the first fork, where a report is wanted) and addressed by offsets. Forked children share it: what
// they do is in the same report, however they end. A file has a slot; each thread that touches it has a shard
// a layer, so that every counter has one writer. When the region runs short, a file is folded into the slot
// of its family, in the end into one slot for all: nothing is dropped and totals stay exact.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "core/counters.h"
#include "core/outcome.h"
#include "core/path.h"

namespace toto::registry {

struct Shard {
  std::uintptr_t owner = 0;  // thread_key() of the owner; 0: shared by all threads
  std::uint32_t next = 0;    // of the same file
  Layer layer = Layer::kPosix;
  Counters counters;
};

struct File {
  std::uint64_t path_hash = 0;
  std::uint32_t path_at = 0;
  std::uint16_t path_length = 0;
  bool folded = false;     // stands for a family (or for all): several files
  bool scratch = false;    // made by the MPI library for itself
  std::uint32_t next = 0;  // in its bucket
  std::atomic<std::uint32_t> shards{0};
  std::atomic<std::uint32_t> outcome{0};
  std::atomic<std::uint32_t> stripe_size{0};
  std::atomic<std::uint32_t> ranks{0};        // of the communicator that opened it; 0: not by MPI-IO
  std::atomic<std::uint32_t> file_system{0};  // index into kKnownFileSystems + 1; 0: unknown

  [[nodiscard]] std::string_view path() const;
};

// Maps the region; idempotent. False when the kernel gives no memory: then nothing is recorded.
bool start();
[[nodiscard]] bool started();

// The slot of an absolute path; made when it is new. Never null after start() succeeded.
File* find_or_add(std::string_view path);
// The outcome that is kept with the file, or nullptr. Only as many hints as it has are there.
const Outcome* outcome(const File& file);
// Keeps a copy, while there is room (a folded file has none): in place of an earlier one, for the report.
// False: no room.
bool keep_outcome(File& file, const Outcome& outcome);

// A number that no two living threads share, of all processes that share the region.
[[nodiscard]] inline std::uintptr_t thread_key();

// Processes that count here: this one and its forked children.
[[nodiscard]] std::uint64_t processes();

// This thread's shard of the file.
[[nodiscard]] inline Shard& shard(File& file, Layer layer);

// The file's counters, added up over its threads.
void totals_of(const File& file, std::array<Totals, kLayers>& out);

// All files, in no order. `visit(File&, const std::array<Totals, kLayers>&)`.
using Visitor = void (*)(File& file, const std::array<Totals, kLayers>& totals, void* context);
void for_each(Visitor visit, void* context);

// In a forked child: it gets shards of its own.
void after_fork();

// ---- the fast path, inline ----

namespace detail {
struct CacheEntry {
  File* file = nullptr;
  std::array<Shard*, kLayers> shard{};
};
inline constexpr std::size_t kCacheEntries = 8;
struct ThreadCache {
  std::array<CacheEntry, kCacheEntries> entries;
};
extern constinit thread_local ThreadCache cache;
extern constinit std::uintptr_t salt;  // a multiple of 2^48, another one in each process
Shard& slow_shard(File& file, Layer layer, CacheEntry& entry);
inline CacheEntry& entry_of(File& file) {
  // Slots are 64 bytes or more apart.
  return cache.entries[(reinterpret_cast<std::uintptr_t>(&file) >> 6) % kCacheEntries];
}
}  // namespace detail

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
