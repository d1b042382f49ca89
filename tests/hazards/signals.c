/* SPDX-License-Identifier: BSD-3-Clause */
/* Handlers that open, read and write while the program does, EINTR, siglongjmp out of a call, cancelled
   threads. usage: signals FOLDER TRUTH */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "counted.h"

static char name[4096];
static volatile sig_atomic_t handled;
static sigjmp_buf out;

static void handle(int number) {
  const int saved = errno;
  const int fd = open(name, O_RDWR | O_CREAT, 0644);
  char seen[8];
  (void)number;
  if (fd < 0 || pwrite(fd, "handler", 7, 0) != 7 || pread(fd, seen, 7, 0) != 7 || close(fd) != 0) abort();
  handled = handled + 1;
  errno = saved;
}
static void jump(int number) {
  (void)number;
  siglongjmp(out, 1);
}
static void nothing(int number) { (void)number; }

static void on(int number, void (*handler)(int), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = flags;
  REQUIRE(sigaction(number, &action, NULL) == 0);
}
static void tick(int microseconds) {
  const struct itimerval timer = {{0, microseconds}, {0, microseconds}};
  REQUIRE(setitimer(ITIMER_REAL, &timer, NULL) == 0);
}

static void* blocked(void* pipe_end) {
  char byte;
  return read(*(int*)pipe_end, &byte, 1) == 1 ? pipe_end : NULL;
}

int main(int argc, char** argv) {
  int fd, pipes[2], i;
  volatile int jumps = 0;
  pthread_t thread;
  void* result;
  REQUIRE(argc == 3);
  prepare(argv[1]);
  snprintf(name, sizeof name, "%s/of_handler", folder);
  fd = opened(open(in("of_program"), O_RDWR | O_CREAT, 0644), 1);
  on(SIGALRM, handle, SA_RESTART);
  tick(500);
  while (handled < 100) wrote(&posix, pwrite(fd, text, 64, 0), 64);
  tick(0);
  posix.opens += handled;
  posix.creates += 1;
  posix.closes += handled;
  posix.writes += handled;
  posix.reads += handled;
  posix.bytes_written += 7 * handled;
  posix.bytes_read += 7 * handled;

  /* Interrupted, without SA_RESTART. */
  REQUIRE(pipe(pipes) == 0);
  on(SIGALRM, nothing, 0);
  tick(2000);
  REQUIRE(read(pipes[0], buffer, 1) == -1 && errno == EINTR);
  tick(0);

  /* Left by a jump, from wherever it is: a call of no interest, which is not counted. */
  on(SIGALRM, jump, SA_NODEFER);
  if (sigsetjmp(out, 1) != 0) jumps = jumps + 1;
  if (jumps < 50) {
    tick(1000);
    for (;;) REQUIRE(read(pipes[0], buffer, 1) == -1);
  }
  tick(0);
  wrote(&posix, pwrite(fd, text, 64, 0), 64);

  /* Cancelled in a call. */
  for (i = 0; i < 20; ++i) {
    REQUIRE(pthread_create(&thread, NULL, blocked, &pipes[0]) == 0);
    usleep(100);
    REQUIRE(pthread_cancel(thread) == 0 && pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
  }
  wrote(&posix, pwrite(fd, text, 64, 0), 64);
  closed(close(fd));
  write_truth(argv[2]);
  return 0;
}
