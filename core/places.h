// SPDX-License-Identifier: BSD-3-Clause
// Which files are of interest: those below TOTO_PFS_PATHS, or, when that is not set, those on a known
// parallel file system. Only the file system of the path at hand is ever asked, and each device once;
// the mount table is read only when a FUSE or unknown network file system is met.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/file_systems.h"

namespace toto::places {

struct Place {
  bool watched = false;
  const KnownFileSystem* file_system = nullptr;  // nullptr: not a known one
  std::uint64_t device = 0;                      // mounts::device_key
  std::uint64_t inode = 0;
};

// Takes the list "/path[=type][:...]"; bad parts give one warning each. Empty: the default.
void set_paths(std::string_view list);

// Whether TOTO_PFS_PATHS names any path: then names are needed, else devices are enough.
[[nodiscard]] bool has_list();

// Where an open descriptor's file lies; `path` is its absolute name (may be empty when unknown).
[[nodiscard]] Place of_descriptor(int fd, std::string_view path);

// Where a new or named file lies, by its folder; `path` is absolute. Nothing watched when the folder is not
// there.
[[nodiscard]] Place of_folder(std::string_view path);

// By a device number from a stat call that the program made anyway. Costs a look into a small table; a
// device not seen before is not watched.
[[nodiscard]] Place of_device(std::uint64_t device, std::string_view path);

// Parts of the list below which no file was seen: for a message at the end.
void for_each_unused(void (*visit)(std::string_view path));

}  // namespace toto::places
