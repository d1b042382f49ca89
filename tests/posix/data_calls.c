/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes every POSIX and stdio call that the library counts, a known number of times, and writes down what it
   did. Built in several ways (plain, fortified, with 64-bit file offsets by macro): the same truth each time.
   usage: data_calls FOLDER TRUTH; FOLDER is watched, TRUTH lies elsewhere. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "counted.h"

static void descriptors(void) {
  const struct iovec out[2] = {{text, 70}, {text + 70, 30}};
  struct iovec into[2] = {{buffer, 60}, {buffer + 60, 940}};
  const size_t n = hundred;
  int fd = opened(open(in("data"), O_RDWR | O_CREAT, 0644), 1);
  wrote(&posix, write(fd, text, n), 100);
  wrote(&posix, writev(fd, out, 2), 100);
  wrote(&posix, pwrite(fd, text, n, 200), 100);
  wrote(&posix, pwritev(fd, out, 2, 300), 100);
  wrote(&posix, pwritev2(fd, out, 2, 400, 0), 100);
  wrote(&posix, pwritev2(fd, out, 2, -1, 0), 100); /* at the position: 200 */
  wrote(&posix, pwrite64(fd, text, n, 500), 100);
  wrote(&posix, pwritev64(fd, out, 2, 600), 100);
  wrote(&posix, pwritev64v2(fd, out, 2, 700, 0), 100);
  wrote(&posix, pwrite(fd, text, 0, 0), 0);
  REQUIRE(lseek(fd, 0, SEEK_SET) == 0);
  REQUIRE(lseek64(fd, 10, SEEK_SET) == 10);
  posix.seeks += 2;
  was_read(&posix, read(fd, buffer, n), 100);
  REQUIRE(memcmp(buffer, text + 10, 90) == 0);
  was_read(&posix, readv(fd, into, 2), 690); /* to the end: short */
  was_read(&posix, read(fd, buffer, n), 0);  /* at the end */
  was_read(&posix, pread(fd, buffer, n, 750), 50);
  was_read(&posix, preadv(fd, into, 2, 0), 800);
  was_read(&posix, preadv2(fd, into, 2, 100, 0), 700);
  was_read(&posix, pread64(fd, buffer, n, 0), 100);
  was_read(&posix, preadv64(fd, into, 2, 700), 100);
  was_read(&posix, preadv64v2(fd, into, 2, 790, 0), 10);
  /* Errors move nothing. */
  errno = 0;
  REQUIRE(pread(fd, buffer, n, -5) == -1 && errno == EINVAL);
  ++posix.errors;
  closed(close(fd));
  REQUIRE(close(fd) == -1 && errno == EBADF);
}

