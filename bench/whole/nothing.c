/* SPDX-License-Identifier: BSD-3-Clause */
/* An MPI program that does nothing. */
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  return 0;
}
