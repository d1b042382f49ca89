// SPDX-License-Identifier: BSD-3-Clause
// A new file with a layout, under its name at once: made under a temporary name in the same folder, given
// its layout, read back, then linked to its name. So nobody ever sees the file without its layout, and of
// several creators exactly one wins.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "core/outcome.h"
#include "hints/layout/backend.h"

namespace toto::layout {

enum class Created { kYes, kExists, kRefused };

inline constexpr mode_t kNoLateMode = ~mode_t{0};

// Creates `path` (absolute) with `outcome.asked`. kYes: the file is there, empty, ours, and outcome says what
// was obtained. kExists: the name was taken (before or meanwhile; also by a dangling symbolic link).
// kRefused: nothing was made, outcome.error says why (0: nothing was asked), and a plain open(2) should go on
// as if we had not been here. errno is kept; nothing is left behind.
//
// The caller opens the file afterwards. A creating open(2) may write to a file of mode 0444, an open of an
// existing one may not: a caller that opens for the program passes `late_mode`. Such a file is then left
// with read and write permission for its owner, and *late_mode is the mode to give it by fchmod(2) once it is
// open; kNoLateMode: nothing to do. Without `late_mode` the file has its final mode at once.
Created create(const Backend& backend, const char* path, mode_t mode, Outcome& outcome,
               mode_t* late_mode = nullptr);

// Whether a file got what was asked; fields that were not asked (0, empty) are not looked at. "All targets"
// is held against `targets`, the number there are; where that is not known (0), or a pool narrows it, any
// count will do.
[[nodiscard]] bool satisfies(const Layout& asked, const Layout& obtained, std::uint32_t targets);

}  // namespace toto::layout
