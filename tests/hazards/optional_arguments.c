/* SPDX-License-Identifier: BSD-3-Clause */
/* open's mode belongs to O_CREAT and O_TMPFILE, and fcntl's argument may be an int, a pointer or absent: all
   arrive as the program gave them. usage: optional_arguments FOLDER TRUTH */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "counted.h"

static int mode_of(int fd) {
  struct stat info;
  REQUIRE(fstat(fd, &info) == 0);
  ++posix.stats;
  return (int)(info.st_mode & 07777);
}

int main(int argc, char** argv) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  struct flock asked = lock;
  int fd, other, i;
  const int modes[] = {0600, 0644, 0700, 0, 0400, 0666, 04711};
  REQUIRE(argc == 3);
  prepare(argv[1]);
  umask(022);
  for (i = 0; i < (int)(sizeof modes / sizeof modes[0]); ++i) {
    char name[32];
    snprintf(name, sizeof name, "mode%d", i);
    fd = opened(open(in(name), O_RDWR | O_CREAT, modes[i]), 1);
    printf("%s %o\n", name, mode_of(fd));
    wrote(&posix, write(fd, text, 10), 10);
    closed(close(fd));
  }
  fd = opened(openat(AT_FDCWD, in("at"), O_WRONLY | O_CREAT | O_EXCL, 0604), 1);
  printf("openat %o\n", mode_of(fd));
  closed(close(fd));
  fd = open(folder, O_TMPFILE | O_RDWR, 0640);
  if (fd >= 0) { /* not every file system has it; and such a file has no name to count for */
    struct stat info;
    REQUIRE(fstat(fd, &info) == 0);
    printf("O_TMPFILE %o\n", (unsigned)info.st_mode & 07777U);
    REQUIRE(close(fd) == 0);
  }
  fd = opened(open(in("mode0"), O_RDWR), 0); /* no mode at all */
  REQUIRE(fcntl(fd, F_SETFD, FD_CLOEXEC) == 0);
  printf("F_GETFD %d\n", fcntl(fd, F_GETFD)); /* absent */
  REQUIRE(fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_APPEND) == 0);
  printf("append %d\n", (fcntl(fd, F_GETFL) & O_APPEND) != 0);
  REQUIRE(fcntl(fd, F_SETLK, &lock) == 0); /* a pointer */
  REQUIRE(fcntl(fd, F_GETLK, &asked) == 0);
  printf("lock %d\n", asked.l_type == F_UNLCK);
  REQUIRE((other = fcntl(fd, F_DUPFD, 77)) >= 77); /* an int */
  wrote(&posix, write(other, text, 5), 5);
  printf("bad command %d, errno %d\n", fcntl(fd, 123456, 0L), errno);
  closed(close(other));
  closed(close(fd));
  write_truth(argv[2]);
  return 0;
}
