/* SPDX-License-Identifier: BSD-3-Clause */
/* One file written collectively, then by each rank on its own, with the hints that are given.
   usage: romio_traps FILE [key=value...] */
#include <string.h>

#include "require.h"

enum { BYTES = 65536 };

int main(int argc, char** argv) {
  static char block[BYTES];
  MPI_Info info;
  MPI_File file;
  int rank, ranks, i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Info_create(&info);
  for (i = 2; i < argc; ++i) {
    char* equal = strchr(argv[i], '=');
    *equal = '\0';
    MPI_Info_set(info, argv[i], equal + 1);
  }
  memset(block, 'a' + rank, sizeof block);
  require_success(MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file),
                  "open");
  require_success(
      MPI_File_write_at_all(file, (MPI_Offset)rank * BYTES, block, BYTES, MPI_BYTE, MPI_STATUS_IGNORE),
      "collective write");
  require_success(
      MPI_File_write_at(file, (MPI_Offset)(ranks + rank) * BYTES, block, BYTES, MPI_BYTE, MPI_STATUS_IGNORE),
      "independent write");
  /* What others have written is there after both have synchronized. */
  require_success(MPI_File_sync(file), "sync");
  MPI_Barrier(MPI_COMM_WORLD);
  require_success(MPI_File_sync(file), "sync");
  require_success(MPI_File_read_at(file, (MPI_Offset)((rank + 1) % ranks) * BYTES, block, BYTES, MPI_BYTE,
                                   MPI_STATUS_IGNORE),
                  "independent read");
  REQUIRE(block[0] == 'a' + (rank + 1) % ranks && block[BYTES - 1] == block[0], "rank %d", rank);
  require_success(MPI_File_close(&file), "close");
  MPI_Info_free(&info);
  MPI_Finalize();
  return 0;
}
