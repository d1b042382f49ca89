// SPDX-License-Identifier: BSD-3-Clause
// What the program could do better, from the numbers of the whole job: a table of rules, each with what it
// measured, what that cost, and the remedy. Pure, without the heap. Every file that is watched counts as one
// of a network file system, as TOTO_PFS_PATHS names those.
//
// What cannot be told from these numbers: one slow target (times are kept a file and a rank, and each is
// spread over several targets), and what is done by mmap.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/advice.h"
#include "core/summary.h"

namespace toto::hints {

// `job_ns`: how long the job ran. `out` is added to; the order in which `summary` was merged does not matter.
void advise(const Summary& summary, std::uint64_t job_ns, AdviceList& out);

// The rules' names, as docs/advice.md lists them.
[[nodiscard]] std::span<const std::string_view> advice_rules();

}  // namespace toto::hints
