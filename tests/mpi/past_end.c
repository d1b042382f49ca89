/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads that end beyond the end of the file, or lie there altogether, with and without a status.
   What a collective read delivered beyond the end MPI libraries themselves do not know (two-phase reads tell
   what was asked for): there the truth is what the status says. usage: past_end FILE TRUTH */
#include <string.h>

#include "truth.h"

enum { SIZE = 10000, ASKED = 4096, PLACES = 6 };

static int rank;
static MPI_File file;
static char buffer[ASKED];
static const MPI_Offset places[PLACES] = {0, SIZE - ASKED, SIZE - 100, SIZE - 1, SIZE, SIZE + 50000};

static int read_at(MPI_Offset at, MPI_Status* s) {
  return MPI_File_read_at(file, at, buffer, ASKED, MPI_BYTE, s);
}
static int read_at_all(MPI_Offset at, MPI_Status* s) {
  return MPI_File_read_at_all(file, at, buffer, ASKED, MPI_BYTE, s);
}
static int read_here(MPI_Offset at, MPI_Status* s) {
  (void)at;
  return MPI_File_read(file, buffer, ASKED, MPI_BYTE, s);
}
static int read_here_all(MPI_Offset at, MPI_Status* s) {
  (void)at;
  return MPI_File_read_all(file, buffer, ASKED, MPI_BYTE, s);
}

static const struct {
  const char* name;
  int (*run)(MPI_Offset at, MPI_Status* status);
  int collective, seeks;
} reads[] = {{"read_at", read_at, 0, 0},
             {"read_at_all", read_at_all, 1, 0},
             {"read", read_here, 0, 1},
             {"read_all", read_here_all, 1, 1}};
enum { READS = sizeof reads / sizeof reads[0] };

/* What each read delivered, known from the first pass. */
static int delivered[PLACES][READS];

static void do_read(unsigned place, unsigned which, MPI_Status* status) {
  const MPI_Offset at = places[place], there = at < SIZE ? SIZE - at : 0;
  const int inside = there < ASKED ? (int)there : ASKED;
  int i;
  if (reads[which].seeks) {
    require_success(MPI_File_seek(file, at, MPI_SEEK_SET), "seek");
    ++truth.seeks;
  }
  memset(buffer, 'x', sizeof buffer);
  require_success(reads[which].run(at, status), reads[which].name);
  for (i = 0; i < inside; ++i)
    REQUIRE(buffer[i] == (char)((at + i) % 251), "%s: byte %d", reads[which].name, i);
  if (status != MPI_STATUS_IGNORE) {
    MPI_Get_count(status, MPI_BYTE, &delivered[place][which]);
    printf("rank %d %s at %lld: %d\n", rank, reads[which].name, (long long)at, delivered[place][which]);
    if (!reads[which].collective) {
      REQUIRE(delivered[place][which] == inside, "%s: status %d", reads[which].name, delivered[place][which]);
    }
  }
  ++truth.reads;
  truth.bytes_read += delivered[place][which];
  truth.collective += reads[which].collective;
  truth.independent += !reads[which].collective;
}

int main(int argc, char** argv) {
  char content[SIZE];
  MPI_Status status;
  unsigned i, k;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  REQUIRE(argc == 3, "usage: past_end FILE TRUTH");
  for (i = 0; i < SIZE; ++i) content[i] = (char)(i % 251);
  require_success(
      MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file), "open");
  truth.opens = truth.closes = truth.syncs = 1;
  truth.creates = rank == 0;
  if (rank == 0) {
    require_success(MPI_File_write_at(file, 0, content, SIZE, MPI_BYTE, MPI_STATUS_IGNORE), "write_at");
    truth.writes = truth.independent = 1;
    truth.bytes_written = SIZE;
  }
  require_success(MPI_File_sync(file), "sync");
  MPI_Barrier(MPI_COMM_WORLD);
  for (i = 0; i < PLACES; ++i) {
    for (k = 0; k < READS; ++k) do_read(i, k, &status);
  }
  for (i = 0; i < PLACES; ++i) {
    for (k = 0; k < READS; ++k) do_read(i, k, MPI_STATUS_IGNORE);
  }
  require_success(MPI_File_close(&file), "close");
  write_truth(argv[2]);
  MPI_Finalize();
  return 0;
}
