// SPDX-License-Identifier: BSD-3-Clause
// From counters to pattern classes: how a family was used, over all ranks that were added up. Pure.
#pragma once

#include "core/report.h"
#include "core/summary.h"
#include "hints/past.h"

namespace toto::hints {

// A line written at a time: no text has much longer ones, and no file system likes such requests.
inline constexpr std::uint64_t kTinyWrite = 1024;

[[nodiscard]] Sharing sharing_of(const FamilySummary& family);
[[nodiscard]] Spatiality spatiality_of(const FamilySummary& family);
[[nodiscard]] Calls calls_of(const FamilySummary& family);
[[nodiscard]] Phases phases_of(const FamilySummary& family);
[[nodiscard]] Opening opening_of(const FamilySummary& family);
[[nodiscard]] Flushing flushing_of(const FamilySummary& family);
[[nodiscard]] Metadata metadata_of(const FamilySummary& family);
[[nodiscard]] Alignment alignment_of(const FamilySummary& family);

// Where an access pattern is strided: how many bytes lie together, and how far it is from one such block to
// the next. 0: no such pattern.
struct Steps {
  std::uint64_t stride = 0, block = 0;
};
[[nodiscard]] Steps steps_of(const FamilySummary& family);

[[nodiscard]] Usage usage_of(const FamilySummary& family);            // what decisions rest on
[[nodiscard]] report::Pattern classify(const FamilySummary& family);  // what the report says

}  // namespace toto::hints
