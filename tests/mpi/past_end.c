/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads that end beyond the end of the file, or lie there altogether, with and without a status.
   usage: past_end FILE TRUTH */
#include <string.h>

#include "truth.h"

enum { SIZE = 10000, ASKED = 4096 };

static int rank;
static MPI_File file;

static void got(const char *what, int delivered, MPI_Offset at, const char *buffer, MPI_Status *status) {
  const MPI_Offset there = at < SIZE ? SIZE - at : 0;
  const int expected = there < ASKED ? (int)there : ASKED;
  int i, count = -1;
  for (i = 0; i < expected; ++i) REQUIRE(buffer[i] == (char)((at + i) % 251), "%s: byte %d", what, i);
  if (status != MPI_STATUS_IGNORE && delivered) {
    MPI_Get_count(status, MPI_BYTE, &count);
    printf("rank %d %s at %lld: %d\n", rank, what, (long long)at, count);
  }
  ++truth.reads;
  truth.bytes_read += expected;
}

#define READ(how, name, at, ...)                          \
  do {                                                    \
    memset(buffer, 'x', sizeof buffer);                   \
    require_success(MPI_File_##name(__VA_ARGS__), #name); \
    got(#name, 1, at, buffer, status);                    \
    truth.how += 1;                                       \
  } while (0)

int main(int argc, char **argv) {
  static const MPI_Offset places[] = {0, SIZE - ASKED, SIZE - 100, SIZE - 1, SIZE, SIZE + 50000};
  char buffer[ASKED], content[SIZE];
  MPI_Status kept, *status;
  unsigned i, ignore;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  REQUIRE(argc == 3, "usage: past_end FILE TRUTH");
  for (i = 0; i < SIZE; ++i) content[i] = (char)(i % 251);
  require_success(MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file), "open");
  truth.opens = truth.closes = 1;
  truth.creates = rank == 0;
  if (rank == 0) {
    require_success(MPI_File_write_at(file, 0, content, SIZE, MPI_BYTE, MPI_STATUS_IGNORE), "write_at");
    truth.writes = truth.independent = 1;
    truth.bytes_written = SIZE;
  }
  require_success(MPI_File_sync(file), "sync");
  MPI_Barrier(MPI_COMM_WORLD);
  truth.syncs = 1;
  for (ignore = 0; ignore < 2; ++ignore) {
    status = ignore ? MPI_STATUS_IGNORE : &kept;
    for (i = 0; i < sizeof places / sizeof places[0]; ++i) {
      READ(independent, read_at, places[i], file, places[i], buffer, ASKED, MPI_BYTE, status);
      READ(collective, read_at_all, places[i], file, places[i], buffer, ASKED, MPI_BYTE, status);
      require_success(MPI_File_seek(file, places[i], MPI_SEEK_SET), "seek");
      READ(independent, read, places[i], file, buffer, ASKED, MPI_BYTE, status);
      require_success(MPI_File_seek(file, places[i], MPI_SEEK_SET), "seek");
      READ(collective, read_all, places[i], file, buffer, ASKED, MPI_BYTE, status);
      truth.seeks += 2;
    }
  }
  require_success(MPI_File_close(&file), "close");
  write_truth(argv[2]);
  MPI_Finalize();
  return 0;
}
