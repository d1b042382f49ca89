// SPDX-License-Identifier: BSD-3-Clause
// The report of a job: JSON (docs/report.schema.json), one file, by plain system calls, to a temporary name
// and renamed; and the short summary on standard error (TOTO_SUMMARY).
#pragma once

#include <span>
#include <string_view>

#include "core/advice.h"
#include "core/area.h"
#include "core/sketch.h"
#include "core/summary.h"

namespace toto::report {

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

// What the tuner found about a family: a count of stripes that was tried, and the sentence about the next
// file.
struct Tried {
  std::uint64_t stripes = 0, files = 0, bytes_per_second = 0;
};
struct Tuned {
  std::string_view family, reason;
  std::uint64_t best = 0;  // stripes
  bool settled = false;    // nothing is left to try
  std::span<const Tried> tried;
};
using TunedVisitor = void (*)(const Tuned& tuned, void* context);

// What looks at the numbers: in hints/, which core/ does not know.
struct Judges {
  Pattern (*classify)(const FamilySummary& family) = nullptr;
  void (*advise)(const Summary& summary, std::uint64_t job_ns, AdviceList& out) = nullptr;
  void (*tuned)(TunedVisitor visit, void* context) = nullptr;  // nullptr: nobody knows (any more)
};

// Of the rounds in which the nodes combined their statistics.
struct Rounds {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;       // of the message that a node gives to a round
  std::uint64_t spent_ns = 0;    // of the rank that reports
  const Sketch* last = nullptr;  // what the last one told: since the start, or of one period
};

// What a report is about, beside the numbers.
struct About {
  const ProcessInfo* who = nullptr;  // rank 0, or the process that stands for the job; never null
  std::string_view job, host;
  std::uint64_t seconds_ns = 0;  // how long it ran
  bool partial = false;          // ended by force, or some ranks are missing
  bool same_boot = true;         // the areas' clocks are this machine's, running
  Rounds rounds;
  const Sketch* last_round = nullptr;    // of a job that ended by force: all its nodes, as known then
  std::string_view report, logs_folder;  // as in the settings: the path of the report, or the folder for one
  std::span<Area* const> areas;          // of the node's processes; their files are listed one by one
  bool all_areas = false;                // `areas` hold all that the job did: nothing is on another node
  bool kept = false;                     // the areas outlive a report that fails, for `toto report --recover`
};

// Report and summary of `summary`. Nothing when nothing was recorded. Problems (full disk, no folder) are one
// warning each; false then.
bool write(const Summary& summary, const About& about, const Judges& judges);

}  // namespace toto::report
