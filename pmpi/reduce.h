// SPDX-License-Identifier: BSD-3-Clause
// Combining over ranks: one reduction of a structure of fixed size to rank 0, with our own operation, so that
// its cost grows with the logarithm of the ranks and not with the files.
#pragma once

#include <mpi.h>

#include <array>

#include "core/sketch.h"
#include "core/summary.h"

namespace toto::pmpi {

// Collective over `comm`. On rank 0 `family` becomes the merge over all ranks. False: MPI refused.
bool reduce_family(MPI_Comm comm, FamilySummary& family);

// Collective over MPI_COMM_WORLD; only inside MPI_Finalize, and not for longer than its limit. `good`: this
// rank has what it should give. False: not every rank had, or came.
bool reduce_summary(Summary& summary, bool good);

// Begins a sum over all ranks of `comm`; both sketches must live until the request is complete.
bool start_sketch_reduction(MPI_Comm comm, const Sketch& mine, Sketch& all, MPI_Request* request);

// Collective over `comm`, inside MPI_Finalize: the smallest of all ranks' numbers, of three at a time. False:
// somebody did not come within the limit.
using Numbers = std::array<int, 3>;
bool smallest_of_all(MPI_Comm comm, const Numbers& mine, Numbers& all);

// What MPI holds for us: taken at MPI_Init (local calls only), given back at MPI_Finalize.
bool make_reductions();
void free_reductions();

}  // namespace toto::pmpi
