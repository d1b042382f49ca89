// SPDX-License-Identifier: BSD-3-Clause
#include "core/registry.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <new>
#include <type_traits>

#include "core/config.h"
#include "core/segment.h"
#include "core/sys.h"

namespace toto::registry {

namespace detail {
constinit std::atomic<Area*> region{nullptr};
constinit thread_local ThreadCache cache{};
constinit std::uintptr_t salt = 0;
}  // namespace detail

namespace {

// What a kind of block must leave free for the kinds after it: families are the last to get no room.
enum class Room : std::uint8_t { kFile, kShard, kFamily };

// 0: no room.
template <class T>
T* allocate(Area& area, std::size_t bytes, Room room) {
  const std::uint32_t reserve = room == Room::kFile    ? area.size / 4
                                : room == Room::kShard ? area.size / 8
                                                       : 0;
  const auto need = static_cast<std::uint32_t>((bytes + 63) / 64 * 64);
  std::uint32_t used = area.used.load(std::memory_order_relaxed);
  do {
    if (used + need + reserve > area.size || !segment::back(area, used + need)) return nullptr;
  } while (!area.used.compare_exchange_weak(used, used + need, std::memory_order_relaxed));
  return new (reinterpret_cast<char*>(&area) + used) T;
}

File* search(File* from, const File* until, std::uint64_t hash, std::string_view path) {
  for (File* file = from; file != until; file = file->next.get()) {
    if (file->path_hash == hash && file->path() == path) return file;
  }
  return nullptr;
}

// Finds or adds; nullptr when there is no room.
File* find_or_add(Area& area, std::string_view path, Room room, bool folded) {
  const std::uint64_t hash = path::hash(path);
  Near<File>& chain = area.buckets[hash % Area::kBuckets];
  File* first = chain.get();
  if (File* file = search(first, nullptr, hash, path)) return file;
  auto* file = allocate<File>(area, sizeof(File) + path.size(), room);
  if (file == nullptr) return nullptr;
  char* text = reinterpret_cast<char*>(file) + sizeof(File);
  std::copy_n(path.data(), path.size(), text);
  file->path_hash = hash;
  file->text.set(text);
  file->path_length = static_cast<std::uint16_t>(path.size());
  file->folded = folded;
  file->scratch = path::is_mpi_scratch(path);
  for (;;) {
    file->next.set(first);
    const File* seen = first;
    if (chain.replace(first, file)) return file;
    // Another thread was first; perhaps with this very path. (A lost block is only lost room.)
    if (File* theirs = search(first, seen, hash, path)) return theirs;
  }
}

constinit std::atomic<bool> counts{false};  // this process has counted something
void note_that_we_count() {
  if (!counts.exchange(true)) area()->processes.fetch_add(1);
}

Shard* own_shard(File& file, Layer layer) {
  const std::uintptr_t me = thread_key();
  for (Shard* one = file.shards.get(); one != nullptr; one = one->next.get()) {
    if (one->owner == me && one->layer == layer) return one;
  }
  note_that_we_count();
  auto* fresh = allocate<Shard>(*area(), sizeof(Shard), file.folded ? Room::kFamily : Room::kShard);
  if (fresh == nullptr) return nullptr;
  fresh->owner = me;
  fresh->layer = layer;
  Shard* first = file.shards.get();
  do {
    fresh->next.set(first);
  } while (!file.shards.replace(first, fresh));
  return fresh;
}

// An area that was others' before, and a forked child's: our threads are none of theirs.
void take_salt(std::uint64_t process) { detail::salt = static_cast<std::uintptr_t>(process) << 48; }

}  // namespace

namespace {
constinit std::atomic<std::int32_t> starter{0};  // the thread that enters, or has entered, the segment
}

bool start() {
  if (area() != nullptr) return true;
  // Other threads wait for the first, which may have to share a processor with many of them; a signal handler
  // that has interrupted it does not.
  constexpr int kPatience = 2000;
  constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 1'000'000};
  const auto me = static_cast<std::int32_t>(::syscall(SYS_gettid));
  std::int32_t nobody = 0;
  if (!starter.compare_exchange_strong(nobody, me)) {
    const sys::KeepErrno keep;
    for (int i = 0; i < kPatience && area() == nullptr && starter.load() != me && starter.load() != 0; ++i)
      ::syscall(SYS_nanosleep, &kPause, nullptr);
    return area() != nullptr;
  }
  Area* mine = segment::enter(static_cast<std::size_t>(config::settings().memory_kib) * 1024);
  if (mine == nullptr) {
    starter = 0;
    return false;
  }
  take_salt(mine->entered.fetch_add(1));
  detail::region.store(mine, std::memory_order_release);
  return true;
}

File* find_or_add(std::string_view path) {
  if (File* file = find_or_add(*area(), path, Room::kFile, false)) return file;
  const path::Family family = path::family(path);
  if (File* file = find_or_add(*area(), family, Room::kFamily, true)) return file;
  return &area()->other;
}

File* find(std::string_view path) {
  Area* mine = area();
  if (mine == nullptr) return nullptr;
  const std::uint64_t hash = path::hash(path);
  return search(mine->buckets[hash % Area::kBuckets].get(), nullptr, hash, path);
}

bool keep_outcome(File& file, const Outcome& outcome) {
  static_assert(std::is_trivially_copyable_v<Outcome>);
  // The hints come last: those that are not used are not kept.
  const std::size_t bytes = offsetof(Outcome, hints) + outcome.hint_count * sizeof(Hint);
  Outcome* before = file.kept.get();
  if (before != nullptr && before->hint_count >= outcome.hint_count) {
    std::memcpy(static_cast<void*>(before), &outcome, bytes);
    return true;
  }
  struct Block {};  // only as large as asked
  auto* block = file.folded ? nullptr : allocate<Block>(*area(), bytes, Room::kFile);
  if (block == nullptr) return false;
  std::memcpy(static_cast<void*>(block), &outcome, bytes);
  file.kept.set(reinterpret_cast<Outcome*>(block));
  return true;
}

void before_fork() {
  if (start()) segment::before_fork();
}

void after_fork() {
  detail::cache = {};
  Area* shared = area();
  if (shared == nullptr) {
    starter = 0;  // another thread of the parent's was about to, and is not here
    return;
  }
  take_salt(shared->entered.fetch_add(1));
  counts = false;
  segment::after_fork();
}

namespace detail {

[[gnu::cold, gnu::noinline]] void note_time_slowly(Layer layer, bool write, std::uint64_t ended,
                                                   std::uint64_t bytes) {
  TimeLine& line = area()->time_line;
  if (!cache.asked_for_line) {
    cache.line = line.own(thread_key());
    cache.asked_for_line = true;
  }
  if (cache.line == nullptr) {
    line.add(layer, write, ended, bytes);
  } else {
    cache.line_end = line.move_on(*cache.line, ended);
    cache.line->add(layer, write, bytes);
  }
}

Shard& slow_shard(File& file, Layer layer, CacheEntry& entry) {
  const auto index = static_cast<std::size_t>(layer);
  Shard* mine = own_shard(file, layer);
  if (mine == nullptr) return area()->last_resort[index];
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
