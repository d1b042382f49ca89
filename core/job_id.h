// SPDX-License-Identifier: BSD-3-Clause
// The job's name: from the scheduler's variables, else from the launcher's, else the process group.
#pragma once

#include <string_view>

#include "core/fixed_string.h"

namespace toto {
[[nodiscard]] FixedString<96> job_id();
[[nodiscard]] FixedString<64> host_name();
}  // namespace toto
