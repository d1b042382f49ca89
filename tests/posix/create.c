/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates files in every way that POSIX has and says what came of each.
   usage: create all          in the current folder
          create few
          create race N excl|plain   N processes create the file "race" at once */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The outcome of an open: ok or the error, and what the descriptor can do. */
static void tell(const char* what, int fd) {
  const int error = errno;
  struct stat info;
  char byte;
  if (fd < 0) {
    printf("%s: %s\n", what, strerrorname_np(error));
    return;
  }
  if (fstat(fd, &info) != 0) exit(3);
  printf("%s: fd %d mode %o size %lld links %d", what, fd, info.st_mode & 07777, (long long)info.st_size,
         (int)info.st_nlink);
  printf(" write %d", (int)write(fd, "abc", 3));
  printf(" read %d", (int)pread(fd, &byte, 1, 0));
  printf(" flags %o\n", fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND | O_NONBLOCK | O_NOFOLLOW));
  close(fd);
}

static void tell_stream(const char* what, FILE* stream) {
  const int error = errno;
  if (stream == NULL) {
    printf("%s: %s\n", what, strerrorname_np(error));
    return;
  }
  printf("%s: read %d", what, fgetc(stream));
  clearerr(stream);
  rewind(stream);
  printf(" flags %o", fcntl(fileno(stream), F_GETFL) & (O_ACCMODE | O_APPEND | O_NONBLOCK | O_NOFOLLOW));
  printf(" exec %d", fcntl(fileno(stream), F_GETFD));
  printf(" wrote %d", fprintf(stream, "line\n"));
  printf(" at %ld", ftell(stream));
  printf(" closed %d\n", fclose(stream));
}

static void old_file(const char* name) {
  FILE* stream = fopen(name, "w");
  if (stream == NULL || fputs("old contents\n", stream) < 0 || fclose(stream) != 0) exit(3);
}

/* No descriptor is to be had: a creating open fails and makes nothing. */
static void no_numbers_left(void) {
  struct rlimit before, few;
  int next = dup(0);
  if (next < 0 || close(next) != 0 || getrlimit(RLIMIT_NOFILE, &before) != 0) exit(3);
  few = before;
  few.rlim_cur = (rlim_t)next;
  if (setrlimit(RLIMIT_NOFILE, &few) != 0) exit(3);
  tell("no numbers", open("nonumber.dat", O_CREAT | O_RDWR, 0644));
  tell("no numbers excl", open("nonumber.dat", O_CREAT | O_RDWR | O_EXCL, 0644));
  if (setrlimit(RLIMIT_NOFILE, &before) != 0) exit(3);
  tell("not there", open("nonumber.dat", O_RDWR));
}

