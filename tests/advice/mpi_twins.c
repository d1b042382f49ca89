// SPDX-License-Identifier: BSD-3-Clause
// MPI programs that deserve advice, and their twins. usage: mpi_twins WHICH FOLDER N
// Blocks of 512 bytes; N a rank, those of all ranks in turns unless said otherwise.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBlock = 512 };
static int rank, ranks, n;
static char* data;

static MPI_File open_file(MPI_Comm comm, const char* folder, const char* name, int number) {
  char path[4096];
  MPI_File file;
  snprintf(path, sizeof path, "%s/%s.%d", folder, name, number);
  if (MPI_File_open(comm, path, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file) != MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, 3);
  return file;
}

static void see_own_blocks(MPI_File file) {
  MPI_Datatype view;
  MPI_Type_vector(n, kBlock, kBlock * ranks, MPI_BYTE, &view);
  MPI_Type_commit(&view);
  MPI_File_set_view(file, (MPI_Offset)rank * kBlock, MPI_BYTE, view, "native", MPI_INFO_NULL);
  MPI_Type_free(&view);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 4) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char *which = argv[1], *folder = argv[2];
  n = atoi(argv[3]);
  const int bytes = n * kBlock;
  data = calloc(1, (size_t)bytes);
  MPI_Status status;
  MPI_File file;
  if (strcmp(which, "independent") == 0) {
    file = open_file(MPI_COMM_WORLD, folder, "out", 0);
    for (int i = 0; i < n; ++i)
      MPI_File_write_at(file, ((MPI_Offset)i * ranks + rank) * kBlock, data, kBlock, MPI_BYTE, &status);
  } else if (strcmp(which, "collective") == 0) {
    file = open_file(MPI_COMM_WORLD, folder, "out", 0);
    see_own_blocks(file);
    MPI_File_write_at_all(file, 0, data, bytes, MPI_BYTE, &status);
  } else if (strcmp(which, "sieved") == 0) {
    file = open_file(MPI_COMM_WORLD, folder, "out", 0);
    see_own_blocks(file);
    for (int i = 0; i < 20; ++i) MPI_File_write_at(file, 0, data, bytes, MPI_BYTE, &status);
  } else if (strcmp(which, "small_collective") == 0) {
    file = open_file(MPI_COMM_WORLD, folder, "out", 0);
    for (int i = 0; i < n; ++i)
      MPI_File_write_at_all(file, ((MPI_Offset)i * ranks + rank) * kBlock, data, kBlock, MPI_BYTE, &status);
  } else if (strcmp(which, "segments") == 0) {
    file = open_file(MPI_COMM_WORLD, folder, "out", 0);
    MPI_File_write_at(file, (MPI_Offset)rank * bytes, data, bytes, MPI_BYTE, &status);
  } else if (strcmp(which, "pairs") == 0) {  // a file for each two ranks, a part for each
    MPI_Comm pair;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
    file = open_file(pair, folder, "pair", rank / 2);
    MPI_File_write_at(file, (MPI_Offset)(rank % 2) * bytes, data, bytes, MPI_BYTE, &status);
    MPI_Comm_free(&pair);
  } else if (strcmp(which, "own") == 0) {  // a file a rank
    file = open_file(MPI_COMM_SELF, folder, "own", rank);
    MPI_File_write_at(file, 0, data, bytes, MPI_BYTE, &status);
  } else {
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_File_close(&file);
  free(data);
  MPI_Finalize();
  return 0;
}
