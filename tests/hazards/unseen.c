/* SPDX-License-Identifier: BSD-3-Clause */
/* What no wrapper sees: system calls without libc's name, libc's own, stores into a mapping, a private copy
   of libc. The program's result is its own, and what is seen is counted. usage: unseen FOLDER TRUTH */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "counted.h"

int main(int argc, char** argv) {
  int fd;
  char* map;
  void* private_libc;
  REQUIRE(argc == 3);
  prepare(argv[1]);
  fd = opened(open(in("file"), O_RDWR | O_CREAT, 0644), 1);
  wrote(&posix, write(fd, text, 100), 100);
  REQUIRE(syscall(SYS_write, fd, text, 1000) == 1000);
  wrote(&posix, write(fd, text, 100), 100);
  private_libc = dlmopen(LM_ID_NEWLM, "libc.so.6", RTLD_NOW | RTLD_LOCAL);
  if (private_libc != NULL) {
    ssize_t (*private_write)(int, const void*, size_t) = NULL;
    *(void**)&private_write = dlsym(private_libc, "write");
    REQUIRE(private_write != NULL && private_write(fd, text, 50) == 50);
  } else {
    REQUIRE(syscall(SYS_write, fd, text, 50) == 50);
  }
  map = mmap(NULL, 1250, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  REQUIRE(map != MAP_FAILED);
  memset(map, 'z', 1250);
  REQUIRE(munmap(map, 1250) == 0);
  ++posix.maps;
  posix.bytes_mapped += 1250;
  closed(syscall(SYS_close, fd) == 0 ? 0 : -1);
  --posix.closes;                             /* not seen */
  fd = opened(open(in("file"), O_RDONLY), 0); /* the same number again */
  was_read(&posix, read(fd, buffer, 2000), 1250);
  closed(close(fd));
  write_truth(argv[2]);
  return 0;
}
