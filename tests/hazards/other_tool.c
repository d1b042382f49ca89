/* SPDX-License-Identifier: BSD-3-Clause */
/* A second tool that uses MPI's profiling interface: it counts opens, writes and closes, and says at the end,
   from rank 0, how many there were in all. A library for LD_PRELOAD. */
#include <mpi.h>
#include <stdio.h>

static int opens, writes, closes;

int MPI_File_open(MPI_Comm comm, const char* name, int amode, MPI_Info info, MPI_File* file) {
  ++opens;
  return PMPI_File_open(comm, name, amode, info, file);
}
int MPI_File_write(MPI_File file, const void* from, int count, MPI_Datatype type, MPI_Status* status) {
  ++writes;
  return PMPI_File_write(file, from, count, type, status);
}
int MPI_File_write_at(MPI_File file, MPI_Offset at, const void* from, int count, MPI_Datatype type,
                      MPI_Status* status) {
  ++writes;
  return PMPI_File_write_at(file, at, from, count, type, status);
}
int MPI_File_write_at_all(MPI_File file, MPI_Offset at, const void* from, int count, MPI_Datatype type,
                          MPI_Status* status) {
  ++writes;
  return PMPI_File_write_at_all(file, at, from, count, type, status);
}
int MPI_File_close(MPI_File* file) {
  ++closes;
  return PMPI_File_close(file);
}
int MPI_Finalize(void) {
  int mine[3] = {opens, writes, closes}, all[3] = {0, 0, 0}, rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Reduce(mine, all, 3, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) fprintf(stderr, "other tool: %d opens, %d writes, %d closes\n", all[0], all[1], all[2]);
  return PMPI_Finalize();
}
