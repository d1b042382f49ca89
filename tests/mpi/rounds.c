/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes, by POSIX calls and by MPI-IO, in between MPI calls of all kinds, whose results it checks itself;
   long enough for rounds of some 20 ms. Rank 0 prints what all ranks have written: "posix CALLS BYTES mpi
   CALLS BYTES". usage: rounds MODE FOLDER */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "require.h"

enum { STEPS = 60, PAUSE = 5000 /* microseconds */, THREADS = 3, BLOCK = 64 };

static const char* mode;
static const char* folder;
static int rank, ranks;
static long long wrote[4]; /* POSIX calls and bytes, MPI-IO calls and bytes */
static int own = -1;
static MPI_File shared;

static int is(const char* name) { return strcmp(mode, name) == 0; }

static void write_own(void) {
  static char text[200];
  const ssize_t size = 100 + rank;
  REQUIRE(write(own, text, (size_t)size) == size, "write");
  ++wrote[0];
  wrote[1] += size;
}

static void open_own(const char* name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.%d", folder, name, rank);
  own = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  REQUIRE(own >= 0, "%s", path);
}

static void open_shared(MPI_Comm comm, const char* name, int number) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.%d", folder, name, number);
  require_success(MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &shared),
                  "open");
}

static void write_shared(int place, int collective) {
  char text[BLOCK];
  memset(text, 's', sizeof text);
  require_success(collective
                      ? MPI_File_write_at_all(shared, place * BLOCK, text, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE)
                      : MPI_File_write_at(shared, place * BLOCK, text, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE),
                  "write_at");
  ++wrote[2];
  wrote[3] += BLOCK;
}

static void expect_sum(MPI_Comm comm, int mine, int expected) {
  int sum = 0;
  require_success(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm), "allreduce");
  REQUIRE(sum == expected, "sum %d, not %d", sum, expected);
}

static int sum_of_ranks(void) { return ranks * (ranks - 1) / 2; }

/* Collectives of the program, and nothing else. */
static void plain(void) {
  int i;
  open_shared(MPI_COMM_WORLD, "shared", 0);
  for (i = 0; i < STEPS; ++i) {
    write_own();
    write_shared(i * ranks + rank, i % 2);
    expect_sum(MPI_COMM_WORLD, rank, sum_of_ranks());
    MPI_Barrier(MPI_COMM_WORLD);
    usleep(PAUSE);
  }
  require_success(MPI_File_close(&shared), "close");
}

/* Its own non-blocking collectives stay pending over many calls, several at a time. */
static void pending(void) {
  enum { KINDS = 4 };
  int i, k, done;
  int all[256], each[256], got[256], root, mine, sum;
  for (i = 0; i < STEPS / 4; ++i) {
    MPI_Request requests[KINDS];
    MPI_Request message[2];
    MPI_Status statuses[KINDS]; /* MPICH's MPI_STATUSES_IGNORE upsets the compiler */
    const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    int received = -1, token = rank * 1000 + i;
    mine = rank + i;
    root = rank == i % ranks ? i * 7 : -1;
    for (k = 0; k < ranks; ++k) each[k] = rank * 100 + k;
    MPI_Irecv(&received, 1, MPI_INT, from, i, MPI_COMM_WORLD, &message[0]);
    MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    MPI_Ibcast(&root, 1, MPI_INT, i % ranks, MPI_COMM_WORLD, &requests[1]);
    MPI_Ialltoall(each, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD, &requests[2]);
    for (k = 0; k < 4; ++k) { /* blocking ones overtake them */
      write_own();
      usleep(PAUSE);
      MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
      REQUIRE(all[ranks - 1] == ranks - 1, "allgather");
      MPI_Testall(3, requests, &done, statuses);
      if (done) requests[0] = requests[1] = requests[2] = MPI_REQUEST_NULL;
    }
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[3]);
    MPI_Isend(&token, 1, MPI_INT, to, i, MPI_COMM_WORLD, &message[1]);
    require_success(MPI_Waitall(KINDS, requests, statuses), "waitall");
    require_success(MPI_Waitall(2, message, statuses), "waitall");
    REQUIRE(sum == sum_of_ranks() + ranks * i, "iallreduce: %d", sum);
    REQUIRE(root == i * 7, "ibcast: %d", root);
    for (k = 0; k < ranks; ++k) REQUIRE(got[k] == k * 100 + rank, "ialltoall: %d", got[k]);
    REQUIRE(received == from * 1000 + i, "irecv: %d", received);
  }
}

/* Rank 0 is away for long, without any call of MPI; the others go on among themselves; then all together. */
static void away(void) {
  MPI_Comm others;
  int i;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &others);
  for (i = 0; i < STEPS; ++i) {
    write_own();
    if (rank != 0) expect_sum(others, rank, sum_of_ranks());
    usleep(PAUSE);
  }
  MPI_Comm_free(&others);
  plain();
}

struct thread {
  pthread_t id;
  MPI_Comm comm;
  int number;
};

