/* SPDX-License-Identifier: BSD-3-Clause */
/* One of several programs in one MPI job: talks to all others, and writes with its own kind: each rank to a
   file of its own by POSIX calls, and with WITH_FILES all of this program to one by MPI-IO. Rank 0 prints for
   each rank of the job "rank R posix CALLS BYTES mpi CALLS BYTES". usage: several FOLDER */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "require.h"

enum { STEPS = 20, PAUSE = 3000 /* microseconds */, BLOCK = 64 };

int main(int argc, char** argv) {
  static char text[200];
  long long wrote[4] = {0}, *all = NULL;
  char path[4096];
  int rank, ranks, i, own;
  REQUIRE(argc > 1, "which folder");
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  snprintf(path, sizeof path, "%s/own.%d", argv[1], rank);
  own = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  REQUIRE(own >= 0, "%s", path);
#ifdef WITH_FILES
  MPI_Comm kind;
  MPI_File file;
  int place;
  MPI_Comm_split(MPI_COMM_WORLD, 1, rank, &kind);
  MPI_Comm_rank(kind, &place);
  snprintf(path, sizeof path, "%s/shared", argv[1]);
  require_success(MPI_File_open(kind, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file), "open");
#else
  MPI_Comm none;
  MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, rank, &none);
#endif
  for (i = 0; i < STEPS; ++i) {
    int sum = 0;
    MPI_Request request;
    REQUIRE(write(own, text, (size_t)(100 + rank)) == 100 + rank, "write");
    ++wrote[0];
    wrote[1] += 100 + rank;
#ifdef WITH_FILES
    require_success(
        MPI_File_write_at_all(file, (i * ranks + place) * BLOCK, text, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE),
        "write");
    ++wrote[2];
    wrote[3] += BLOCK;
#endif
    require_success(MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request), "iallreduce");
    require_success(MPI_Wait(&request, MPI_STATUS_IGNORE), "wait");
    REQUIRE(sum == ranks * (ranks - 1) / 2, "sum %d", sum);
    MPI_Barrier(MPI_COMM_WORLD);
    usleep(PAUSE);
  }
#ifdef WITH_FILES
  require_success(MPI_File_close(&file), "close");
  MPI_Comm_free(&kind);
#endif
  close(own);
  if (rank == 0) all = malloc(sizeof wrote * (size_t)ranks);
  MPI_Gather(wrote, 4, MPI_LONG_LONG, all, 4, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
  for (i = 0; rank == 0 && i < ranks; ++i)
    printf("rank %d posix %lld %lld mpi %lld %lld\n", i, all[4 * i], all[4 * i + 1], all[4 * i + 2],
           all[4 * i + 3]);
  free(all);
  MPI_Finalize();
  return 0;
}
