// SPDX-License-Identifier: BSD-3-Clause
// Opening, creating and naming files: the dear part of the wrappers. Where a new file is to get a layout, it
// is made beforehand (hints/layout/create.h) and then opened as the program asked, without O_EXCL and
// O_TRUNC.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <cstdint>

#include "core/clock.h"
#include "core/counters.h"
#include "core/log.h"
#include "core/path.h"
#include "core/places.h"
#include "core/process.h"
#include "core/registry.h"
#include "hints/layout/create.h"
#include "hints/own_files.h"
#include "posix/descriptors.h"

namespace toto::posix {

// What is known of a creating open before it is made.
struct Creation {
  bool created = false;                    // the file was not there
  bool made = false;                       // made by us, with a layout: open it without O_EXCL
  bool taken = false;                      // O_EXCL, and somebody was first while we made it: EEXIST
  File* file = nullptr;                    // the file's slot, when it is of interest
  mode_t late_mode = layout::kNoLateMode;  // to be given to it once it is open
  std::uint64_t inode = 0;                 // of a file that we made
  hints::own_files::Ticket own = 0;        // to be measured
};

// open(2)'s flags of fopen's mode.
[[nodiscard]] int stream_flags(const char* mode);

// The next definition of open, for calls that would cut off a file that is there.
int open_instead(const char* path, int flags, mode_t mode);

// Decides about a creating open and, where the call can be made with other flags (`may_make`), makes the file
// if it gets a layout.
Creation prepare_creation(int dir, const char* path, int flags, mode_t mode, bool may_make);

// An exclusive open that failed though we had made the file: it goes away again.
void undo(int dir, const char* path, std::uint64_t inode);

// Measures what the file reaches, where it is open and known.
void follow(const Creation& creation, int fd);

// Gives a file that we made the mode that the program asked for, where that would have kept it from being
// opened for writing.
void finish_mode(int fd, mode_t mode);

// An open that succeeded: recorded when the file is of interest.
void note_open(int fd, int dir, const char* path, int flags, std::uint64_t started, const Creation& creation,
               Layer layer = Layer::kPosix);
// `last`: of the descriptors of an open file.
void note_close(File& file, Layer layer, std::uint64_t started, std::uint64_t ended, bool last);

// Whether a stat of this name may be noted, if it succeeds.
inline bool may_note_stat(const char* path) {
  return process::is_active() && path != nullptr && *path != '\0' && !places::is_elsewhere(path);
}

// A stat that succeeded. In the default mode a look at the device tells whether the file is of interest.
void note_stat_of(int dir, const char* path, std::uint64_t device, std::uint64_t started);
template <class Stat>
inline void note_stat(int dir, const char* path, const Stat& info, std::uint64_t started) {
  if constexpr (requires { info.stx_dev_major; }) {
    note_stat_of(dir, path, (static_cast<std::uint64_t>(info.stx_dev_major) << 32) | info.stx_dev_minor,
                 started);
  } else {
    const auto device = static_cast<std::uint64_t>(info.st_dev);
    note_stat_of(dir, path, (static_cast<std::uint64_t>(gnu_dev_major(device)) << 32) | gnu_dev_minor(device),
                 started);
  }
}

// The file of a name, when it is of interest; nullptr else.
File* watched_by_name(int dir, const char* path);

// Around a call that opens: call(flags) makes it with these flags and returns the descriptor or -1.
// `may_make`: it can be made with others than `flags`.
template <class Call>
int open_file(int dir, const char* path, int flags, mode_t mode, Call call, Layer layer = Layer::kPosix,
              bool may_make = true) {
  if (!process::is_active() || path == nullptr) return call(flags);
  if (places::is_elsewhere(path)) {
    const int fd = call(flags);
    if (fd >= 0 && fd < 3) log::note_open_as(fd);
    if (fd >= 0) forget(fd);  // the number may have been closed by a call that we did not see
    return fd;
  }
  Creation creation;
  if ((flags & O_CREAT) != 0) creation = prepare_creation(dir, path, flags, mode, may_make);
  if (creation.taken) {
    errno = EEXIST;
    return -1;
  }
  const std::uint64_t started = clock::ticks();
  // What we made is there and empty: not exclusive, nothing to cut off (somebody may have written to it
  // already), and where the program wanted a new file, not through a link that somebody has put in its place.
  const int now =
      creation.made ? (flags & ~(O_EXCL | O_TRUNC)) | ((flags & O_EXCL) != 0 ? O_NOFOLLOW : 0) : flags;
  const int fd = call(now);
  if (fd >= 0 && fd < 3) log::note_open_as(fd);
  // Where it is not exclusive, another process may have opened it by now, to write to it.
  if (fd < 0 && creation.made && (flags & O_EXCL) != 0) undo(dir, path, creation.inode);
  if (fd >= 0 && creation.late_mode != layout::kNoLateMode) finish_mode(fd, creation.late_mode);
  if (fd >= 0) note_open(fd, dir, path, flags, started, creation, layer);
  if (creation.own != 0) follow(creation, fd);
  return fd;
}

// Around a call by name that moves no data.
template <class Call>
auto on_path(Counter counter, int dir, const char* path, Call call) {
  if (!process::is_active() || path == nullptr || places::is_elsewhere(path)) return call();
  File* file = watched_by_name(dir, path);
  if (file == nullptr) return call();
  const std::uint64_t started = clock::ticks();
  const auto result = call();
  if (result == 0) {
    Counters& counters = registry::shard(*file, Layer::kPosix).counters;
    Shared::add(counters[counter], 1);
    Shared::add(counters[Counter::meta_ticks], clock::ticks() - started);
  }
  return result;
}

}  // namespace toto::posix
