// SPDX-License-Identifier: BSD-3-Clause
// Default access lists of folders (acl(5)): a file made in such a folder by open(2) has that list, and no
// umask is applied. Ways to make a file that are known to do otherwise must leave such folders alone.
#pragma once

#include "core/sys.h"

namespace toto::layout {

[[nodiscard]] inline bool has_default_access_list(const char* folder) {
  return sys::getxattr(folder, "system.posix_acl_default", nullptr, 0) > 0;
}

}  // namespace toto::layout
