// SPDX-License-Identifier: BSD-3-Clause
// The job's name: TOTO_JOB_ID, else from the scheduler's variables, else from the launcher's, else of the
// process that stands for it.
#pragma once

#include <string_view>

#include "core/fixed_string.h"

namespace toto {
[[nodiscard]] FixedString<96> job_id();
// By one of these variables; else it is process_job() of this process, or of MPICH's launcher on this node.
[[nodiscard]] bool job_has_name();
[[nodiscard]] FixedString<96> process_job(int pid);
// This process's rank among those of its node, as the launchers' variables tell it; -1: not told.
[[nodiscard]] int local_rank();
// TOTO_RANKS_PER_NODE cuts a machine into pretended nodes of so many ranks: which one this process is on; -1:
// none.
[[nodiscard]] int pretended_node();
[[nodiscard]] FixedString<64> host_name();
}  // namespace toto
