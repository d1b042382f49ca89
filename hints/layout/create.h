// SPDX-License-Identifier: BSD-3-Clause
// A new file with a layout, under its name at once: made under a temporary name in the same folder, given
// its layout, read back, then linked to its name. So nobody ever sees the file without its layout, and of
// several creators exactly one wins.
#pragma once

#include <sys/types.h>

#include "core/outcome.h"
#include "hints/layout/backend.h"

namespace toto::layout {

enum class Created { kYes, kExists, kRefused };

// Creates `path` (absolute) with `outcome.asked`. kYes: the file is there, empty, ours, and outcome says what
// was obtained. kExists: the name was taken (before or meanwhile). kRefused: nothing was made, outcome.error
// says why, and a plain open(2) should go on as if we had not been here. errno is kept; nothing is left behind.
Created create(const Backend& backend, const char* path, mode_t mode, Outcome& outcome);

}  // namespace toto::layout
