// SPDX-License-Identifier: BSD-3-Clause
//
// Control and observation by the extended attributes "stripefs.*" of the root directory, and
// "stripefs.layout" of every file. The file system's mutex is held by the caller.
#pragma once

#include <string>
#include <string_view>

#include "filesystem.h"

namespace toto::stripefs {

inline constexpr std::string_view kControlPrefix = "stripefs.";

// 0, ENODATA (no such attribute) or EINVAL. `name` is without the prefix.
int GetControl(FileSystem& fs, const Inode& inode, std::string_view name, std::string* value);
int SetControl(FileSystem& fs, const Inode& inode, std::string_view name, std::string_view value);

// "40" or "40,40,10,40": MiB/s for all targets, or for each. False: not understood, nothing changed.
bool SetRates(Model& model, std::string_view text);

}  // namespace toto::stripefs
