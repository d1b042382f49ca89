/* SPDX-License-Identifier: BSD-3-Clause
 * Somebody else's program: writes one file by MPI-IO. Knows of the library by its link line only. */
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_File file;
  char byte = 't';
  MPI_Init(&argc, &argv);
  if (argc != 2 || MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                                 &file) != MPI_SUCCESS)
    return 1;
  MPI_File_write_at(file, 0, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
