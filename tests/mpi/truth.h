/* SPDX-License-Identifier: BSD-3-Clause */
/* What a test program knows that it did: added up over its ranks and written as JSON for the checker. */
#ifndef TOTO_TESTS_MPI_TRUTH_H
#define TOTO_TESTS_MPI_TRUTH_H

#include <stdlib.h>

#include "require.h"

/* The counters that a program can know; the names are those of the report. */
#define TRUTH_COUNTERS(X) \
  X(opens)                \
  X(creates)              \
  X(closes)               \
  X(reads)                \
  X(writes)               \
  X(bytes_read)           \
  X(bytes_written)        \
  X(independent)          \
  X(collective)           \
  X(nonblocking)          \
  X(split)                \
  X(shared_pointer)       \
  X(views)                \
  X(syncs)                \
  X(truncates)            \
  X(stats)                \
  X(seeks)                \
  X(largest_read)         \
  X(largest_write)

struct truth {
#define X(name) long long name;
  TRUTH_COUNTERS(X)
#undef X
};
static struct truth truth;

/* Collective over MPI_COMM_WORLD. */
static void write_truth(const char* path) {
  struct truth sum = {0};
  int rank = 0;
  FILE* out;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#define X(name) MPI_Reduce(&truth.name, &sum.name, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  TRUTH_COUNTERS(X)
#undef X
  MPI_Reduce(&truth.largest_read, &sum.largest_read, 1, MPI_LONG_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(&truth.largest_write, &sum.largest_write, 1, MPI_LONG_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank != 0) return;
  out = fopen(path, "w");
  REQUIRE(out != NULL, "%s", path);
  fputc('{', out);
#define X(name) fprintf(out, "\"" #name "\": %lld, ", sum.name);
  TRUTH_COUNTERS(X)
#undef X
  fprintf(out, "\"end\": 0}\n");
  REQUIRE(fclose(out) == 0, "%s", path);
}

#endif