static void* of_thread(void* argument) {
  const struct thread* me = argument;
  int i;
  for (i = 0; i < STEPS; ++i) {
    const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    int token = rank * 100 + i, got = -1;
    MPI_Sendrecv(&token, 1, MPI_INT, to, me->number, &got, 1, MPI_INT, from, me->number, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    REQUIRE(got == from * 100 + i, "sendrecv: %d", got);
    expect_sum(me->comm, rank + me->number, sum_of_ranks() + ranks * me->number);
    usleep(PAUSE);
  }
  return NULL;
}

static void threads(void) {
  struct thread all[THREADS];
  int i;
  for (i = 0; i < THREADS; ++i) {
    all[i].number = i;
    MPI_Comm_dup(MPI_COMM_WORLD, &all[i].comm);
    REQUIRE(pthread_create(&all[i].id, NULL, of_thread, &all[i]) == 0, "thread");
  }
  for (i = 0; i < STEPS; ++i) write_own();
  for (i = 0; i < THREADS; ++i) {
    pthread_join(all[i].id, NULL);
    MPI_Comm_free(&all[i].comm);
  }
}

/* Files and collectives of halves of the ranks, and between the halves. */
static void halves(void) {
  MPI_Comm half, between;
  const int side = rank % 2, evens = (ranks + 1) / 2;
  int i, size, expected = 0;
  MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
  MPI_Comm_size(half, &size);
  require_success(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 5, &between), "intercomm_create");
  for (i = 0; i < ranks; ++i) expected += i % 2 != side ? i : 0; /* what the other half gives */
  open_shared(half, "half", side);
  for (i = 0; i < STEPS; ++i) {
    write_own();
    write_shared(i * size + rank / 2, 1);
    expect_sum(between, rank, expected);
    expect_sum(half, 1, side == 0 ? evens : ranks - evens);
    usleep(PAUSE);
  }
  require_success(MPI_File_close(&shared), "close");
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

static void spawn(char* program) {
  MPI_Comm children;
  char* words[] = {"child", (char*)folder, NULL};
  int i, sum = 0;
  require_success(
      MPI_Comm_spawn(program, words, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE),
      "spawn");
  for (i = 0; i < STEPS; ++i) {
    write_own();
    expect_sum(children, rank, 100 + 101);
    usleep(PAUSE);
  }
  MPI_Reduce(NULL, &sum, 1, MPI_INT, MPI_SUM, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, children);
  MPI_Comm_disconnect(&children);
}

static void child(void) {
  MPI_Comm parent;
  int i;
  MPI_Comm_get_parent(&parent);
  MPI_Comm_remote_size(parent, &i);
  for (; own >= 0 && i >= 0;) {
    int k, size = i;
    for (k = 0; k < STEPS; ++k) {
      write_own();
      expect_sum(parent, 100 + rank, size * (size - 1) / 2);
      usleep(PAUSE);
    }
    break;
  }
  MPI_Reduce(&rank, NULL, 1, MPI_INT, MPI_SUM, 0, parent);
  MPI_Comm_disconnect(&parent);
}

static int end_here(MPI_Comm comm, int key, void* value, void* state) {
  (void)comm, (void)key, (void)value, (void)state;
  return raise(SIGKILL);
}

int main(int argc, char** argv) {
  int level, i;
  long long all[4] = {0};
  mode = argc > 1 ? argv[1] : "";
  folder = argc > 2 ? argv[2] : ".";
  if (is("threads")) {
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    REQUIRE(level == MPI_THREAD_MULTIPLE, "thread level %d", level);
  } else {
    MPI_Init(&argc, &argv);
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  open_own(is("child") ? "child" : "own");
  if (is("plain") || is("killed") || is("late") || is("gone")) plain();
  if (is("pending")) pending();
  if (is("away")) away();
  if (is("threads")) threads();
  if (is("halves")) halves();
  if (is("spawn")) spawn(argv[0]);
  if (is("child")) child();
  if (is("silent")) { /* no call of MPI at all between its start and its end */
    for (i = 0; i < STEPS; ++i) {
      write_own();
      usleep(PAUSE);
    }
  }
  REQUIRE(close(own) == 0, "close");
  if (is("silent")) {
    all[0] = (long long)ranks * STEPS;
    all[1] = all[0] * 100 + (long long)STEPS * sum_of_ranks();
  } else {
    MPI_Reduce(wrote, all, 4, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  }
  if (rank == 0) {
    printf("%s posix %lld %lld mpi %lld %lld\n", is("child") ? "child" : "all", all[0], all[1], all[2],
           all[3]);
    fflush(stdout);
  }
  if (is("killed")) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == ranks - 1) raise(SIGKILL);
    sleep(60);
  }
  if (is("gone") && rank == 0) { /* its callback is called inside MPI_Finalize, first of all */
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_here, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  }
  if (is("late") && rank == ranks - 1) sleep(4);
  MPI_Finalize();
  return 0;
}
