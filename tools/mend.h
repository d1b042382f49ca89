// SPDX-License-Identifier: BSD-3-Clause
// A crash may have written anything into an area, or it was cut in the middle of a change. Before somebody
// else reads it, what makes no sense is cut off: pointers that lead out of it, lists that never end or share
// a part, numbers that index a table. What makes sense stays as it is.
#pragma once

#include "core/area.h"

namespace toto::tools {

// Not while a process counts in it.
void mend(Area& area);

}  // namespace toto::tools
