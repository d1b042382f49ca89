// SPDX-License-Identifier: BSD-3-Clause
// Combining over ranks: one reduction of a structure of fixed size to rank 0, with our own operation, so that
// its cost grows with the logarithm of the ranks and not with the files.
#pragma once

#include <mpi.h>

#include "core/summary.h"

namespace toto::pmpi {

// Collective over `comm`. On rank 0 `family` becomes the merge over all ranks. False: MPI refused.
bool reduce_family(MPI_Comm comm, FamilySummary& family);

// Collective over MPI_COMM_WORLD; only inside MPI_Finalize.
bool reduce_summary(Summary& summary);

// What MPI holds for us: taken at MPI_Init (local calls only), given back at MPI_Finalize.
bool make_reductions();
void free_reductions();

}  // namespace toto::pmpi
