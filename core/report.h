// SPDX-License-Identifier: BSD-3-Clause
// The report of a job: JSON (docs/report.schema.json), one file, by plain system calls, to a temporary name
// and renamed; and the short summary on standard error (TOTO_SUMMARY).
#pragma once

#include <string_view>

#include "core/summary.h"

namespace toto::report {

// A report or a summary is asked for.
[[nodiscard]] bool wanted();

// How a family is used, as words; found by the pattern classes of hints/, which core/ does not know.
struct Pattern {
  std::string_view sharing, spatiality, calls;
};
using Classify = Pattern (*)(const FamilySummary& family);

// Report and summary of `summary`; the files of this process are listed one by one. Nothing when nothing was
// recorded. Problems (full disk, no folder) are one warning each.
void write(const Summary& summary, Classify classify);

}  // namespace toto::report
