// SPDX-License-Identifier: BSD-3-Clause
// From counters to pattern classes: how a family was used, over all ranks that were added up. Pure.
#pragma once

#include "core/report.h"
#include "core/summary.h"
#include "hints/past.h"

namespace toto::hints {

[[nodiscard]] Usage usage_of(const FamilySummary& family);
[[nodiscard]] report::Pattern classify(const FamilySummary& family);

}  // namespace toto::hints
