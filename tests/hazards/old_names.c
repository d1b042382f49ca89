/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs call that were built with an older glibc: the stat family before 2.33, getc before 2.28.
   usage: old_names FOLDER TRUTH */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "counted.h"

int __xstat(int version, const char* path, struct stat* out);
int __lxstat(int version, const char* path, struct stat* out);
int __fxstat(int version, int fd, struct stat* out);
int __fxstatat(int version, int dir, const char* path, struct stat* out, int flags);
int __xstat64(int version, const char* path, struct stat64* out);
int __lxstat64(int version, const char* path, struct stat64* out);
int __fxstat64(int version, int fd, struct stat64* out);
int __fxstatat64(int version, int dir, const char* path, struct stat64* out, int flags);
int _IO_getc(FILE* stream);
int _IO_putc(int character, FILE* stream);
ssize_t __getdelim(char** line, size_t* room, int delimiter, FILE* stream);

int main(int argc, char** argv) {
  enum { VERSION = 1 }; /* _STAT_VER on x86-64 */
  struct stat info;
  struct stat64 wide;
  char* line = NULL;
  size_t room = 0;
  FILE* stream;
  int fd;
  REQUIRE(argc == 3);
  prepare(argv[1]);
  fd = opened(open(in("file"), O_RDWR | O_CREAT, 0644), 1);
  wrote(&posix, write(fd, text, 100), 100);
  REQUIRE(__fxstat(VERSION, fd, &info) == 0 && info.st_size == 100);
  REQUIRE(__fxstat64(VERSION, fd, &wide) == 0 && wide.st_size == 100);
  REQUIRE(__xstat(VERSION, in("file"), &info) == 0 && __lxstat(VERSION, in("file"), &info) == 0);
  REQUIRE(__xstat64(VERSION, in("file"), &wide) == 0 && __lxstat64(VERSION, in("file"), &wide) == 0);
  REQUIRE(__fxstatat(VERSION, AT_FDCWD, in("file"), &info, 0) == 0);
  REQUIRE(__fxstatat64(VERSION, AT_FDCWD, in("file"), &wide, 0) == 0);
  posix.stats += 8;
  REQUIRE(__xstat(VERSION, in("missing"), &info) == -1 && errno == ENOENT);
  closed(close(fd));
  stream = fopen(in("file"), "r+");
  REQUIRE(stream != NULL);
  ++stdio.opens;
  REQUIRE(_IO_getc(stream) == 'a');
  was_read(&stdio, 1, 1);
  was_read(&stdio, __getdelim(&line, &room, 'e', stream), 4);
  REQUIRE(fseek(stream, 0, SEEK_END) == 0);
  ++stdio.seeks;
  REQUIRE(_IO_putc('x', stream) == 'x');
  wrote(&stdio, 1, 1);
  free(line);
  REQUIRE(fclose(stream) == 0);
  ++stdio.closes;
  write_truth(argv[2]);
  return 0;
}
