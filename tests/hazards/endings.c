/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes 3 x 1000 bytes to FOLDER/posix.RANK (with MPI also 500 to FOLDER/shared) and ends as it is told.
   usage: endings HOW FOLDER. With WITH_MPI: a program of any number of ranks, which finalizes before those
   endings that are a program's own choice; of the sudden ones the last rank dies, and the others wait. */
#define _GNU_SOURCE
#ifdef WITH_MPI
#include <mpi.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* how;
static const char* folder;
static int rank;

static int is(const char* name) { return strcmp(how, name) == 0; }

static void write_some(const char* name) {
  char path[4096], text[1000];
  int fd, i;
  memset(text, 'e', sizeof text);
  snprintf(path, sizeof path, "%s/%s.%d", folder, name, rank);
  fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (fd < 0) exit(3);
  for (i = 0; i < 3; ++i) {
    if (write(fd, text, sizeof text) != sizeof text) exit(4);
  }
  if (close(fd) != 0) exit(5);
}

static void die_suddenly(void) {
  if (is("abort")) abort();
  if (is("SIGKILL")) raise(SIGKILL);
  if (is("SIGTERM")) raise(SIGTERM);
#ifdef WITH_MPI
  if (is("MPI_Abort")) MPI_Abort(MPI_COMM_WORLD, 9);
#endif
}

static int end(char** argv) {
  if (is("exit")) exit(0);
  if (is("_exit")) _exit(0);
  if (is("_Exit")) _Exit(0);
  if (is("quick_exit")) quick_exit(0);
  if (is("exit_group")) syscall(SYS_exit_group, 0);
  if (is("exec")) execl("/bin/true", "true", (char*)NULL);
  if (is("daemon")) { /* the parent ends, the child works on */
    char c;
    int ends[2];
    if (pipe(ends) != 0 || (rank = fork()) < 0) return 6;
    if (rank != 0) return 0;
    close(ends[1]);
    if (read(ends[0], &c, 1) != 0) return 6; /* the end of the file: the parent has ended */
    rank = 1;
    write_some("posix");
  }
  if (is("wait")) { /* no child is there but its own */
    int status = 0;
    pid_t child;
    if (wait(&status) != -1 || errno != ECHILD) return 7;
    if ((child = fork()) == 0) _exit(5);
    if (wait(&status) != child || WEXITSTATUS(status) != 5 || wait(&status) != -1) return 8;
  }
  if (is("itself")) { /* becomes itself, four times in all */
    char* count = getenv("ENDINGS_COUNT");
    if (count == NULL || strlen(count) < 3) {
      char next[8] = "x";
      strcat(next, count != NULL ? count : "");
      setenv("ENDINGS_COUNT", next, 1);
      execv("/proc/self/exe", argv);
    }
  }
  return is("code") ? 42 : 0;
}

#ifdef WITH_MPI
static void write_shared(void) {
  MPI_File file;
  char path[4096], text[500];
  memset(text, 's', sizeof text);
  snprintf(path, sizeof path, "%s/shared", folder);
  if (MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) !=
      MPI_SUCCESS)
    exit(3);
  MPI_File_write_at(file, 500 * (MPI_Offset)rank, text, 500, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  int i, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 3) return 2;
  how = argv[1];
  folder = argv[2];
  write_some("posix");
  write_shared();
  for (i = 0; i < 20; ++i) { /* rounds, where they are short */
    MPI_Barrier(MPI_COMM_WORLD);
    usleep(10000);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (is("no_finalize")) return 0;
  if (is("some_finalize") && rank == ranks - 1) return 0;
  if (is("abort") || is("SIGKILL") || is("SIGTERM") || is("MPI_Abort")) {
    if (rank == ranks - 1) die_suddenly();
    sleep(60); /* ended by the launcher */
    return 9;
  }
  MPI_Finalize();
  return end(argv);
}
#else
int main(int argc, char** argv) {
  if (argc != 3) return 2;
  how = argv[1];
  folder = argv[2];
  write_some("posix");
  die_suddenly();
  return end(argv);
}
#endif
