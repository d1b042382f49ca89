/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of posix/calls.def that data_calls.c does not make: transfers inside the kernel, lists, mappings,
   names, folders, lines and formats. usage: rare_calls FOLDER TRUTH; FOLDER is watched, TRUTH lies elsewhere.
 */
#define _GNU_SOURCE
#include <aio.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>
#ifdef WITH_LIBAIO
#include <libaio.h>
#endif

#include "counted.h"

static void moved(ssize_t got, ssize_t expected, int from_file, int to_file) {
  REQUIRE(got == expected);
  if (from_file) was_read(&posix, got, expected);
  if (to_file) wrote(&posix, got, expected);
}

static void transfers(void) {
  int from = opened(open(in("from"), O_RDWR | O_CREAT, 0644), 1);
  int to = opened(open(in("to"), O_RDWR | O_CREAT, 0644), 1);
  int pipes[2];
  off_t at = 50;
  off64_t in_at = 10, out_at = 900;
  wrote(&posix, write(from, text, 1000), 1000);
  REQUIRE(lseek(from, 0, SEEK_SET) == 0);
  ++posix.seeks;
  moved(sendfile(to, from, NULL, 300), 300, 1, 1);
  moved(sendfile(to, from, &at, 100), 100, 1, 1);
  REQUIRE(at == 150);
  moved(sendfile64(to, from, NULL, 100), 100, 1, 1);
  moved(copy_file_range(from, NULL, to, NULL, 200, 0), 200, 1, 1);
  moved(copy_file_range(from, &in_at, to, &out_at, 100, 0), 100, 1, 1);
  REQUIRE(in_at == 110 && out_at == 1000);
  REQUIRE(pipe(pipes) == 0);
  moved(splice(from, NULL, pipes[1], NULL, 80, 0), 80, 1, 0);
  moved(splice(pipes[0], NULL, to, &out_at, 80, 0), 80, 0, 1);
  REQUIRE(copy_file_range(from, NULL, pipes[1], NULL, 10, 0) == -1);
  ++posix.errors;
  REQUIRE(close(pipes[0]) == 0 && close(pipes[1]) == 0);
  wrote(&posix, dprintf(to, "%08d", 7), 8);
  closed(close(from));
  closed(close(to));
}

static void asynchronous(void) {
  int fd = opened(open(in("asynchronous"), O_RDWR | O_CREAT, 0644), 1);
  struct aiocb first, second, third;
  struct aiocb* list[] = {&first, NULL, &second, &third};
  const struct aiocb* waited[1] = {&first};
  memset(&first, 0, sizeof first);
  first.aio_fildes = fd;
  first.aio_buf = text;
  first.aio_nbytes = 500;
  first.aio_lio_opcode = LIO_WRITE;
  second = third = first;
  second.aio_offset = 500;
  third.aio_lio_opcode = LIO_NOP;
  REQUIRE(lio_listio(LIO_WAIT, list, 4, NULL) == 0);
  wrote(&posix, aio_return(&first), 500);
  wrote(&posix, aio_return(&second), 500);
  REQUIRE(aio_fsync(O_SYNC, &first) == 0);
  ++posix.syncs;
  while (aio_error(&first) == EINPROGRESS) REQUIRE(aio_suspend(waited, 1, NULL) == 0);
  REQUIRE(aio_return(&first) == 0);
  first.aio_offset = 2000;
  REQUIRE(aio_write(&first) == 0);
  while (aio_error(&first) == EINPROGRESS) aio_suspend(waited, 1, NULL);
  wrote(&posix, aio_return(&first), 500);
  first.aio_buf = buffer;
  REQUIRE(aio_read(&first) == 0);
  while (aio_error(&first) == EINPROGRESS) aio_suspend(waited, 1, NULL);
  was_read(&posix, aio_return(&first), 500);
#ifdef WITH_LIBAIO
  {
    io_context_t context = 0;
    struct iocb blocks[3];
    struct iocb* submitted[3] = {&blocks[0], &blocks[1], &blocks[2]};
    struct io_event events[3];
    const struct iovec parts[2] = {{text, 30}, {text, 70}};
    REQUIRE(io_setup(3, &context) == 0);
    io_prep_pwrite(&blocks[0], fd, text, 1000, 3000);
    io_prep_pwritev(&blocks[1], fd, parts, 2, 4000);
    io_prep_pread(&blocks[2], fd, buffer, 100, 0);
    REQUIRE(io_submit(context, 3, submitted) == 3);
    REQUIRE(io_getevents(context, 3, 3, events, NULL) == 3);
    wrote(&posix, 1000, 1000);
    wrote(&posix, 100, 100);
    was_read(&posix, 100, 100);
    io_prep_pwrite(&blocks[1], -1, text, 100, 0); /* refused: only what is before it was submitted */
    REQUIRE(io_submit(context, 3, submitted) == 1);
    REQUIRE(io_getevents(context, 1, 1, events, NULL) == 1);
    wrote(&posix, 1000, 1000);
    REQUIRE(io_submit(context, 1, submitted + 2) == 1); /* what was left over */
    REQUIRE(io_getevents(context, 1, 1, events, NULL) == 1);
    was_read(&posix, 100, 100);
    REQUIRE(io_destroy(context) == 0);
    REQUIRE(io_submit(context, 1, submitted) < 0); /* a negative errno: the context is gone */
  }
#endif
  closed(close(fd));
}

