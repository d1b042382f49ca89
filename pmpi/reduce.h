// SPDX-License-Identifier: BSD-3-Clause
// Combining over ranks: one reduction of a structure of fixed size to rank 0, with our own operation, so that
// its cost grows with the logarithm of the ranks and not with the files.
#pragma once

#include <mpi.h>

#include <array>
#include <span>

#include "core/sketch.h"
#include "core/summary.h"

namespace toto::pmpi {

// Collective over `comm`. On rank 0 `family` becomes the merge over all ranks. False: MPI refused.
bool reduce_family(MPI_Comm comm, FamilySummary& family);

// Begins a sum over all ranks of `comm`; both sketches must live until the request is complete.
bool start_sketch_reduction(MPI_Comm comm, const Sketch& mine, Sketch& all, MPI_Request* request);

// Collective over MPI_COMM_WORLD, at MPI_Init: the smallest of all ranks' numbers, as many on each. Waits for
// all ranks, and leaves them the processor meanwhile. False: MPI refused.
bool smallest_of_world(std::span<const int> mine, std::span<int> all);

// What follows is for MPI_Finalize, and does not take longer than its limit. False: somebody did not come.
//
// Collective over `comm`. On rank 0 `all` becomes the merge over all ranks. After false MPI may use both for
// ever.
bool reduce_summary(MPI_Comm comm, const Summary& mine, Summary& all);

// Collective over `comm`: the smallest of all ranks' numbers, or their sum; three at a time.
using Numbers = std::array<int, 3>;
bool smallest_of_all(MPI_Comm comm, const Numbers& mine, Numbers& all);
bool sum_of_all(MPI_Comm comm, const Numbers& mine, Numbers& all);

// What MPI holds for us: taken at MPI_Init (local calls only), given back at MPI_Finalize.
bool make_reductions();
void free_reductions();

}  // namespace toto::pmpi
