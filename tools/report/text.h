// SPDX-License-Identifier: BSD-3-Clause
// A report as text for a terminal.
#pragma once

#include <cstddef>
#include <string>

#include "tools/report/read.h"

namespace toto::tools::report {

inline constexpr std::size_t kEveryFile = static_cast<std::size_t>(-1);

// `most_files`: files shown with what was decided for them; those with a decision come first, then those with
// the most bytes.
[[nodiscard]] std::string to_text(const Report& report, std::size_t most_files);

}  // namespace toto::tools::report
