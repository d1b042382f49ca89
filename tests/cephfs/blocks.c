/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks write one file collectively, in turn a block each; what a byte is, its offset tells. Says how
   many seconds the slowest rank took from before the open to after the close. usage: blocks FILE BYTES_A_RANK
   (a multiple of the block) */
#include <stdlib.h>

#include "tests/mpi/require.h"

enum { BLOCK = 1 << 20 };

int main(int argc, char** argv) {
  static unsigned char block[BLOCK];
  MPI_File file;
  int rank, ranks, i, k, blocks;
  double took, longest;
  MPI_Init(&argc, &argv);
  if (argc != 3) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  blocks = atoi(argv[2]) / BLOCK;
  MPI_Barrier(MPI_COMM_WORLD);
  took = MPI_Wtime();
  require_success(
      MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file),
      "open");
  for (i = 0; i < blocks; ++i) {
    const MPI_Offset offset = ((MPI_Offset)i * ranks + rank) * BLOCK;
    for (k = 0; k < BLOCK; ++k) block[k] = (unsigned char)((offset + k) * 2654435761U >> 13);
    require_success(MPI_File_write_at_all(file, offset, block, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE), "write");
  }
  require_success(MPI_File_sync(file), "sync");
  require_success(MPI_File_close(&file), "close");
  took = MPI_Wtime() - took;
  MPI_Reduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%.6f\n", longest);
  MPI_Finalize();
  return 0;
}
