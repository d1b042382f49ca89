// SPDX-License-Identifier: BSD-3-Clause
// What the wrappers of posix/calls.def do around the next definition: one handler a kind of call.
// call(next, arguments...) forwards exactly what it got and returns exactly what came back, errno included.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include <string_view>
#include <tuple>

#include "core/clock.h"
#include "core/sys.h"
#include "posix/opening.h"
#include "posix/record.h"

namespace toto::posix {

template <Access kind, int offset_at = 0>
struct Data {
  template <class Next, class... Rest>
  static ssize_t call(Next next, int fd, Rest... rest) {
    Description* open = find(fd);
    if (open == nullptr) [[likely]]
      return next(fd, rest...);
    if (clock::has_counter()) [[likely]]
      return watched<clock::By::kCounter, Next, Rest...>(fd, rest..., *open, next);
    return watched<clock::By::kSystem, Next, Rest...>(fd, rest..., *open, next);
  }

 private:
  // A function of its own, so that a call of no interest saves no register and jumps on to the next
  // definition; the program's arguments come first, so that they stay where they are.
  template <clock::By by, class Next, class... Rest>
  [[gnu::noinline]] static ssize_t watched(int fd, Rest... rest, Description& open, Next next) {
    const std::uint64_t started = clock::ticks_by<by>();
    const ssize_t result = next(fd, rest...);
    const std::uint64_t ended = clock::ticks_by<by>();
    std::uint64_t offset = kAtPosition;  // preadv2's offset -1 means the position, and is this very number
    if constexpr (offset_at != 0) offset = static_cast<std::uint64_t>(std::get<offset_at>(std::tie(rest...)));
    record_data<kind>(open, Layer::kPosix, offset, result, started, ended);
    return result;
  }
};

// Asynchronous: how long the transfer takes is not seen here.
template <Access kind>
struct Submit {
  template <class Next, class Block>
  static int call(Next next, Block* block) {
    Description* open = block != nullptr ? find(block->aio_fildes) : nullptr;
    if (open == nullptr) [[likely]]
      return next(block);
    // Asked before: the block is the system's as soon as it is submitted.
    const auto offset = static_cast<std::uint64_t>(block->aio_offset);
    const auto bytes = static_cast<ssize_t>(block->aio_nbytes);
    const std::uint64_t started = clock::ticks();
    const int result = next(block);
    record_data<kind>(*open, Layer::kPosix, offset, result == 0 ? bytes : -1, started, clock::ticks());
    return result;
  }
};

struct Seek {
  template <class Next, class Offset>
  static auto call(Next next, int fd, Offset offset, int whence) {
    const auto result = next(fd, offset, whence);
    if (Description* open = find(fd); open != nullptr && result >= 0) [[unlikely]] {
      open->position.store(static_cast<std::uint64_t>(result), std::memory_order_relaxed);
      // Random access seeks before every call: a count, no time stamps.
      Shard& shard = registry::shard(*open->file, Layer::kPosix);
      if (shard.owner != 0) {
        Owned::add(shard.counters[Counter::seeks], 1);
      } else {
        Shared::add(shard.counters[Counter::seeks], 1);
      }
    }
    return result;
  }
};

// Metadata by descriptor; the descriptor is argument number `fd_at`.
template <Counter counter, int fd_at = 0>
struct OnDescriptor {
  template <class Next, class... A>
  static auto call(Next next, A... a) {
    Description* open = find(static_cast<int>(std::get<fd_at>(std::tie(a...))));
    if (open == nullptr) [[likely]]
      return next(a...);
    File& file = *open->file;
    const std::uint64_t started = clock::ticks();
    const auto result = next(a...);
    record_meta(file, Layer::kPosix, counter, started, clock::ticks());
    return result;
  }
};

// Metadata by name. (For stat the result tells the device, so that nothing is asked before the call.)
template <Counter counter>
struct OnPath {
  template <class Next, class... A>
  static auto call(Next next, const char* path, A... a) {
    return on_path(counter, AT_FDCWD, path, [&] { return next(path, a...); });
  }
};
template <Counter counter>
struct OnPathAt {
  template <class Next, class... A>
  static auto call(Next next, int dir, const char* path, A... a) {
    return on_path(counter, dir, path, [&] { return next(dir, path, a...); });
  }
};

// The name comes last, behind what it shall point to.
template <Counter counter>
struct OnLastPath {
  template <class Next>
  static int call(Next next, const char* target, const char* path) {
    return on_path(counter, AT_FDCWD, path, [&] { return next(target, path); });
  }
};
template <Counter counter>
struct OnLastPathAt {
  template <class Next>
  static int call(Next next, const char* target, int dir, const char* path) {
    return on_path(counter, dir, path, [&] { return next(target, dir, path); });
  }
};

// A question about a name: noted when the answer is yes, since of others there is no file.
inline void note_asked(int dir, const char* path, std::uint64_t started) {
  const std::uint64_t ended = clock::ticks();
  if (File* file = watched_by_name(dir, path))
    record_meta(*file, Layer::kPosix, Counter::stats, started, ended);
}
struct AskPath {
  template <class Next>
  static int call(Next next, const char* path, int mode) {
    if (!may_note_stat(path)) return next(path, mode);
    const std::uint64_t started = clock::ticks();
    const int result = next(path, mode);
    if (result == 0) note_asked(AT_FDCWD, path, started);
    return result;
  }
};
struct AskPathAt {
  template <class Next>
  static int call(Next next, int dir, const char* path, int mode, int flags) {
    if (!may_note_stat(path)) return next(dir, path, mode, flags);
    const std::uint64_t started = clock::ticks();
    const int result = next(dir, path, mode, flags);
    if (result == 0) note_asked(dir, path, started);
    return result;
  }
};

// A temporary folder's name is known only afterwards.
struct MakeDirectory {
  template <class Next>
  static char* call(Next next, char* name) {
    const std::uint64_t started = clock::ticks();
    char* made = next(name);
    if (made != nullptr && process::is_active()) {
      const std::uint64_t ended = clock::ticks();
      if (File* file = watched_by_name(AT_FDCWD, made)) {
        record_meta(*file, Layer::kPosix, Counter::mkdirs, started, ended);
      }
    }
    return made;
  }
};

template <int path_at>
struct StatPath {
  template <class Next, class... A>
  static int call(Next next, A... a) {
    if (!may_note_stat(std::get<path_at>(std::tie(a...)))) return next(a...);
    const std::uint64_t started = clock::ticks();
    const int result = next(a...);
    if (result == 0) {
      note_stat(AT_FDCWD, std::get<path_at>(std::tie(a...)), *std::get<path_at + 1>(std::tie(a...)), started);
    }
    return result;
  }
};
template <int dir_at>
struct StatPathAt {
  template <class Next, class... A>
  static int call(Next next, A... a) {
    if (!may_note_stat(std::get<dir_at + 1>(std::tie(a...)))) return next(a...);
    const std::uint64_t started = clock::ticks();
    const int result = next(a...);
    if (result == 0) {
      // statx has flags and mask before its buffer, fstatat has the buffer first.
      if constexpr (std::is_same_v<std::tuple_element_t<sizeof...(A) - 1, std::tuple<A...>>, struct statx*>) {
        note_stat(std::get<dir_at>(std::tie(a...)), std::get<dir_at + 1>(std::tie(a...)),
                  *std::get<sizeof...(A) - 1>(std::tie(a...)), started);
      } else {
        note_stat(std::get<dir_at>(std::tie(a...)), std::get<dir_at + 1>(std::tie(a...)),
                  *std::get<dir_at + 2>(std::tie(a...)), started);
      }
    }
    return result;
  }
};

struct Creat {
  template <class Next>
  static int call(Next next, const char* path, mode_t mode) {
    constexpr int kFlags = O_CREAT | O_WRONLY | O_TRUNC;
    return open_file(AT_FDCWD, path, kFlags, mode, [&](int now) {
      return now == kFlags ? next(path, mode) : open_instead(path, now, mode);
    });
  }
};
struct Open2 {
  template <class Next>
  static int call(Next next, const char* path, int flags) {
    return open_file(AT_FDCWD, path, flags, 0, [&](int now) { return next(path, now); });
  }
};
struct OpenAt2 {
  template <class Next>
  static int call(Next next, int dir, const char* path, int flags) {
    return open_file(dir, path, flags, 0, [&](int now) { return next(dir, path, now); });
  }
};

// A temporary file's name is known only afterwards: recorded, never given a layout.
struct MakeTemporary {
  template <class Next, class... A>
  static int call(Next next, char* name, A... a) {
    if (!process::is_active()) return next(name, a...);
    const std::uint64_t started = clock::ticks();
    const int fd = next(name, a...);
    if (fd >= 0) note_open(fd, AT_FDCWD, name, O_RDWR | O_CREAT | O_EXCL, started, Creation{.created = true});
    return fd;
  }
};

struct Close {
  template <class Next>
  static int call(Next next, int fd) {
    if (find(fd) == nullptr) [[likely]]
      return next(fd);
    // Forgotten first: as soon as the kernel has closed it, another thread may get the same number.
    bool last = false;
    File* file = forget(fd, &last);
    const std::uint64_t started = clock::ticks();
    const int result = next(fd);
    if (file != nullptr) note_close(*file, Layer::kPosix, started, clock::ticks(), last);
    return result;
  }
};

struct Dup {
  template <class Next>
  static int call(Next next, int fd) {
    const int result = next(fd);
    if (result >= 0) duplicate(fd, result);
    return result;
  }
};
struct DupTo {
  template <class Next, class... A>
  static int call(Next next, int from, int to, A... a) {
    const int result = next(from, to, a...);
    if (result >= 0) duplicate(from, to);
    return result;
  }
};
struct CloseRange {
  template <class Next>
  static int call(Next next, unsigned first, unsigned last, int flags) {
    // With CLOSE_RANGE_CLOEXEC (4) nothing is closed now.
    if ((flags & 4) == 0) forget_range(first, last);
    return next(first, last, flags);
  }
};
struct CloseFrom {
  template <class Next>
  static void call(Next next, int first) {
    forget_range(first > 0 ? static_cast<unsigned>(first) : 0U, ~0U);
    next(first);
  }
};

}  // namespace toto::posix
