/* SPDX-License-Identifier: BSD-3-Clause */
/* 64 threads with the smallest stacks, all of them opening, writing, reading, renaming files with long names
   at once. usage: small_stacks FOLDER TRUTH */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "counted.h"

enum { THREADS = 64, ROUNDS = 20 };
static char names[THREADS][2][4096];

static void* work(void* argument) {
  const long me = (long)argument;
  struct stat info;
  int i;
  for (i = 0; i < ROUNDS; ++i) {
    const int fd = open(names[me][0], O_RDWR | O_CREAT, 0644);
    REQUIRE(fd >= 0 && pwrite(fd, text, 64, 0) == 64 && read(fd, names[me][1] + 3072, 64) == 64);
    REQUIRE(fstat(fd, &info) == 0 && close(fd) == 0);
    REQUIRE(stat(names[me][0], &info) == 0 && rename(names[me][0], names[me][1]) == 0);
    REQUIRE(access(names[me][1], F_OK) == 0 && unlink(names[me][1]) == 0);
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_attr_t attributes;
  pthread_t threads[THREADS];
  size_t stack = (size_t)sysconf(_SC_THREAD_STACK_MIN);
  long i;
  const long n = THREADS * ROUNDS;
  REQUIRE(argc == 3);
  prepare(argv[1]);
  if (stack < 16384) stack = 16384;
  REQUIRE(pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, stack) == 0);
  for (i = 0; i < THREADS; ++i) {
    snprintf(names[i][0], 4096, "%.1000s/%0200ld", folder, i);
    snprintf(names[i][1], 4096, "%.1000s/%0200ld.new", folder, i);
  }
  for (i = 0; i < THREADS; ++i) REQUIRE(pthread_create(&threads[i], &attributes, work, (void*)i) == 0);
  for (i = 0; i < THREADS; ++i) REQUIRE(pthread_join(threads[i], NULL) == 0);
  posix.opens = posix.creates = posix.closes = posix.writes = posix.reads = posix.renames = posix.unlinks = n;
  posix.bytes_written = posix.bytes_read = 64 * n;
  posix.stats = 3 * n;
  write_truth(argv[2]);
  return 0;
}
