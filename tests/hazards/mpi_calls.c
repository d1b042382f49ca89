/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that are seldom made, and what they answer. usage: mpi_calls null_datatype|amode|locks FILE
          mpi_calls communicators FILE COUNT   as many duplicates, all kept, FILE opened by each */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank;

static int class_of(int error) {
  int class = -1;
  MPI_Error_class(error, &class);
  return class;
}

/* Flushed: the next call may end the program. */
static void tell(const char* what, int number) {
  if (rank != 0) return;
  printf("%s: %d\n", what, number);
  fflush(stdout);
}

static void null_datatype(const char* name) {
  MPI_File file;
  MPI_Status status;
  char byte = 0;
  tell("open",
       class_of(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file)));
  tell("write", class_of(MPI_File_write(file, &byte, 0, MPI_DATATYPE_NULL, &status)));
  tell("write_at", class_of(MPI_File_write_at(file, 0, &byte, 0, MPI_DATATYPE_NULL, &status)));
  tell("read", class_of(MPI_File_read(file, &byte, 0, MPI_DATATYPE_NULL, &status)));
  tell("read_at", class_of(MPI_File_read_at(file, 0, &byte, 0, MPI_DATATYPE_NULL, &status)));
  tell("close", class_of(MPI_File_close(&file)));
}

static void amode(const char* name) {
  const struct {
    const char* what;
    int amode;
  } wanted[] = {
      {"exclusive", MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR},
      {"exclusive, write only", MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY},
      {"create", MPI_MODE_CREATE | MPI_MODE_RDWR},
      {"create, write only", MPI_MODE_CREATE | MPI_MODE_WRONLY},
      {"exclusive, deleted", MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE},
  };
  char own[300];
  unsigned i;
  for (i = 0; i < sizeof wanted / sizeof wanted[0]; ++i) {
    MPI_File file;
    int got = -1;
    snprintf(own, sizeof own, "%s.%u", name, i);
    tell(wanted[i].what, class_of(MPI_File_open(MPI_COMM_WORLD, own, wanted[i].amode, MPI_INFO_NULL, &file)));
    MPI_File_get_amode(file, &got);
    tell("amode is what was asked", got == wanted[i].amode);
    tell("close", class_of(MPI_File_close(&file)));
  }
}

/* Whether another process would find the file locked. */
static int is_locked(int fd) {
  int status = 0;
  const pid_t child = fork();
  if (child == 0) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    _exit(fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK);
  }
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

/* A POSIX lock goes with any close of the file by the process that holds it. */
static void locks(const char* name) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  const int fd = open(name, O_CREAT | O_RDWR, 0644);
  MPI_File file;
  tell("lock", fcntl(fd, F_SETLK, &lock));
  tell("locked before", is_locked(fd));
  tell("open", class_of(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR, MPI_INFO_NULL, &file)));
  tell("locked while it is open", is_locked(fd));
  tell("close", class_of(MPI_File_close(&file)));
  close(fd);
}

static void communicators(const char* name, int count) {
  int i, opened = 0;
  for (i = 0; i < count; ++i) {
    MPI_Comm kept;
    MPI_File file;
    if (MPI_Comm_dup(MPI_COMM_WORLD, &kept) != MPI_SUCCESS) break;
    if (MPI_File_open(kept, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) != MPI_SUCCESS)
      break;
    if (MPI_File_close(&file) != MPI_SUCCESS) break;
    ++opened;
  }
  tell("opened", opened);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc == 3 && strcmp(argv[1], "null_datatype") == 0)
    null_datatype(argv[2]);
  else if (argc == 3 && strcmp(argv[1], "amode") == 0)
    amode(argv[2]);
  else if (argc == 3 && strcmp(argv[1], "locks") == 0)
    locks(argv[2]);
  else if (argc == 4 && strcmp(argv[1], "communicators") == 0)
    communicators(argv[2], atoi(argv[3]));
  else
    MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Finalize();
  return 0;
}
