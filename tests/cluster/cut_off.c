/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes, each rank to a file of its own, with words between all ranks; says that it is ready by
   FOLDER/ready.RANK; and waits, without a call of MPI, until FOLDER/cut is there. Then it writes and talks
   within its node only, which a cut network does not touch, and says so by FOLDER/alone.RANK. At last it does
   what needs everybody, and which a host that is cut off never answers. usage: cut_off barrier|finalize
   FOLDER */
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "require.h"

enum { STEPS = 40, PAUSE = 5000 /* microseconds */ };

static const char* folder;
static int rank, own;

static void say(const char* word) {
  char path[4096];
  int fd;
  snprintf(path, sizeof path, "%s/%s.%d", folder, word, rank);
  fd = open(path, O_WRONLY | O_CREAT, 0644);
  REQUIRE(fd >= 0, "%s", path);
  close(fd);
}

static void write_and_talk(MPI_Comm comm) {
  static char text[200];
  int i, ranks, sum;
  MPI_Comm_size(comm, &ranks);
  for (i = 0; i < STEPS; ++i) {
    const int one = 1;
    REQUIRE(write(own, text, (size_t)(100 + rank)) == 100 + rank, "write");
    require_success(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm), "allreduce");
    REQUIRE(sum == ranks, "sum %d", sum);
    usleep(PAUSE);
  }
}

int main(int argc, char** argv) {
  MPI_Comm node;
  char path[4096];
  REQUIRE(argc > 2, "barrier|finalize FOLDER");
  folder = argv[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  snprintf(path, sizeof path, "%s/own.%d", folder, rank);
  own = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  REQUIRE(own >= 0, "%s", path);
  write_and_talk(MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  say("ready");
  snprintf(path, sizeof path, "%s/cut", folder);
  while (access(path, F_OK) != 0) usleep(PAUSE);
  write_and_talk(node);
  say("alone");
  if (strcmp(argv[1], "barrier") == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
