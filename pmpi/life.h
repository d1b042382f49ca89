// SPDX-License-Identifier: BSD-3-Clause
// Life of the MPI half: what is found out at MPI_Init, and the report at MPI_Finalize.
#pragma once

#include <mpi.h>

namespace toto::pmpi {

// What all ranks of MPI_COMM_WORLD agreed on at MPI_Init.
struct Agreement {
  bool usable = false;    // this build fits the MPI library that is loaded, and MPI is initialised
  bool together = false;  // every rank has us and is not disabled: we may talk to the others
  bool report = false;    // a report or summary is wanted, by any rank
};
[[nodiscard]] const Agreement& agreement();

void after_init();
void before_finalize();
void after_finalize();

}  // namespace toto::pmpi
