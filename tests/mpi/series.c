/* SPDX-License-Identifier: BSD-3-Clause
 * A program that writes the same family of files again and again, as IOR does with repetitions:
 *   series FOLDER FILES BYTES REQUEST contiguous|strided|random shared|each|self
 * Each rank writes BYTES to each file, in pieces of REQUEST; shared: one file by MPI-IO, independent calls;
 * each: one file a process by open(2) and pwrite(2); self: the same by MPI-IO on MPI_COMM_SELF. Files of one
 * process each are all open before the first is written to. Rank 0 prints a line a file: bytes, seconds from
 * the first open to the last close. Exit code 1 when a call fails. */
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks;

static void need(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "series: rank %d: %s failed\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Where piece i of n goes; the pieces of a rank that writes at random are those of its contiguous part,
 * shuffled. */
static long long place(const char* pattern, int shared, long long i, long long n, const int* order) {
  const long long before = shared ? rank * n : 0;
  if (strcmp(pattern, "strided") == 0) return shared ? i * ranks + rank : i;
  if (strcmp(pattern, "random") == 0) return before + order[i];
  return before + i;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  need(argc == 7, "reading the arguments");
  const int files = atoi(argv[2]), shared = strcmp(argv[6], "shared") == 0,
            self = strcmp(argv[6], "self") == 0;
  const long long bytes = atoll(argv[3]), request = atoll(argv[4]), n = bytes / request;
  char* block = malloc((size_t)request);
  int* order = malloc(sizeof(int) * (size_t)n);
  need(block != NULL && order != NULL, "malloc");
  memset(block, 'a' + rank % 26, (size_t)request);
  for (int i = 0; i < n; ++i) order[i] = i;
  srand(1 + (unsigned)rank);
  for (int i = (int)n - 1; i > 0; --i) {
    const int j = rand() % (i + 1), kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }
  for (int step = 0; step < files; ++step) {
    char name[1024];
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    if (shared || self) {
      MPI_File file;
      snprintf(name, sizeof name, "%s/step.%04d", argv[1], step);
      if (self) snprintf(name, sizeof name, "%s/step.%04d.%d", argv[1], step, rank);
      need(MPI_File_open(self ? MPI_COMM_SELF : MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY,
                         MPI_INFO_NULL, &file) == MPI_SUCCESS,
           "MPI_File_open");
      if (self) MPI_Barrier(MPI_COMM_WORLD);
      for (long long i = 0; i < n; ++i) {
        const MPI_Offset at = place(argv[5], shared, i, n, order) * request;
        need(MPI_File_write_at(file, at, block, (int)request, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS,
             "MPI_File_write_at");
      }
      need(MPI_File_close(&file) == MPI_SUCCESS, "MPI_File_close");
    } else {
      snprintf(name, sizeof name, "%s/step.%04d.%d", argv[1], step, rank);
      const int file = open(name, O_CREAT | O_WRONLY, 0644);
      need(file >= 0, "open");
      MPI_Barrier(MPI_COMM_WORLD);
      for (long long i = 0; i < n; ++i)
        need(pwrite(file, block, (size_t)request, place(argv[5], 0, i, n, order) * request) == request,
             "pwrite");
      need(close(file) == 0, "close");
    }
    const double mine = MPI_Wtime() - start;
    double longest = 0;
    MPI_Reduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%lld %.6f\n", bytes * ranks, longest);
    fflush(stdout);
  }
  free(order);
  free(block);
  MPI_Finalize();
  return 0;
}
