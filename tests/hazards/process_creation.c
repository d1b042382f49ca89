/* SPDX-License-Identifier: BSD-3-Clause */
/* fork while another thread writes, vfork, posix_spawn, clone, exec: children count, and none of them
   disturbs its parent's table of descriptors. usage: process_creation FOLDER TRUTH; process_creation FILE (a
   child) */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counted.h"

static atomic_int stop, written;
static int shared;

static void* write_on(void* nothing) {
  while (!atomic_load(&stop)) {
    REQUIRE(pwrite(shared, text, 100, 0) == 100);
    atomic_fetch_add(&written, 1);
  }
  return nothing;
}

static void ends_well(pid_t child) {
  int status;
  REQUIRE(child > 0 && waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void child_writes(void) { /* counts for the parent's truth */
  ++posix.opens;
  ++posix.creates;
  ++posix.closes;
  ++posix.writes;
  posix.bytes_written += 10;
}
static int write_file(const char* path) {
  const int fd = open(path, O_WRONLY | O_CREAT, 0644);
  return fd >= 0 && write(fd, "0123456789", 10) == 10 && close(fd) == 0 ? 0 : 1;
}

static int in_our_memory(void* fd) {
  close(*(int*)fd);
  dup2(0, shared);
  execl("/bin/true", "true", (char*)NULL);
  _exit(1);
}

int main(int argc, char** argv) {
  enum { FORKS = 40 };
  static char stack[256 * 1024] __attribute__((aligned(16)));
  pthread_t thread;
  pid_t child;
  int i, fd;
  char path[4096];
  char* words[] = {argv[0], path, NULL};
  extern char** environ;
  if (argc == 2) return write_file(argv[1]);
  REQUIRE(argc == 3);
  prepare(argv[1]);
  shared = opened(open(in("shared"), O_RDWR | O_CREAT, 0644), 1);
  REQUIRE(pthread_create(&thread, NULL, write_on, NULL) == 0);
  for (i = 0; i < FORKS; ++i) {
    child = fork();
    if (child == 0) _exit(pwrite(shared, text, 50, 1000) == 50 ? 0 : 1);
    ends_well(child);
    ++posix.writes;
    posix.bytes_written += 50;
  }
  atomic_store(&stop, 1);
  REQUIRE(pthread_join(thread, NULL) == 0);
  posix.writes += atomic_load(&written);
  posix.bytes_written += 100LL * atomic_load(&written);

  fd = opened(open(in("kept"), O_RDWR | O_CREAT, 0644), 1);
  child = vfork();
  if (child == 0) { /* in our memory: what it closes is closed for itself alone */
    close(fd);
    dup2(0, shared);
    execl("/bin/true", "true", (char*)NULL);
    _exit(1);
  }
  ends_well(child);
  wrote(&posix, write(fd, text, 100), 100);
  wrote(&posix, pwrite(shared, text, 100, 0), 100);

  child = clone(in_our_memory, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, &fd);
  ends_well(child);
  wrote(&posix, write(fd, text, 100), 100);
  wrote(&posix, pwrite(shared, text, 100, 0), 100);
  child = vfork(); /* once more, after the parent was seen to be itself */
  if (child == 0) _exit(close(fd));
  ends_well(child);
  wrote(&posix, write(fd, text, 100), 100);

  snprintf(path, sizeof path, "%s/spawned", folder);
  REQUIRE(posix_spawn(&child, argv[0], NULL, NULL, words, environ) == 0);
  ends_well(child);
  child_writes();

  child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); /* no handler of fork's is called */
  if (child == 0) _exit(write(fd, text, 30) == 30 ? 0 : 1);
  ends_well(child);
  wrote(&posix, 30, 30);

  snprintf(path, sizeof path, "%s/executed", folder);
  child = fork();
  if (child == 0) {
    execv(argv[0], words);
    _exit(1);
  }
  ends_well(child);
  child_writes();
  REQUIRE(system("exec true") == 0);
  closed(close(fd));
  closed(close(shared));
  write_truth(argv[2]);
  return 0;
}
