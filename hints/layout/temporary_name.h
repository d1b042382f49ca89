// SPDX-License-Identifier: BSD-3-Clause
// Names for files that are not to be seen under their own name yet.
#pragma once

#include <string_view>

#include "core/path.h"

namespace toto::layout {

// "/folder/.<base>.toto-<thread>-<time>" for "/folder/<base>", the base cut so that the name is at most
// NAME_MAX long. Another node's (or container's) thread may have the same number, but not the same nanosecond
// as well. False when it does not fit.
bool temporary_name(std::string_view path, path::Path& out);

}  // namespace toto::layout
