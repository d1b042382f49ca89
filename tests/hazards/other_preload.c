/* SPDX-License-Identifier: BSD-3-Clause */
/* Another tool that is preloaded: counts write, fwrite and open, hands them on, and says the counts at the
   end, by system calls alone. OLD_TABLE: linked without DT_GNU_HASH; CHOSEN_AT_RUN_TIME: write is an indirect
   function; VERSIONS: write has an old version, too, which must not be called. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int writes, fwrites, opens;

static void* next(const char* name) { return dlsym(RTLD_NEXT, name); }

static ssize_t count_write(int fd, const void* from, size_t size) {
  ++writes;
  return syscall(SYS_write, fd, from, size);
}

#if defined(CHOSEN_AT_RUN_TIME)
typedef ssize_t Write(int fd, const void* from, size_t size);
__attribute__((used)) static Write* choose(void) { return count_write; }
ssize_t write(int fd, const void* from, size_t size) __attribute__((ifunc("choose")));
#elif defined(VERSIONS)
ssize_t old_write(int fd, const void* from, size_t size) {
  (void)fd, (void)from, (void)size;
  _exit(99);
}
ssize_t new_write(int fd, const void* from, size_t size) { return count_write(fd, from, size); }
__asm__(".symver old_write,write@OTHER_OLD");
__asm__(".symver new_write,write@@GLIBC_2.2.5");
#else
ssize_t write(int fd, const void* from, size_t size) { return count_write(fd, from, size); }
#endif

size_t fwrite(const void* from, size_t size, size_t items, FILE* to) {
  size_t (*call)(const void*, size_t, size_t, FILE*);
  void* found = next("fwrite");
  memcpy(&call, &found, sizeof found);
  ++fwrites;
  return call(from, size, items, to);
}

int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  va_list rest;
  va_start(rest, flags);
  if ((flags & O_CREAT) != 0) mode = va_arg(rest, mode_t);
  va_end(rest);
  ++opens;
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

__attribute__((destructor)) static void say(void) {
  char text[80];
  int length =
      snprintf(text, sizeof text, "other: %d writes, %d fwrites, %d opens\n", writes, fwrites, opens);
  syscall(SYS_write, STDERR_FILENO, text, length);
}
