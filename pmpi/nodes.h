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

// Collective over the node's ranks, each of which has finished counting. True on all of them: they count in
// one segment, and the leader has mapped it and speaks for all. False on all: each speaks for itself.
bool gather(segment::Mapping& all);

}  // namespace toto::pmpi::nodes
