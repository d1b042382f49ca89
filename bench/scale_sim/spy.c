/* SPDX-License-Identifier: BSD-3-Clause
 * Preloaded behind the library: writes down its collective calls, which it makes by their PMPI names, with
 * step, communicator size and bytes. One line a call, of rank 0 alone, to the file that SCALE_SPY names. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void toto_spy_step(const char* name);

static FILE* out;
static int asked, rank_is_0;
static char step[32] = "init";

void toto_spy_step(const char* name) {
  strncpy(step, name, sizeof step - 1);
  if (out && strcmp(name, "after") == 0) {
    fclose(out);
    out = NULL;
  }
}

static void note(const char* call, MPI_Comm comm, int count, MPI_Datatype type) {
  int ranks = 0, bytes = 0;
  if (!asked) {
    int rank = 1;
    asked = 1;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    rank_is_0 = rank == 0;
    const char* path = getenv("SCALE_SPY");
    if (rank_is_0 && path) out = fopen(path, "w");
  }
  if (!out) return;
  PMPI_Comm_size(comm, &ranks);
  if (count > 0) PMPI_Type_size(type, &bytes);
  fprintf(out, "%s %s %d %d\n", step, call, ranks, bytes * count);
  fflush(out);
}

/* By way of an integer: ISO C has no conversion from an object pointer to a function pointer. */
#define NEXT(name) ((__typeof__(&PMPI_##name))(uintptr_t)(dlsym(RTLD_NEXT, "PMPI_" #name)))

int PMPI_Allreduce(const void* a, void* b, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c) {
  note("Allreduce", c, n, t);
  return NEXT(Allreduce)(a, b, n, t, op, c);
}
int PMPI_Iallreduce(const void* a, void* b, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c, MPI_Request* r) {
  note("Iallreduce", c, n, t);
  return NEXT(Iallreduce)(a, b, n, t, op, c, r);
}
int PMPI_Reduce(const void* a, void* b, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm c) {
  note("Reduce", c, n, t);
  return NEXT(Reduce)(a, b, n, t, op, root, c);
}
int PMPI_Ireduce(const void* a, void* b, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm c,
                 MPI_Request* r) {
  note("Ireduce", c, n, t);
  return NEXT(Ireduce)(a, b, n, t, op, root, c, r);
}
int PMPI_Bcast(void* b, int n, MPI_Datatype t, int root, MPI_Comm c) {
  note("Bcast", c, n, t);
  return NEXT(Bcast)(b, n, t, root, c);
}
int PMPI_Comm_create(MPI_Comm c, MPI_Group g, MPI_Comm* made) {
  note("Comm_create", c, 0, MPI_BYTE);
  return NEXT(Comm_create)(c, g, made);
}
int PMPI_Comm_split(MPI_Comm c, int color, int key, MPI_Comm* made) {
  note("Comm_split", c, 0, MPI_BYTE);
  return NEXT(Comm_split)(c, color, key, made);
}
int PMPI_Comm_split_type(MPI_Comm c, int kind, int key, MPI_Info info, MPI_Comm* made) {
  note("Comm_split_type", c, 0, MPI_BYTE);
  return NEXT(Comm_split_type)(c, kind, key, info, made);
}
