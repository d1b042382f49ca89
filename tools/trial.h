// SPDX-License-Identifier: BSD-3-Clause
// Whether this user may choose layouts in a folder: a file is made there with one, read back, and taken away.
#pragma once

#include <string>

#include "tools/place.h"

namespace toto::tools {

// "yes, by uid 1000; read back", "no, by uid 1000: Permission denied".
[[nodiscard]] std::string try_layout(const Spot& spot);

}  // namespace toto::tools
