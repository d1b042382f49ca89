/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses files of two folders by every kind of call and says what came of each.
   usage: high_descriptors FILE... */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static void say(const char* what, long result) {
  printf("  %s %ld %s\n", what, result, result < 0 ? strerror(errno) : "");
}

static void use(const char* path) {
  char text[16] = "";
  struct iovec piece = {"vector", 6};
  struct stat about;
  int copy, fd = open(path, O_CREAT | O_EXCL | O_RDWR, 0640);
  printf("%s\n  high %d\n", strrchr(path, '/'), fd >= 0x20000000);
  say("again", open(path, O_CREAT | O_EXCL | O_RDWR, 0640));
  say("write", write(fd, "abcdef", 6));
  say("writev", writev(fd, &piece, 1));
  say("pwrite", pwrite(fd, "XY", 2, 2));
  copy = dup(fd);
  say("dup", copy >= 0);
  say("seek", lseek(copy, 0, SEEK_SET));
  say("read", read(fd, text, 5));
  say("pread", pread(copy, text + 5, 5, 5));
  printf("  text %s\n", text);
  say("fsync", fsync(fd));
  say("ftruncate", ftruncate(fd, 9));
  say("fstat", fstat(copy, &about));
  printf("  size %ld mode %o\n", (long)about.st_size, about.st_mode & 07777);
  say("close", close(fd));
  say("close", close(fd));
  say("write to the copy", write(copy, "!", 1));
  say("close", close(copy));
  say("none", open("/no/such/daos/file", O_RDWR));
  say("seek", lseek(0x20000000 + 5000, 0, SEEK_CUR));
  say("close", close(0x7fffffff));
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) use(argv[i]);
  return 0;
}
