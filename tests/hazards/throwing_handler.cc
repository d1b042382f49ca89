// SPDX-License-Identifier: BSD-3-Clause
// An error handler of MPI_FILE_NULL leaves a failing open by an exception, on one rank; then all open FILE
// together. usage: throwing_handler FILE
#include <mpi.h>

#include <cstdio>

static void throws(MPI_File*, int* error, ...) { throw *error; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 2) MPI_Abort(MPI_COMM_WORLD, 2);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_File file = MPI_FILE_NULL;
  int caught = 0;
  if (rank == size - 1) {
    MPI_Errhandler handler;
    MPI_File_create_errhandler(throws, &handler);
    MPI_File_set_errhandler(MPI_FILE_NULL, handler);
    try {
      MPI_File_open(MPI_COMM_SELF, "/nonexistent/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    } catch (int) {
      caught = 1;
    }
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&handler);
  }
  const int error =
      MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  int outcome[2] = {caught, error == MPI_SUCCESS ? 1 : 0}, sum[2] = {0, 0};
  if (error == MPI_SUCCESS) MPI_File_close(&file);
  MPI_Reduce(outcome, sum, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%d caught, %d opened\n", sum[0], sum[1]);
  MPI_Finalize();
  return 0;
}
