/* SPDX-License-Identifier: BSD-3-Clause
 * The steps whose messages bench/scale_sim models, each told to the spy and timed on rank 0:
 *   steps FILE SECONDS    MPI_Init, MPI_File_open and _close (twice), small collectives for SECONDS,
 * MPI_Finalize Prints JSON of milliseconds. MPI_Init begins when this process does. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void step(const char* name) {
  static void (*tell)(const char*);
  if (!tell) *(void**)&tell = dlsym(RTLD_DEFAULT, "toto_spy_step"); /* where the spy is preloaded */
  if (tell) tell(name);
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  int rank = 0;
  double took[8];
  step("init");
  double start = now();
  MPI_Init(&argc, &argv);
  took[0] = now() - start;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* names[] = {"open", "close", "open_again", "close_again"};
  for (int i = 0; i < 2; ++i) {
    MPI_File file;
    MPI_Barrier(MPI_COMM_WORLD);
    step(names[2 * i]);
    start = now();
    if (MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) !=
        MPI_SUCCESS)
      MPI_Abort(MPI_COMM_WORLD, 3);
    took[1 + 2 * i] = now() - start;
    step("write");
    MPI_File_write_at(file, rank, "x", 1, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    step(names[2 * i + 1]);
    start = now();
    MPI_File_close(&file);
    took[2 + 2 * i] = now() - start;
  }
  step("rounds");
  const double until = now() + atof(argv[2]) * 1e3;
  int go = 1;
  while (go) { /* all ranks stop at the same turn: rank 0 says */
    go = now() < until;
    MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  step("end");
  start = now();
  MPI_Finalize();
  took[5] = now() - start;
  step("after");
  if (rank == 0)
    printf(
        "{\"init\": %.3f, \"open\": %.3f, \"close\": %.3f, \"open_again\": %.3f, \"close_again\": %.3f, "
        "\"end\": %.3f}\n",
        took[0], took[1], took[2], took[3], took[4], took[5]);
  return 0;
}
