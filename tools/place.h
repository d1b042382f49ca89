// SPDX-License-Identifier: BSD-3-Clause
// Where a path lies, as the library itself would see it: the mount, the file system, whether it is watched,
// and who sets layouts there. Honours TOTO_PFS_PATHS (environment or TOTO_CONFIG's file) with its types.
#pragma once

#include <optional>
#include <string>

#include "core/file_systems.h"
#include "core/mounts.h"
#include "hints/layout/backend.h"

namespace toto::tools {

struct Spot {
  std::string path;    // absolute, as asked
  std::string looked;  // the path itself, or its nearest parent that exists
  std::string folder;  // where a new file would be made
  bool exists = false;
  bool is_file = false;
  bool watched = false;
  std::optional<mounts::Mount> mount;
  const KnownFileSystem* file_system = nullptr;
  std::string recognised;                    // "by the mount table", "by TOTO_PFS_PATHS", ...
  const layout::Backend* backend = nullptr;  // nullptr: no layout control here

  [[nodiscard]] std::string file_system_name() const;  // "lustre"; the mount's type where it is no known one
};

// The name of a file there: the path itself where it is one, else an example in that folder.
[[nodiscard]] std::string new_file_in(const Spot& spot);

// Throws Failure when the path, or a parent on the way to it, cannot be looked at.
[[nodiscard]] Spot find_spot(const std::string& path);

}  // namespace toto::tools