static void all(void) {
  const int modes[] = {0600, 0644, 0666, 0640, 0755, 0444, 0400, 0222, 0};
  char name[64];
  unsigned i;
  int dir;
  for (i = 0; i < sizeof modes / sizeof modes[0]; ++i) {
    snprintf(name, sizeof name, "open.%o.dat", modes[i]);
    tell(name, open(name, O_CREAT | O_RDWR, modes[i]));
    snprintf(name, sizeof name, "excl.%o.dat", modes[i]);
    tell(name, open(name, O_CREAT | O_RDWR | O_EXCL, modes[i]));
    snprintf(name, sizeof name, "creat.%o.dat", modes[i]);
    tell(name, creat(name, modes[i]));
  }
  tell("again excl", open("open.644.dat", O_CREAT | O_RDWR | O_EXCL, 0644));
  tell("again", open("open.644.dat", O_CREAT | O_RDWR, 0600));
  tell("append", open("append.dat", O_CREAT | O_WRONLY | O_APPEND, 0644));
  tell("append again", open("append.dat", O_CREAT | O_WRONLY | O_APPEND, 0644));
  old_file("old.dat");
  tell("truncate", open("old.dat", O_CREAT | O_TRUNC | O_RDWR, 0644));
  old_file("old2.dat");
  tell("no truncate", open("old2.dat", O_CREAT | O_RDWR, 0644));
  tell("read only", open("readonly.dat", O_CREAT | O_RDONLY, 0644));
  tell("new and truncate", open("newtrunc.dat", O_CREAT | O_TRUNC | O_RDWR, 0644));
  tell("no folder", open("no/folder.dat", O_CREAT | O_RDWR, 0644));
  tell("a folder", open(".", O_CREAT | O_RDWR, 0644));
  tell("slash", open("slash.dat/", O_CREAT | O_RDWR, 0644));
  tell("empty", open("", O_CREAT | O_RDWR, 0644));
  if (symlink("target.dat", "link.dat") != 0 || symlink("target.dat", "link2.dat") != 0) exit(3);
  tell("link excl", open("link.dat", O_CREAT | O_EXCL | O_RDWR, 0644));
  tell("link nofollow", open("link.dat", O_CREAT | O_NOFOLLOW | O_RDWR, 0644));
  tell("link", open("link.dat", O_CREAT | O_RDWR, 0644));
  if (mkdir("sub", 0755) != 0) exit(3);
  dir = open("sub", O_RDONLY | O_DIRECTORY);
  tell("openat", openat(dir, "at.dat", O_CREAT | O_RDWR, 0640));
  tell("openat excl", openat(dir, "at.dat", O_CREAT | O_EXCL | O_RDWR, 0640));
  close(dir);
  tell_stream("fopen w", fopen("w.dat", "w"));
  tell_stream("fopen w+", fopen("wplus.dat", "w+"));
  tell_stream("fopen a", fopen("a.dat", "a"));
  tell_stream("fopen a again", fopen("a.dat", "a"));
  tell_stream("fopen we", fopen("we.dat", "we"));
  tell_stream("fopen wb+", fopen("wbplus.dat", "wb+"));
  tell_stream("fopen w,ccs", fopen("ccs.dat", "w,ccs=UTF-8"));
  tell_stream("freopen w", freopen("reopened.dat", "w", fopen("first.dat", "w")));
  tell_stream("fopen wt", fopen("wt.dat", "wt"));
  tell_stream("fopen q", fopen("q.dat", "q"));
  tell_stream("fopen +w", fopen("plusw.dat", "+w"));
  tell_stream("fopen wx", fopen("wx.dat", "wx"));
  tell_stream("fopen wx again", fopen("wx.dat", "wx"));
  tell_stream("fopen r", fopen("missing.dat", "r"));
  no_numbers_left();
  umask(0);
  tell("umask 0", open("umask0.dat", O_CREAT | O_RDWR, 0666));
  umask(0777);
  tell("umask 0777", open("umask0777.dat", O_CREAT | O_RDWR, 0666));
}

/* A few ways, where all may fail. */
static void few(void) {
  tell("open", open("open.644.dat", O_CREAT | O_RDWR, 0644));
  tell("excl", open("excl.600.dat", O_CREAT | O_RDWR | O_EXCL, 0600));
  tell("creat", creat("creat.640.dat", 0640));
  tell_stream("fopen w", fopen("w.dat", "w"));
}

static int race(int processes, int exclusive) {
  int start[2], i, status, winners = 0, losers = 0;
  char go;
  if (pipe(start) != 0) return 3;
  for (i = 0; i < processes; ++i) {
    if (fork() == 0) {
      char record[16];
      int fd;
      close(start[1]);
      if (read(start[0], &go, 1) != 0) _exit(3); /* ends for all at once, when the parent closes its side */
      fd = open("race.dat", O_CREAT | O_RDWR | (exclusive ? O_EXCL : 0), 0644);
      if (fd < 0) _exit(errno == EEXIST ? 1 : 3);
      memset(record, 'a' + i, sizeof record);
      if (pwrite(fd, record, sizeof record, i * (long)sizeof record) != sizeof record || close(fd) != 0)
        _exit(3);
      _exit(0);
    }
  }
  close(start[0]);
  close(start[1]);
  for (i = 0; i < processes; ++i) {
    wait(&status);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) return 3;
    if (WEXITSTATUS(status) == 0)
      ++winners;
    else
      ++losers;
  }
  printf("%d winners, %d losers\n", winners, losers);
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "all") == 0) {
    all();
    return 0;
  }
  if (argc == 2 && strcmp(argv[1], "few") == 0) {
    few();
    return 0;
  }
  if (argc == 4 && strcmp(argv[1], "race") == 0) return race(atoi(argv[2]), strcmp(argv[3], "excl") == 0);
  return 2;
}
