// SPDX-License-Identifier: BSD-3-Clause
// Files in memory: mmap of a watched file counts the bytes that were mapped, and msync of it as a sync. What
// is read or written through the mapping makes no call: it cannot be seen here.
#pragma once

#include <sys/mman.h>

#include "posix/handlers.h"

namespace toto::posix {

// A mapping of a watched file, remembered for msync: as many as there is room for.
void note_mapping(void* at, std::size_t bytes, Description& open, std::uint64_t started, std::uint64_t ended);
// Whether any is remembered: else nobody need look.
[[nodiscard]] bool has_mappings();
// Forgets what overlaps these bytes.
void forget_mappings(const void* at, std::size_t bytes);
// The file that is mapped there; nullptr: none of interest.
[[nodiscard]] File* mapped_file(const void* at);

struct Map {
  template <class Next, class Offset>
  static void* call(Next next, void* at, std::size_t bytes, int protection, int flags, int fd,
                    Offset offset) {
    if ((flags & MAP_FIXED) != 0 && has_mappings()) forget_mappings(at, bytes);
    Description* open = (flags & MAP_ANONYMOUS) == 0 ? find(fd) : nullptr;
    if (open == nullptr) [[likely]]
      return next(at, bytes, protection, flags, fd, offset);
    const std::uint64_t started = clock::ticks();
    void* got = next(at, bytes, protection, flags, fd, offset);
    if (got != MAP_FAILED) note_mapping(got, bytes, *open, started, clock::ticks());
    return got;
  }
};

struct Unmap {
  template <class Next>
  static int call(Next next, void* at, std::size_t bytes) {
    // Before: as soon as the kernel has unmapped it, another thread may get the same place.
    if (has_mappings()) [[unlikely]]
      forget_mappings(at, bytes);
    return next(at, bytes);
  }
};

struct SyncMap {
  template <class Next>
  static int call(Next next, void* at, std::size_t bytes, int flags) {
    File* file = has_mappings() ? mapped_file(at) : nullptr;
    if (file == nullptr) [[likely]]
      return next(at, bytes, flags);
    const std::uint64_t started = clock::ticks();
    const int result = next(at, bytes, flags);
    record_meta(*file, Layer::kPosix, Counter::syncs, started, clock::ticks());
    return result;
  }
};

}  // namespace toto::posix
