// SPDX-License-Identifier: BSD-3-Clause
// The report of a job: JSON (docs/report.schema.json), one file, by plain system calls, to a temporary name
// and renamed; and the short summary on standard error (TOTO_SUMMARY).
#pragma once

#include <string_view>

#include "core/advice.h"
#include "core/summary.h"

namespace toto::report {

// A report or a summary is asked for.
[[nodiscard]] bool wanted();

// So many of so many.
struct Share {
  std::string_view name;
  std::uint64_t part = 0;
  std::uint64_t whole = 0;  // 0: there is nothing to take a share of
};

// How a family is used, as words, with the numbers that they rest on.
struct Pattern {
  std::string_view sharing, spatiality, calls, phases, opening, flushing, metadata, alignment;
  std::uint64_t stride = 0, block = 0;  // bytes; 0: not strided
  std::uint64_t opens_per_file = 0;     // and rank
  std::array<Share, 8> shares{};
};

// What looks at the numbers: in hints/, which core/ does not know.
struct Judges {
  Pattern (*classify)(const FamilySummary& family) = nullptr;
  void (*advise)(const Summary& summary, std::uint64_t job_ns, AdviceList& out) = nullptr;
};

// Report and summary of `summary`; the files of this process are listed one by one. Nothing when nothing was
// recorded. Problems (full disk, no folder) are one warning each.
void write(const Summary& summary, const Judges& judges);

}  // namespace toto::report
