// SPDX-License-Identifier: BSD-3-Clause
// The nodes of the job: the ranks of this node, and the leader of each (its lowest rank), which speaks for
// the node's segment. Made at MPI_Init, where all ranks have agreed to talk and a report is wanted.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "core/segment_file.h"

namespace toto::pmpi::nodes {

// Collective over MPI_COMM_WORLD. `ranks_per_node` above 0: pretended nodes, the same number on every rank.
bool make(int ranks_per_node);
void free();

[[nodiscard]] bool made();
[[nodiscard]] bool is_leader();
[[nodiscard]] int count();
// Of all leaders; for leaders only.
[[nodiscard]] MPI_Comm leaders();

// How the ranks of a node bring their counts together.
enum class Gathered : std::uint8_t {
  kShared,  // they count in one segment: the leader has mapped it and speaks for all
  kApart,   // each speaks for itself
  kLate,    // somebody did not come in time, or had trouble
};
// Collective over the node's ranks, each of which has finished counting; the same answer on all of them.
// `good`: nothing went wrong on this rank so far; else it is kLate for all.
Gathered gather(segment::Mapping& all, bool good);

}  // namespace toto::pmpi::nodes
