// SPDX-License-Identifier: BSD-3-Clause
// Which files are of interest: those below TOTO_PFS_PATHS, or, when that is not set, those on a known
// parallel file system. Only the file system of the path at hand is ever asked, and each device once;
// the mount table is read only when a FUSE or unknown network file system is met.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string_view>

#include "core/file_systems.h"
#include "core/mounts.h"

namespace toto::places {

struct Place {
  bool watched = false;
  const KnownFileSystem* file_system = nullptr;  // nullptr: not a known one
  std::uint64_t device = 0;                      // mounts::device_key
  std::uint64_t inode = 0;
  bool append_only = false;  // a folder from which no name can be taken away
};

// The kind of a file with the absolute name `path`, by its device and statfs(2)'s f_type; FUSE is told by the
// mount table only, as every FUSE client has the same number. nullptr: none that is known.
[[nodiscard]] const KnownFileSystem* recognise(std::uint64_t device, std::uint32_t magic,
                                               std::string_view path, const char* table = mounts::kOwnTable);

// Takes the list "/path[=type][:...]"; bad parts give one warning each. Empty: the default.
void set_paths(std::string_view list);

// Whether TOTO_PFS_PATHS names any path: then names are needed, else devices are enough.
[[nodiscard]] bool has_list();

// Whether the name alone tells that its file is of interest: it is its own absolute form (path::is_plain),
// below a path of the list below which some file was seen before.
[[nodiscard]] bool is_listed(std::string_view path);

// Whether the name alone tells that its file is of no interest, so that nobody need be asked: it is below no
// path of the list, and leads by no link to the file system of one, as no file was seen there yet. Only for a
// name that is its own absolute form (path::is_plain); of others, false.
[[nodiscard]] bool is_elsewhere(std::string_view path);

// Where an open descriptor's file (or folder: `type`) lies, in two steps. The first needs no name, and for
// most is the last: false, it is of no interest. In the second, `path` is its absolute name.
[[nodiscard]] bool may_be_watched(int fd, struct statx& info, mode_t type = S_IFREG);
[[nodiscard]] Place of_descriptor(int fd, const struct statx& info, std::string_view path);

// Where a new or named file lies, by its folder; `path` is absolute. Nothing watched when the folder is not
// there.
[[nodiscard]] Place of_folder(std::string_view path);

// By a device number from a stat call that the program made anyway. Costs a look into a small table; a
// device not seen before is not watched.
[[nodiscard]] Place of_device(std::uint64_t device, std::string_view path);

// Parts of the list below which no file was seen: for a message at the end.
void for_each_unused(void (*visit)(std::string_view path));

}  // namespace toto::places
