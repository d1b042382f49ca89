/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that are made for the first time where little is allowed: in a thread that the program waits for
   inside dlopen (the dynamic linker's lock is held), in a signal handler that interrupted the dynamic linker,
   in a child of vfork. usage: first_calls FOLDER TRUTH PLUGIN */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counted.h"

static char in_handler[4096];
static volatile sig_atomic_t handled;

static void handle(int number) {
  const int saved = errno;
  (void)number;
  if (handled == 0 &&
      (mkdir(in_handler, 0755) != 0 || rmdir(in_handler) != 0 || symlink("nowhere", in_handler) != 0))
    abort();
  handled = 1;
  errno = saved;
}

int main(int argc, char** argv) {
  const struct itimerval once = {{0, 0}, {0, 2000}};
  const char* name;
  pid_t child;
  int status;
  void* plugin;
  REQUIRE(argc == 4);
  prepare(argv[1]);
  name = in("file");
  closed(close(opened(open(name, O_WRONLY | O_CREAT, 0644), 1)));

  /* Its constructor waits for a thread that truncates, links and renames. */
  REQUIRE(setenv("FIRST_CALLS_NAME", name, 1) == 0);
  plugin = dlopen(argv[3], RTLD_NOW);
  REQUIRE(plugin != NULL);
  posix.truncates += 1;
  posix.links += 1;
  posix.renames += 1;

  snprintf(in_handler, sizeof in_handler, "%s", in("of_handler"));
  REQUIRE(signal(SIGALRM, handle) != SIG_ERR && setitimer(ITIMER_REAL, &once, NULL) == 0);
  while (handled == 0) REQUIRE(dlsym(RTLD_DEFAULT, "no_such_function") == NULL);
  posix.mkdirs += 1;
  posix.unlinks += 1;
  posix.links += 1;

  child = vfork();
  if (child == 0) {
    if (chmod(name, 0600) != 0 || truncate(name, 7) != 0) _exit(1);
    _exit(0);
  }
  REQUIRE(child > 0 && waitpid(child, &status, 0) == child &&
          status == 0); /* such a child's calls do not count */
  write_truth(argv[2]);
  return dlclose(plugin);
}
