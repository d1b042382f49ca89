/* SPDX-License-Identifier: BSD-3-Clause */
/* What first_calls loads: it is not loaded before a thread of its own is done. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void* work(void* name) {
  char other[4096];
  snprintf(other, sizeof other, "%s.linked", (const char*)name);
  return truncate64(name, 100) == 0 && link(name, other) == 0 &&
                 renameat(AT_FDCWD, other, AT_FDCWD, other) == 0
             ? name
             : NULL;
}

__attribute__((constructor)) static void begin(void) {
  pthread_t thread;
  void* done = NULL;
  if (pthread_create(&thread, NULL, work, getenv("FIRST_CALLS_NAME")) != 0 ||
      pthread_join(thread, &done) != 0 || done == NULL)
    abort();
}
