// SPDX-License-Identifier: BSD-3-Clause
// Handlers of the calls that list folders. A folder that is being listed stands in the table of descriptors
// as a file does, so that reading an entry costs what a read of no interest costs.
#pragma once

#include <dirent.h>

#include "posix/handlers.h"

namespace toto::posix {

// A folder that was opened for listing; `path` as the program named it, seen from `dir`.
void note_folder(int fd, int dir, const char* path, std::uint64_t started);
// A listing made in one call.
void note_listing(int dir, const char* path, int entries, std::uint64_t started);

struct OpenFolder {
  template <class Next>
  static DIR* call(Next next, const char* path) {
    const std::uint64_t started = clock::ticks();
    DIR* folder = next(path);
    if (folder != nullptr && may_note_stat(path)) note_folder(::dirfd(folder), AT_FDCWD, path, started);
    return folder;
  }
};

struct OpenFolderOf {
  template <class Next>
  static DIR* call(Next next, int fd) {
    const std::uint64_t started = clock::ticks();
    DIR* folder = next(fd);
    if (folder != nullptr && process::is_active()) note_folder(fd, fd, ".", started);
    return folder;
  }
};

struct CloseFolder {
  template <class Next>
  static int call(Next next, DIR* folder) {
    if (folder != nullptr) {
      if (const int fd = ::dirfd(folder); find(fd) != nullptr) forget(fd);
    }
    return next(folder);
  }
};

// readdir gives the entry or null, readdir_r 0 or an error and the entry by its last argument.
struct ReadFolder {
  template <class Next, class... A>
  static auto call(Next next, DIR* folder, A... a) {
    const auto result = next(folder, a...);
    Description* open = folder != nullptr ? find(::dirfd(folder)) : nullptr;
    if (open == nullptr) [[likely]]
      return result;
    bool got = false;
    if constexpr (sizeof...(A) == 0) {
      got = result != nullptr;
    } else {
      got = result == 0 && *std::get<sizeof...(A) - 1>(std::tie(a...)) != nullptr;
    }
    if (got) Shared::add(registry::shard(*open->file, Layer::kPosix).counters[Counter::entries], 1);
    return result;
  }
};

struct ScanFolder {
  template <class Next, class... A>
  static int call(Next next, const char* path, A... a) {
    const std::uint64_t started = clock::ticks();
    const int entries = next(path, a...);
    if (entries >= 0 && may_note_stat(path)) note_listing(AT_FDCWD, path, entries, started);
    return entries;
  }
};
struct ScanFolderAt {
  template <class Next, class... A>
  static int call(Next next, int dir, const char* path, A... a) {
    const std::uint64_t started = clock::ticks();
    const int entries = next(dir, path, a...);
    if (entries >= 0 && may_note_stat(path)) note_listing(dir, path, entries, started);
    return entries;
  }
};

}  // namespace toto::posix
