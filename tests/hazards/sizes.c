/* SPDX-License-Identifier: BSD-3-Clause */
/* Offsets and sums beyond 2^31 and 2^32, appending, reading past the end. usage: sizes FOLDER TRUTH */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "counted.h"

int main(int argc, char** argv) {
  enum { PARTS = 1024, PART = 4 << 20 };
  static struct iovec parts[PARTS];
  const long long far = (5LL << 30) + 1;
  const long long most = 0x7ffff000; /* what Linux moves in one call */
  char* part = mmap(NULL, PART, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int fd, i;
  void* map;
  REQUIRE(argc == 3 && part != MAP_FAILED);
  prepare(argv[1]);
  for (i = 0; i < PARTS; ++i) parts[i] = (struct iovec){part, PART};
  fd = opened(open(in("sparse"), O_RDWR | O_CREAT, 0644), 1);
  wrote(&posix, pwrite(fd, text, 100, far), 100);
  for (i = 0; i < 2; ++i) was_read(&posix, preadv(fd, parts, PARTS, 0), most);
  was_read(&posix, read(fd, buffer, 100), 100);
  REQUIRE(lseek(fd, far + 50, SEEK_SET) == far + 50);
  ++posix.seeks;
  was_read(&posix, read(fd, buffer, 100), 50);
  was_read(&posix, read(fd, buffer, 100), 0);
  was_read(&posix, pread(fd, buffer, 100, 1LL << 40), 0);
  map = mmap(NULL, (size_t)far, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd, 0);
  REQUIRE(map != MAP_FAILED && munmap(map, (size_t)far) == 0);
  ++posix.maps;
  posix.bytes_mapped += far;
  REQUIRE(ftruncate(fd, 0) == 0);
  ++posix.truncates;
  closed(close(fd));
  fd = opened(open(in("sparse"), O_WRONLY | O_APPEND), 0);
  wrote(&posix, write(fd, text, 100), 100);
  wrote(&posix, pwrite(fd, text, 100, 0), 100); /* Linux appends all the same */
  REQUIRE(lseek(fd, 0, SEEK_CUR) == 100);
  ++posix.seeks;
  closed(close(fd));
  write_truth(argv[2]);
  return 0;
}
