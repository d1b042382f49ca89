// SPDX-License-Identifier: BSD-3-Clause
// Folders made beforehand, PREFIX/SUFFIX_<count>, each with a default layout of that many stripes, for file
// systems where a user cannot choose a layout for a file: a file made in one of them keeps its stripes when
// it is renamed. (The published TOTO's way on BeeGFS; settings TOTO_BEEGFS_STRIPING_PREFIX and ..._SUFFIX.)
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string_view>

#include "core/outcome.h"
#include "core/path.h"

namespace toto::layout::striping_folders {

// Pure. The count in a folder's name, "ior_8" with the suffix "ior": 8; 0: no such name.
[[nodiscard]] std::uint32_t count_in(std::string_view name, std::string_view suffix);

// Pure. Whether a folder of `found` stripes suits better than one of `best` (0: none yet) for `wanted`: the
// nearest from below, else the nearest from above. kAllTargets wants the widest.
[[nodiscard]] bool is_better(std::uint32_t found, std::uint32_t best, std::uint32_t wanted);

// The folder for files of `count` stripes. 0; EOPNOTSUPP: there are no such folders; or another errno.
int choose(std::string_view prefix, std::string_view suffix, std::uint32_t count, path::Path& folder);

// Makes the regular file `path` in `folder` and renames it to `path`, which is a name that nobody else uses:
// with the mode, owner and group of a file made there by open(2). 0 or an errno with nothing left behind;
// EXDEV: `folder` is on another file system. `obtained` is what `read` tells of it; empty where it tells
// nothing.
using Read = int (*)(const char* path, Layout& out);
int make(std::string_view folder, const char* path, mode_t mode, Read read, Layout& obtained);

}  // namespace toto::layout::striping_folders