static void opening(void) {
  const int dir = open(folder, O_RDONLY | O_DIRECTORY);
  volatile int read_only = O_RDONLY; /* not known to the compiler: __open_2 in fortified builds */
  char name[4096];
  REQUIRE(dir >= 0);
  closed(close(opened(open64(in("o64"), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1)));
  closed(close(opened(openat(dir, "oat", O_WRONLY | O_CREAT, 0600), 1)));
  closed(close(opened(openat64(dir, "oat64", O_WRONLY | O_CREAT | O_EXCL, 0600), 1)));
  closed(close(opened(creat(in("creat"), 0600), 1)));
  closed(close(opened(creat64(in("creat"), 0600), 0)));
  closed(close(opened(open(in("creat"), read_only), 0)));
  closed(close(opened(open64(in("creat"), read_only), 0)));
  closed(close(opened(openat(dir, "creat", read_only), 0)));
  closed(close(opened(openat64(dir, "creat", read_only), 0)));
  snprintf(name, sizeof name, "%s/temporary.XXXXXX", folder);
  closed(close(opened(mkstemp(name), 1)));
  snprintf(name, sizeof name, "%s/temporary.XXXXXX.dat", folder);
  closed(close(opened(mkostemps(name, 4, O_CLOEXEC), 1)));
  REQUIRE(open(in("no/such/file"), O_RDONLY) == -1 && errno == ENOENT);
  REQUIRE(open(in("creat"), O_WRONLY | O_CREAT | O_EXCL, 0600) == -1 && errno == EEXIST);
  REQUIRE(close(dir) == 0);
}

static void metadata(void) {
  struct stat info;
  struct statx extended;
  int fd = opened(open(in("meta"), O_RDWR | O_CREAT, 0644), 1);
  REQUIRE(ftruncate(fd, 5000) == 0);
  REQUIRE(ftruncate64(fd, 6000) == 0);
  REQUIRE(posix_fallocate(fd, 0, 100) == 0);
  REQUIRE(truncate(in("meta"), 3000) == 0);
  posix.truncates += 4;
  REQUIRE(fsync(fd) == 0 && fdatasync(fd) == 0);
  posix.syncs += 2;
  REQUIRE(fstat(fd, &info) == 0 && info.st_size == 3000);
  REQUIRE(stat(in("meta"), &info) == 0 && lstat(in("meta"), &info) == 0);
  REQUIRE(fstatat(AT_FDCWD, in("meta"), &info, 0) == 0);
  REQUIRE(statx(AT_FDCWD, in("meta"), 0, STATX_SIZE, &extended) == 0 && extended.stx_size == 3000);
  posix.stats += 5;
  REQUIRE(stat(in("missing"), &info) == -1 && errno == ENOENT);
  closed(close(fd));
  REQUIRE(rename(in("meta"), in("renamed")) == 0);
  ++posix.renames;
  REQUIRE(mkdir(in("sub"), 0755) == 0);
  ++posix.mkdirs;
  REQUIRE(unlink(in("renamed")) == 0 && remove(in("creat")) == 0 && unlinkat(AT_FDCWD, in("oat"), 0) == 0);
  posix.unlinks += 3;
}

/* Each number that stands for a file counts for it, and no other does. */
static void hands(void) {
  int fd = opened(open(in("hands"), O_RDWR | O_CREAT, 0644), 1), pipes[2], copy, high, over;
  REQUIRE((copy = dup(fd)) >= 0);
  wrote(&posix, write(copy, text, 100), 100);
  REQUIRE((high = fcntl(fd, F_DUPFD, 300)) >= 300);
  wrote(&posix, write(high, text, 100), 100);
  REQUIRE((over = fcntl(fd, F_DUPFD_CLOEXEC, 400)) >= 400);
  wrote(&posix, write(over, text, 100), 100);
  REQUIRE(dup3(fd, 500, O_CLOEXEC) == 500);
  wrote(&posix, write(500, text, 100), 100);
  wrote(&posix, pwrite(fd, text, 100, 400), 100);
  closed(close(copy));
  wrote(&posix, pwrite(fd, text, 100, 500), 100); /* one of its numbers is gone, the others are not */

  /* A pipe takes the number of a file: its bytes are nobody's. */
  REQUIRE(pipe(pipes) == 0);
  REQUIRE(dup2(pipes[1], high) == high);
  REQUIRE(write(high, text, 1000) == 1000);
  REQUIRE(close(high) == 0);
  REQUIRE(read(pipes[0], buffer, 1000) == 1000);
  /* A file takes the number of a pipe. */
  REQUIRE(dup2(fd, pipes[1]) == pipes[1]);
  wrote(&posix, pwrite(pipes[1], text, 100, 600), 100);
  closed(close(pipes[1]));
  REQUIRE(close(pipes[0]) == 0);
  /* Closed by a range: the number is free for a pipe. */
  REQUIRE(close_range(400, 600, 0) == 0);
  REQUIRE(pipe(pipes) == 0);
  REQUIRE(dup2(pipes[1], 500) == 500);
  REQUIRE(write(500, text, 10) == 10);
  REQUIRE(close(500) == 0 && close(pipes[0]) == 0 && close(pipes[1]) == 0);
  closed(close(fd));
  /* A socket or pipe that gets the lowest number, which was a file's. */
  REQUIRE(pipe(pipes) == 0);
  REQUIRE(write(pipes[1], text, 77) == 77 && read(pipes[0], buffer, hundred) == 77);
  REQUIRE(close(pipes[0]) == 0 && close(pipes[1]) == 0);
}

static void formatted(FILE* stream, const char* format, ...) {
  va_list rest;
  va_start(rest, format);
  wrote(&stdio, vfprintf(stream, format, rest), 6);
  va_end(rest);
}

static FILE* stream_opened(FILE* stream, int created) {
  REQUIRE(stream != NULL);
  ++stdio.opens;
  stdio.creates += created;
  return stream;
}
static void stream_closed(int result) {
  REQUIRE(result == 0);
  ++stdio.closes;
}

static void streams(void) {
  const size_t n = hundred, item = 10;
  fpos_t place;
  int fd;
  FILE* stream = stream_opened(fopen(in("stream"), "w+"), 1);
  wrote(&stdio, (ssize_t)(item * fwrite(text, item, n, stream)), 1000);
  wrote(&stdio, (ssize_t)fwrite_unlocked(text, 1, n, stream), 100);
  REQUIRE(fputs("12345\n", stream) >= 0);
  wrote(&stdio, 6, 6);
  REQUIRE(fputs_unlocked("12345\n", stream) >= 0);
  wrote(&stdio, 6, 6);
  REQUIRE(fputc('x', stream) == 'x');
  wrote(&stdio, 1, 1);
  REQUIRE(putc('y', stream) == 'y');
  wrote(&stdio, 1, 1);
  wrote(&stdio, fprintf(stream, "%05d\n", (int)n), 6);
  formatted(stream, "%05d\n", (int)n);
  REQUIRE(fflush(stream) == 0);
  ++stdio.flushes;
  REQUIRE(fseek(stream, 0, SEEK_SET) == 0);
  was_read(&stdio, (ssize_t)(item * fread(buffer, item, n, stream)), 1000);
  REQUIRE(fgetpos(stream, &place) == 0);
  was_read(&stdio, (ssize_t)fread_unlocked(buffer, 1, n, stream), 100);
  REQUIRE(fgets(buffer, (int)thousand, stream) == buffer);
  was_read(&stdio, (ssize_t)strlen(buffer), 6);
  REQUIRE(fgets_unlocked(buffer, (int)thousand, stream) == buffer);
  was_read(&stdio, (ssize_t)strlen(buffer), 6);
  REQUIRE(fgetc(stream) == 'x');
  was_read(&stdio, 1, 1);
  REQUIRE(getc(stream) == 'y');
  was_read(&stdio, 1, 1);
  REQUIRE(fsetpos(stream, &place) == 0);
  rewind(stream);
  REQUIRE(fseeko(stream, 1120, SEEK_SET) == 0);
  REQUIRE(fseeko64(stream, 1120, SEEK_SET) == 0);
  stdio.seeks += 5;
  was_read(&stdio, (ssize_t)fread(buffer, 1, thousand, stream), 6); /* short: the end */
  REQUIRE(feof(stream) && fgets(buffer, (int)thousand, stream) == NULL && fgetc(stream) == EOF);
  stdio.reads += 2;
  stream = freopen(in("stream"), "a", stream);
  stream_closed(0);
  stream_opened(stream, 0);
  wrote(&stdio, (ssize_t)fwrite(text, 1, n, stream), 100);
  stream_closed(fclose(stream));

  fd = opened(open(in("stream"), O_RDONLY), 0);
  stream = fdopen(fd, "r");
  stream_opened(stream, 0);
  was_read(&stdio, (ssize_t)fread(buffer, 1, thousand, stream), 1000);
  stream_closed(fclose(stream)); /* closes what open opened: one close, in this layer */
  stream_closed(fclose(stream_opened(fopen64(in("stream64"), "wx"), 1)));
  REQUIRE(fopen(in("stream64"), "wx") == NULL && errno == EEXIST);
}

enum { THREADS = 8, CALLS = 200 };

static int shared;
static void* work(void* number) {
  char mine[64];
  const long me = (long)number;
  int i;
  for (i = 0; i < CALLS; ++i) {
    memset(mine, 'a' + (int)me, sizeof mine);
    REQUIRE(pwrite(shared, mine, sizeof mine, (me * CALLS + i) * (long)sizeof mine) == sizeof mine);
    REQUIRE(pread(shared, mine, sizeof mine, (me * CALLS + i) * (long)sizeof mine) == sizeof mine);
  }
  return NULL;
}

static void threads(void) {
  pthread_t thread[THREADS];
  long i;
  shared = opened(open(in("threads"), O_RDWR | O_CREAT, 0644), 1);
  for (i = 0; i < THREADS; ++i) REQUIRE(pthread_create(&thread[i], NULL, work, (void*)i) == 0);
  for (i = 0; i < THREADS; ++i) REQUIRE(pthread_join(thread[i], NULL) == 0);
  posix.writes += THREADS * CALLS;
  posix.reads += THREADS * CALLS;
  posix.bytes_written += THREADS * CALLS * 64;
  posix.bytes_read += THREADS * CALLS * 64;
  closed(close(shared));
}

int main(int argc, char** argv) {
  REQUIRE(argc == 3);
  prepare(argv[1]);
  descriptors();
  opening();
  metadata();
  hands();
  streams();
  threads();
  write_truth(argv[2]);
  printf("done\n");
  return 0;
}
