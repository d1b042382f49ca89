/* SPDX-License-Identifier: BSD-3-Clause */
/* The floor of any preloaded library: each measured call goes to its next definition by a cached pointer, and
   nothing else happens. MPI's handles and numbers are passed on as machine words, so that one build serves
   every MPI. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* dlsym gives an object pointer; POSIX lets it stand for a function, ISO C needs the copy. */
static void resolve(void* function, const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  memcpy(function, &found, sizeof found);
}

#define FORWARD(result, name, parameters, arguments)                     \
  static result(*next_##name) parameters;                                \
  result name parameters {                                               \
    if (__builtin_expect(!next_##name, 0)) resolve(&next_##name, #name); \
    return next_##name arguments;                                        \
  }

FORWARD(ssize_t, write, (int fd, const void* from, size_t size), (fd, from, size))
FORWARD(ssize_t, read, (int fd, void* to, size_t size), (fd, to, size))
FORWARD(ssize_t, pwrite, (int fd, const void* from, size_t size, off_t at), (fd, from, size, at))
FORWARD(ssize_t, pread, (int fd, void* to, size_t size, off_t at), (fd, to, size, at))
FORWARD(off_t, lseek, (int fd, off_t at, int whence), (fd, at, whence))
FORWARD(int, close, (int fd), (fd))
FORWARD(size_t, fwrite, (const void* from, size_t size, size_t items, FILE* to), (from, size, items, to))
FORWARD(int, stat, (const char* path, struct stat* out), (path, out))

static int (*next_open)(const char* path, int flags, ...);
int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  if (__builtin_expect(!next_open, 0)) resolve(&next_open, "open");
  return next_open(path, flags, mode);
}

typedef uintptr_t Word;
int MPI_File_write_at(Word file, int64_t at, Word from, Word count, Word type, Word status);
int MPI_File_read_at(Word file, int64_t at, Word to, Word count, Word type, Word status);
FORWARD(int, MPI_File_write_at, (Word file, int64_t at, Word from, Word count, Word type, Word status),
        (file, at, from, count, type, status))
FORWARD(int, MPI_File_read_at, (Word file, int64_t at, Word to, Word count, Word type, Word status),
        (file, at, to, count, type, status))
