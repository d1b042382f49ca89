/* SPDX-License-Identifier: BSD-3-Clause
 * The constants of the LogGP model (Alexandrov, Ionescu, Schauser, Scheiman 1995) between two ranks, as JSON:
 * o, the processor's time for a small message; L, its way; G, a byte's time in a long one. Seconds; the
 * quietest of several. Run it on 2 ranks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRounds = 20, kMessages = 200, kLong = 1 << 20 };
static char* buffer;

/* Half a round trip. */
static double way(int rank, int bytes, int times) {
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < times; ++i) {
      if (rank == 0) {
        MPI_Send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      } else {
        MPI_Recv(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
      }
    }
    const double one = (MPI_Wtime() - start) / (2 * times);
    if (one < best) best = one;
  }
  return best;
}

/* What a send of one byte takes its sender, when nobody waits. */
static double overhead(int rank) {
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < kMessages; ++i) {
      if (rank == 0) MPI_Send(buffer, 1, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
      if (rank == 1) MPI_Recv(buffer, 1, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    const double one = (MPI_Wtime() - start) / kMessages;
    if (one < best) best = one;
  }
  return best;
}

int main(int argc, char** argv) {
  int rank = 0, ranks = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  buffer = calloc(kLong, 1);
  if (ranks != 2 || buffer == NULL) {
    fprintf(stderr, "constants: run me on 2 ranks\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
    return 2;
  }
  const double small = way(rank, 1, kMessages), large = way(rank, kLong, 5), o = overhead(rank);
  const double wire = small - 2 * o > 0 ? small - 2 * o : 0;
  if (rank == 0) printf("{\"o\": %.3e, \"L\": %.3e, \"G\": %.3e}\n", o, wire, (large - small) / kLong);
  MPI_Finalize();
  return 0;
}