static void mappings(void) {
  int fd = opened(open(in("mapped"), O_RDWR | O_CREAT, 0644), 1);
  char *map, *nothing;
  REQUIRE(ftruncate(fd, 8192) == 0);
  ++posix.truncates;
  map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  REQUIRE(map != MAP_FAILED);
  map[100] = 'x';
  REQUIRE(msync(map, 8192, MS_SYNC) == 0);
  REQUIRE(msync(map + 4096, 4096, MS_ASYNC) == 0);
  posix.syncs += 2;
  REQUIRE(munmap(map, 8192) == 0);
  nothing = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(nothing != MAP_FAILED && msync(nothing, 4096, MS_SYNC) == 0 && munmap(nothing, 4096) == 0);
  map = mmap64(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 4096);
  REQUIRE(map != MAP_FAILED && munmap(map, 4096) == 0);
  posix.maps += 2;
  posix.bytes_mapped += 8192 + 4096;
  REQUIRE(mmap(NULL, 0, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED && errno == EINVAL);
  closed(close(fd));
}

static void names(void) {
  const struct timeval now[2] = {{1000, 0}, {2000, 0}};
  const struct timespec exact[2] = {{1000, 0}, {2000, 0}};
  const struct utimbuf old = {1000, 2000};
  char name[4096];
  int fd = opened(open(in("named"), O_RDWR | O_CREAT, 0644), 1);
  REQUIRE(fchmod(fd, 0600) == 0 && fchown(fd, (uid_t)-1, (gid_t)-1) == 0);
  REQUIRE(futimens(fd, exact) == 0 && futimes(fd, now) == 0);
  posix.attributes += 4;
  /* By descriptor an error counts, too. */
  if (fsetxattr(fd, "user.a", "b", 1, 0) == 0)
    REQUIRE(fremovexattr(fd, "user.a") == 0);
  else
    REQUIRE(fremovexattr(fd, "user.a") == -1);
  posix.attributes += 2;
  REQUIRE(syncfs(fd) == 0);
  ++posix.syncs;
  REQUIRE(fallocate(fd, 0, 0, 100) == 0);
  ++posix.truncates;
  closed(close(fd));
  REQUIRE(chmod(in("named"), 0640) == 0 && fchmodat(AT_FDCWD, in("named"), 0644, 0) == 0);
  REQUIRE(chown(in("named"), (uid_t)-1, (gid_t)-1) == 0 && lchown(in("named"), (uid_t)-1, (gid_t)-1) == 0);
  REQUIRE(fchownat(AT_FDCWD, in("named"), (uid_t)-1, (gid_t)-1, 0) == 0);
  REQUIRE(utime(in("named"), &old) == 0 && utimes(in("named"), now) == 0 && lutimes(in("named"), now) == 0);
  REQUIRE(utimensat(AT_FDCWD, in("named"), exact, 0) == 0 && futimesat(AT_FDCWD, in("named"), now) == 0);
  posix.attributes += 10;
  if (setxattr(in("named"), "user.a", "b", 1, 0) == 0) {
    REQUIRE(removexattr(in("named"), "user.a") == 0 && lsetxattr(in("named"), "user.b", "c", 1, 0) == 0);
    REQUIRE(lremovexattr(in("named"), "user.b") == 0);
    posix.attributes += 4;
  }
  REQUIRE(chmod(in("missing"), 0640) == -1 && errno == ENOENT);
  REQUIRE(access(in("named"), R_OK) == 0 && eaccess(in("named"), R_OK) == 0);
  REQUIRE(euidaccess(in("named"), F_OK) == 0 && faccessat(AT_FDCWD, in("named"), F_OK, 0) == 0);
  posix.stats += 4;
  REQUIRE(access(in("missing"), F_OK) == -1 && errno == ENOENT);
  REQUIRE(link(in("named"), in("second")) == 0 &&
          linkat(AT_FDCWD, in("named"), AT_FDCWD, in("third"), 0) == 0);
  REQUIRE(symlink("named", in("fourth")) == 0 && symlinkat("named", AT_FDCWD, in("fifth")) == 0);
  posix.links += 4;
  snprintf(name, sizeof name, "%s/temporary.XXXXXX", folder);
  REQUIRE(mkdtemp(name) == name);
  ++posix.mkdirs;
  REQUIRE(rmdir(name) == 0);
  ++posix.unlinks;
}

static int list(DIR* listed) {
  int entries = 0;
  while (readdir(listed) != NULL) ++entries;
  return entries;
}

static void folders(void) {
  struct dirent** found;
  struct dirent64** found64;
  struct stat info;
  DIR* listed;
  int i, entries, fd;
  REQUIRE(mkdir(in("folder"), 0755) == 0);
  ++posix.mkdirs;
  for (i = 0; i < 5; ++i) {
    char name[64];
    snprintf(name, sizeof name, "folder/%d", i);
    closed(close(opened(open(in(name), O_WRONLY | O_CREAT, 0644), 1)));
  }
  REQUIRE((listed = opendir(in("folder"))) != NULL);
  REQUIRE((entries = list(listed)) == 7);
  REQUIRE(fstat(dirfd(listed), &info) == 0); /* a folder that is being listed is a file like others */
  ++posix.stats;
  rewinddir(listed);
  REQUIRE(readdir64(listed) != NULL);
  posix.entries += 8;
  fd = dirfd(listed);
  REQUIRE(closedir(listed) == 0);
  /* The number is free for a pipe. */
  {
    int pipes[2];
    REQUIRE(pipe(pipes) == 0 && (pipes[0] == fd || pipes[1] == fd));
    REQUIRE(write(pipes[1], text, 100) == 100 && read(pipes[0], buffer, 100) == 100);
    REQUIRE(close(pipes[0]) == 0 && close(pipes[1]) == 0);
  }
  REQUIRE((fd = open(in("folder"), O_RDONLY | O_DIRECTORY)) >= 0);
  REQUIRE((listed = fdopendir(fd)) != NULL && list(listed) == 7 && closedir(listed) == 0);
  posix.entries += 7;
  REQUIRE(scandir(in("folder"), &found, NULL, alphasort) == 7);
  while (--entries >= 0) free(found[entries]);
  free(found);
  REQUIRE(scandirat(AT_FDCWD, in("folder"), &found, NULL, NULL) == 7);
  for (i = 0; i < 7; ++i) free(found[i]);
  free(found);
  REQUIRE(scandir64(in("folder"), &found64, NULL, NULL) == 7);
  for (i = 0; i < 7; ++i) free(found64[i]);
  free(found64);
  posix.entries += 21;
  posix.listings += 5;
  REQUIRE(opendir(in("missing")) == NULL && errno == ENOENT);
  REQUIRE(closedir(opendir("/proc/self")) == 0);
}

static void scanned(FILE* stream, const char* format, ...) {
  va_list rest;
  va_start(rest, format);
  REQUIRE(vfscanf(stream, format, rest) == 1);
  va_end(rest);
}

static void streams(void) {
  char* line = NULL;
  size_t room = 0;
  int i, number, second;
  FILE* stream = fopen(in("lines"), "w+");
  REQUIRE(stream != NULL);
  ++stdio.opens;
  ++stdio.creates;
  for (i = 0; i < 4; ++i) wrote(&stdio, fprintf(stream, "%0*d\n", 9, i), 10);
  REQUIRE(putw(7, stream) == 0);
  wrote(&stdio, 4, 4);
  rewind(stream);
  ++stdio.seeks;
  was_read(&stdio, getline(&line, &room, stream), 10);
  was_read(&stdio, getdelim(&line, &room, '\n', stream), 10);
  REQUIRE(fscanf(stream, "%d", &number) == 1 && number == 2);
  was_read(&stdio, 9, 9);
  scanned(stream, "%d", &second);
  REQUIRE(second == 3);
  was_read(&stdio, 10, 10); /* the rest of one line, and of the next all but its end */
  was_read(&stdio, getline(&line, &room, stream), 1);
  REQUIRE(getw(stream) == 7);
  was_read(&stdio, 4, 4);
  REQUIRE(getline(&line, &room, stream) == -1 && feof(stream));
  ++stdio.reads;
  free(line);
  REQUIRE(fclose(stream) == 0);
  ++stdio.closes;
}

/* Standard output becomes a file. */
static void standard(void) {
  volatile int n = 12;
  REQUIRE(freopen(in("standard"), "w", stdout) == stdout);
  ++stdio.opens;
  ++stdio.creates;
  wrote(&stdio, printf("%05d\n", n), 6);
  REQUIRE(puts("text") >= 0);
  wrote(&stdio, 5, 5);
  REQUIRE(putchar('x') == 'x');
  wrote(&stdio, 1, 1);
  REQUIRE(fflush(stdout) == 0);
  ++stdio.flushes;
}

int main(int argc, char** argv) {
  REQUIRE(argc == 3);
  prepare(argv[1]);
  transfers();
  asynchronous();
  mappings();
  names();
  folders();
  streams();
  standard();
  write_truth(argv[2]);
  return 0;
}
