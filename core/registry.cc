// SPDX-License-Identifier: BSD-3-Clause
#include "core/registry.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

#include "core/config.h"
#include "core/keep.h"

namespace toto::registry {

namespace detail {
constinit thread_local ThreadCache cache{};
constinit std::uintptr_t salt = 0;
}  // namespace detail

namespace {

// What a kind of block must leave free for the kinds after it: families are the last to get no room.
enum class Room : std::uint8_t { kFile, kShard, kFamily };
constexpr std::uint32_t kBuckets = 1024;

struct Head {
  std::atomic<std::uint32_t> used;
  std::uint32_t size;
  std::atomic<std::uint64_t> processes;
  std::array<std::atomic<std::uint32_t>, kBuckets> buckets;
  File other;                              // the file of all that found no room
  std::array<Shard, kLayers> last_resort;  // shared shards of `other`
};

constinit std::atomic<Head*> region{nullptr};

char* base() { return reinterpret_cast<char*>(region.load(std::memory_order_acquire)); }
template <class T>
T* at(std::uint32_t offset) {
  return reinterpret_cast<T*>(base() + offset);
}

std::uint32_t allocate(std::size_t bytes, Room room) {
  Head* head = region.load(std::memory_order_acquire);
  const std::uint32_t reserve = room == Room::kFile    ? head->size / 4
                                : room == Room::kShard ? head->size / 8
                                                       : 0;
  const auto need = static_cast<std::uint32_t>((bytes + 63) / 64 * 64);
  std::uint32_t used = head->used.load(std::memory_order_relaxed);
  do {
    if (used + need + reserve > head->size) return 0;
  } while (!head->used.compare_exchange_weak(used, used + need, std::memory_order_relaxed));
  return used;
}

std::atomic<std::uint32_t>& bucket(std::uint64_t hash) {
  return region.load(std::memory_order_acquire)->buckets[hash % kBuckets];
}

File* search(std::uint32_t from, std::uint32_t until, std::uint64_t hash, std::string_view path) {
  for (std::uint32_t it = from; it != until; it = at<File>(it)->next) {
    File* file = at<File>(it);
    if (file->path_hash == hash && file->path() == path) return file;
  }
  return nullptr;
}

// Finds or adds; nullptr when there is no room.
File* find_or_add(std::string_view path, Room room, bool folded) {
  const std::uint64_t hash = path::hash(path);
  std::atomic<std::uint32_t>& chain = bucket(hash);
  std::uint32_t first = chain.load(std::memory_order_acquire);
  if (File* file = search(first, 0, hash, path)) return file;
  const std::uint32_t block = allocate(sizeof(File) + path.size(), room);
  if (block == 0) return nullptr;
  File* file = new (at<void>(block)) File;
  file->path_hash = hash;
  file->path_at = block + static_cast<std::uint32_t>(sizeof(File));
  file->path_length = static_cast<std::uint16_t>(path.size());
  file->folded = folded;
  file->scratch = path::is_mpi_scratch(path);
  std::copy_n(path.data(), path.size(), at<char>(file->path_at));
  for (;;) {
    file->next = first;
    const std::uint32_t seen = first;
    if (chain.compare_exchange_weak(first, block, std::memory_order_release)) return file;
    // Another thread was first; perhaps with this very path. (A lost block is only lost room.)
    if (File* theirs = search(first, seen, hash, path)) return theirs;
  }
}

Shard* own_shard(File& file, Layer layer) {
  const std::uintptr_t me = thread_key();
  for (std::uint32_t it = file.shards.load(std::memory_order_acquire); it != 0;) {
    Shard* mine = at<Shard>(it);
    if (mine->owner == me && mine->layer == layer) return mine;
    it = mine->next;
  }
  const std::uint32_t block = allocate(sizeof(Shard), file.folded ? Room::kFamily : Room::kShard);
  if (block == 0) return nullptr;
  Shard* fresh = new (at<void>(block)) Shard;
  fresh->owner = me;
  fresh->layer = layer;
  std::uint32_t first = file.shards.load(std::memory_order_relaxed);
  do {
    fresh->next = first;
  } while (!file.shards.compare_exchange_weak(first, block, std::memory_order_release));
  return fresh;
}

}  // namespace

std::string_view File::path() const { return {at<char>(path_at), path_length}; }

bool start() {
  if (started()) return true;
  const auto size = static_cast<std::size_t>(config::settings().memory_kib) * 1024;
  void* memory = keep_shared_memory(size);
  if (memory == nullptr) return false;
  Head* head = new (memory) Head;
  head->processes = 1;
  head->size = static_cast<std::uint32_t>(std::min<std::size_t>(size, 0xffff'ff00U));
  constexpr std::string_view kOther = "(other files)";
  constexpr std::size_t kHeadBytes = (sizeof(Head) + kOther.size() + 63) / 64 * 64;
  head->used = static_cast<std::uint32_t>(kHeadBytes);
  std::copy_n(kOther.data(), kOther.size(), static_cast<char*>(memory) + sizeof(Head));
  head->other.path_at = sizeof(Head);
  head->other.path_length = kOther.size();
  head->other.folded = true;
  const auto offset = [memory](const void* p) {
    return static_cast<std::uint32_t>(static_cast<const char*>(p) - static_cast<char*>(memory));
  };
  for (std::size_t i = 0; i < kLayers; ++i) {
    head->last_resort[i].layer = static_cast<Layer>(i);
    head->last_resort[i].next = i + 1 < kLayers ? offset(&head->last_resort[i + 1]) : 0;
  }
  head->other.shards = offset(&head->last_resort[0]);
  Head* none = nullptr;
  region.compare_exchange_strong(none, head);  // a second starter's map is left to itself
  return true;
}

bool started() { return region.load(std::memory_order_acquire) != nullptr; }

File* find_or_add(std::string_view path) {
  if (File* file = find_or_add(path, Room::kFile, false)) return file;
  const path::Family family = path::family(path);
  if (File* file = find_or_add(family, Room::kFamily, true)) return file;
  return &region.load(std::memory_order_acquire)->other;
}

const Outcome* outcome(const File& file) {
  const std::uint32_t block = file.outcome.load(std::memory_order_acquire);
  return block != 0 ? at<Outcome>(block) : nullptr;
}

bool keep_outcome(File& file, const Outcome& outcome) {
  static_assert(std::is_trivially_copyable_v<Outcome>);
  // The hints come last: those that are not used are not kept.
  const std::size_t bytes = offsetof(Outcome, hints) + outcome.hint_count * sizeof(Hint);
  const std::uint32_t before = file.outcome.load(std::memory_order_acquire);
  if (before != 0 && at<Outcome>(before)->hint_count >= outcome.hint_count) {
    std::memcpy(at<void>(before), &outcome, bytes);
    return true;
  }
  const std::uint32_t block = file.folded ? 0 : allocate(bytes, Room::kFile);
  if (block == 0) return false;
  std::memcpy(at<void>(block), &outcome, bytes);
  file.outcome.store(block, std::memory_order_release);
  return true;
}

void totals_of(const File& file, std::array<Totals, kLayers>& out) {
  for (std::uint32_t it = file.shards.load(std::memory_order_acquire); it != 0; it = at<Shard>(it)->next) {
    const Shard* one = at<Shard>(it);
    one->counters.read_into(out[static_cast<std::size_t>(one->layer)]);
  }
}

void for_each(Visitor visit, void* context) {
  Head* head = region.load(std::memory_order_acquire);
  if (head == nullptr) return;
  const auto visit_one = [&](File& file) {
    std::array<Totals, kLayers> totals{};
    totals_of(file, totals);
    bool any = false;
    for (const Totals& layer : totals) any = any || !layer.empty();
    if (any) visit(file, totals, context);
  };
  for (const auto& chain : head->buckets) {
    for (std::uint32_t it = chain.load(std::memory_order_acquire); it != 0; it = at<File>(it)->next) {
      visit_one(*at<File>(it));
    }
  }
  visit_one(head->other);
}

std::uint64_t processes() {
  const Head* head = region.load(std::memory_order_acquire);
  return head != nullptr ? head->processes.load(std::memory_order_relaxed) : 1;
}

void after_fork() {
  detail::cache = {};
  Head* head = region.load(std::memory_order_acquire);
  if (head == nullptr) return;
  detail::salt = static_cast<std::uintptr_t>(head->processes.fetch_add(1, std::memory_order_relaxed)) << 48;
}

namespace detail {

Shard& slow_shard(File& file, Layer layer, CacheEntry& entry) {
  const auto index = static_cast<std::size_t>(layer);
  Shard* mine = own_shard(file, layer);
  if (mine == nullptr) return region.load(std::memory_order_acquire)->last_resort[index];
  // A signal handler may come in between: the file is set last, and the shards of another file are gone
  // first.
  if (entry.file != &file) {
    entry.file = nullptr;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    entry.shard = {};
    entry.shard[index] = mine;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    entry.file = &file;
  } else {
    entry.shard[index] = mine;
  }
  return *mine;
}

}  // namespace detail
}  // namespace toto::registry
