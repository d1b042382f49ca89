/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens files in the ways given and says how each open ended.
   usage: layout SCENARIO:FILE...; see the table at the end. A line a scenario: its name, least and greatest
   error class over the ranks. */
#include <string.h>

#include "require.h"

enum { BYTES = 65536 };

static int rank, ranks;
static char block[BYTES];

static int class_of(int result) {
  int class = 0;
  if (result != MPI_SUCCESS) MPI_Error_class(result, &class);
  return class;
}

/* Opens, writes a block a rank where that is allowed, closes; the class of the open's error. */
static int write_file(MPI_Comm comm, const char* path, int amode) {
  MPI_File file;
  int me, result = MPI_File_open(comm, path, amode, MPI_INFO_NULL, &file);
  if (result != MPI_SUCCESS) return class_of(result);
  MPI_Comm_rank(comm, &me);
  if (!(amode & MPI_MODE_RDONLY)) {
    require_success(
        MPI_File_write_at_all(file, (MPI_Offset)me * BYTES, block, BYTES, MPI_BYTE, MPI_STATUS_IGNORE),
        "write_at_all");
  }
  require_success(MPI_File_close(&file), "close");
  return 0;
}

static int create(const char* path) {
  return write_file(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY);
}
static int exclusive(const char* path) {
  return write_file(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR);
}
static int read_only(const char* path) { return write_file(MPI_COMM_WORLD, path, MPI_MODE_RDONLY); }
static int read_only_create(const char* path) {
  return write_file(MPI_COMM_WORLD, path, MPI_MODE_RDONLY | MPI_MODE_CREATE);
}
static int two_modes(const char* path) {
  return write_file(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_RDWR);
}
static int no_mode(const char* path) { return write_file(MPI_COMM_WORLD, path, MPI_MODE_CREATE); }
static int temporary(const char* path) {
  return write_file(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
}
static int again(const char* path) {
  const int first = create(path);
  return first != 0 ? first : read_only(path);
}

static int self(const char* path) {
  char own[4096];
  snprintf(own, sizeof own, "%s.%d", path, rank);
  return write_file(MPI_COMM_SELF, own, MPI_MODE_CREATE | MPI_MODE_RDWR);
}

/* Even and odd ranks are groups of their own; the odd ones do nothing. */
static int subset(const char* path) {
  MPI_Comm part;
  int result = 0;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
  if (rank % 2 == 0) result = write_file(part, path, MPI_MODE_CREATE | MPI_MODE_WRONLY);
  MPI_Comm_free(&part);
  return result;
}

/* The communicator is freed before the file is closed. */
static int freed(const char* path) {
  MPI_Comm comm;
  MPI_File file;
  int result;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  result = MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_Comm_free(&comm);
  if (result != MPI_SUCCESS) return class_of(result);
  require_success(
      MPI_File_write_at_all(file, (MPI_Offset)rank * BYTES, block, BYTES, MPI_BYTE, MPI_STATUS_IGNORE),
      "write_at_all");
  require_success(MPI_File_close(&file), "close");
  return 0;
}

static const struct {
  const char* name;
  int (*run)(const char* path);
} scenarios[] = {{"create", create},       {"exclusive", exclusive}, {"read_only", read_only},
                 {"two_modes", two_modes}, {"no_mode", no_mode},     {"read_only_create", read_only_create},
                 {"temporary", temporary}, {"again", again},         {"self", self},
                 {"subset", subset},       {"freed", freed}};

int main(int argc, char** argv) {
  int i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  memset(block, 'a' + rank, sizeof block);
  for (i = 1; i < argc; ++i) {
    char* colon = strchr(argv[i], ':');
    int least, most, class = -1;
    unsigned k;
    *colon = '\0';
    for (k = 0; k < sizeof scenarios / sizeof scenarios[0]; ++k) {
      if (strcmp(scenarios[k].name, argv[i]) == 0) class = scenarios[k].run(colon + 1);
    }
    MPI_Allreduce(&class, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&class, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) printf("%s %d %d\n", argv[i], least, most);
  }
  MPI_Finalize();
  return 0;
}
