/* SPDX-License-Identifier: BSD-3-Clause
 * The work that bench/combine measures: a fixed number of small writes and small collectives.
 *   work FOLDER ITERATIONS FILES
 * Each rank writes 512 bytes FILES times in turn over its FILES files, with an MPI_Allreduce after every
 * fourth. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank = 0;
  char name[4096], block[512];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc != 4) {
    MPI_Abort(MPI_COMM_WORLD, 2);
    return 2;
  }
  const long iterations = atol(argv[2]);
  const int files = atoi(argv[3]);
  int* fds = malloc(sizeof(int) * (size_t)files);
  memset(block, 'x', sizeof block);
  for (int i = 0; i < files; ++i) {
    snprintf(name, sizeof name, "%s/rank%d.%c%d", argv[1], rank, 'a' + i % 26, i / 26);
    fds[i] = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0600);
    if (fds[i] < 0) MPI_Abort(MPI_COMM_WORLD, 3);
  }
  for (long i = 0; i < iterations; ++i) {
    if (pwrite(fds[i % files], block, sizeof block, (off_t)(i % 64) * 512) != (ssize_t)sizeof block)
      MPI_Abort(MPI_COMM_WORLD, 4);
    if (i % 4 == 3) {
      int one = 1, all = 0;
      MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
  }
  for (int i = 0; i < files; ++i) close(fds[i]);
  free(fds);
  MPI_Finalize();
  return 0;
}
