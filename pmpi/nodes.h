// SPDX-License-Identifier: BSD-3-Clause
// The nodes of the job: each has a leader (its lowest rank), which speaks for the node's segment. Found out
// at MPI_Init, where all ranks have agreed to talk and a report is wanted.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "core/segment_file.h"

namespace toto::pmpi::nodes {

// How the leaders are known. The same on every rank.
enum class Known : std::uint8_t {
  kOne,     // rank 0, of the only node, in whose segment all ranks count
  kTold,    // each rank knows by its launcher whether it leads; rank 0 does
  kBySplit  // MPI is asked
};
// Whether this rank leads, by its launcher: the first rank of a node, or of each `ranks_per_node` of its
// ranks (above 0: pretended nodes). False where the launcher says nothing.
[[nodiscard]] bool told_to_lead(int ranks_per_node);

// Collective over MPI_COMM_WORLD, but for kOne. `ranks_per_node` is the same on every rank.
bool make(Known how, int ranks_per_node);
void free();

[[nodiscard]] bool is_leader();
[[nodiscard]] int count();
// kOne: no messages are needed to bring the counts together.
[[nodiscard]] bool share_one_segment();
// Of all leaders, where there are several; for leaders only.
[[nodiscard]] MPI_Comm leaders();

// With one segment: this rank has finished counting. Then, on rank 0 after MPI_Finalize: waits until all have
// said so, but not for longer than TOTO_FINALIZE_LIMIT, nor for a process that is gone. False: they have not.
void finish_counting();
bool wait_for_counts(const segment::Mapping& all);

// Else: how the ranks bring their counts together.
enum class Gathered : std::uint8_t {
  kShared,  // those of a node count in one segment: its leader has mapped it and speaks for all
  kApart,   // each speaks for itself
  kLate,    // somebody did not come in time, or had trouble
};
// Collective over MPI_COMM_WORLD; every rank has finished counting, and all know it. The same answer on all
// of them. `good`: nothing went wrong on this rank so far; else it is kLate for all.
Gathered gather(segment::Mapping& all, bool good);

}  // namespace toto::pmpi::nodes
