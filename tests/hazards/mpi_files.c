/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Init without arguments; handles that are used again; files of one rank, of a part of the ranks, of
   nobody; opens that fail; split and non-blocking calls; empty parts; a file that is deleted at its close;
   and a callback in MPI_Finalize. usage: mpi_files, in a folder (its name in MPI_FILES_FOLDER), with the
   truth in MPI_FILES_TRUTH */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth.h"

static int rank, ranks;
static char buffer[4096];

static const char* in(const char* name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", getenv("MPI_FILES_FOLDER"), name);
  return path;
}

static void tell(const char* what, int number) {
  if (rank == 0) printf("%s: %d\n", what, number);
}

static void opened(MPI_Comm comm, const char* name, int amode, MPI_File* file, int created) {
  int mine = 0;
  MPI_Comm_rank(comm, &mine);
  REQUIRE(MPI_File_open(comm, in(name), amode, MPI_INFO_NULL, file) == MPI_SUCCESS, "%s", name);
  ++truth.opens;
  truth.creates += created && mine == 0;
}
static void closed(MPI_File* file) {
  REQUIRE(MPI_File_close(file) == MPI_SUCCESS, "close");
  ++truth.closes;
}
static void wrote(int bytes, int collective) {
  ++truth.writes;
  truth.bytes_written += bytes;
  if (collective)
    ++truth.collective;
  else
    ++truth.independent;
}

static int at_end(MPI_Comm comm, int key, void* value, void* state) {
  FILE* out = fopen(in("in_finalize"), "a");
  (void)comm, (void)key, (void)state;
  if (out != NULL) fprintf(out, "%s\n", (const char*)value), fclose(out);
  return MPI_SUCCESS;
}

int main(void) {
  const int both = MPI_MODE_CREATE | MPI_MODE_RDWR;
  MPI_File file, other;
  MPI_Comm half;
  MPI_Status status;
  MPI_Request request;
  int i, error, class, key;
  char name[64];
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  memset(buffer, 'a' + rank, sizeof buffer);

  for (i = 0; i < 20; ++i) { /* the same handle, mostly */
    opened(MPI_COMM_WORLD, i % 2 ? "odd" : "even", both, &file, i < 2);
    MPI_File_write_at(file, rank * 10, buffer, 10, MPI_CHAR, &status);
    wrote(10, 0);
    closed(&file);
  }
  opened(MPI_COMM_WORLD, "first", both, &file,
         1); /* two at once, closed in the order in which they were opened */
  opened(MPI_COMM_WORLD, "second", both, &other, 1);
  MPI_File_write_at_all(file, rank * 100, buffer, 100, MPI_CHAR, &status);
  MPI_File_write_at_all(other, rank * 200, buffer, 200, MPI_CHAR, &status);
  wrote(100, 1), wrote(200, 1);
  closed(&file);
  MPI_File_write_at_all(other, 4000 + rank * 200, buffer, rank == 0 ? 200 : 0, MPI_CHAR,
                        &status); /* empty parts */
  wrote(rank == 0 ? 200 : 0, 1);
  MPI_File_write_at_all_begin(other, 8000 + rank * 50, buffer, 50, MPI_CHAR);
  MPI_File_write_at_all_end(other, buffer, &status);
  wrote(50, 1);
  ++truth.split;
  MPI_File_iwrite_at(other, 12000 + rank * 30, buffer, 30, MPI_CHAR, &request);
  MPI_Wait(&request, &status);
  wrote(30, 0);
  ++truth.nonblocking;
  closed(&other);

  snprintf(name, sizeof name, "of_rank_%d", rank);
  opened(MPI_COMM_SELF, name, both, &file, 1);
  MPI_File_write(file, buffer, 500, MPI_CHAR, &status);
  wrote(500, 0);
  closed(&file);
  if (rank == 0) { /* one rank does it all */
    opened(MPI_COMM_SELF, "by_one", both, &file, 1);
    for (i = 0; i < 10; ++i) MPI_File_write(file, buffer, 100, MPI_CHAR, &status), wrote(100, 0);
    closed(&file);
  }
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2 ? MPI_UNDEFINED : 0, rank, &half);
  if (half != MPI_COMM_NULL) {
    opened(half, "by_half", both, &file, 1);
    MPI_File_write_at_all(file, rank * 10, buffer, 10, MPI_CHAR, &status);
    wrote(10, 1);
    closed(&file);
    MPI_Comm_free(&half);
  }
  opened(MPI_COMM_WORLD, "deleted", both | MPI_MODE_DELETE_ON_CLOSE, &file, 1);
  MPI_File_write_at_all(file, rank * 10, buffer, 10, MPI_CHAR, &status);
  wrote(10, 1);
  closed(&file);

  error = MPI_File_open(MPI_COMM_WORLD, in("missing"), MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_Error_class(error, &class);
  tell("missing", class == MPI_ERR_NO_SUCH_FILE);
  error = MPI_File_open(MPI_COMM_WORLD, in("no/folder"), both, MPI_INFO_NULL, &file);
  tell("no folder", error != MPI_SUCCESS);
  error = MPI_File_open(MPI_COMM_WORLD, in("first"), both | MPI_MODE_EXCL, MPI_INFO_NULL, &file);
  tell("exclusive", error != MPI_SUCCESS);

  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key, NULL);
  snprintf(name, sizeof name, "%d", rank);
  if (rank == 0) MPI_Comm_set_attr(MPI_COMM_SELF, key, name);
  write_truth(getenv("MPI_FILES_TRUTH"));
  MPI_Finalize();
  if (rank == 0) {
    FILE* out = fopen(in("after_finalize"), "w");
    if (out == NULL || fputs("text", out) < 0 || fclose(out) != 0) return 4;
    printf("end\n");
  }
  return 0;
}
