// SPDX-License-Identifier: BSD-3-Clause
// What the processes of a job on a node know together: in the segment's table (core/segment.h), which there
// is where a report is wanted; else in memory of this process and of the children that it forks later. All
// zeroes at first.
#pragma once

#include "core/segment_file.h"
#include "hints/targets.h"
#include "hints/waves.h"

namespace toto::hints {

struct Shared {
  waves::Table waves;
  targets::Table targets;
};
static_assert(sizeof(Shared) <= segment::kTableBytes);

// nullptr: no memory, or nobody has wanted it yet (`make`: this one does).
[[nodiscard]] Shared* shared(bool make);

}  // namespace toto::hints
