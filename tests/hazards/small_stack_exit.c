/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes some files; then exit(7) by a thread with the smallest stack that there is.
   usage: small_stack_exit FOLDER */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void* leave(void* unused) {
  (void)unused;
  exit(7);
}

int main(int argc, char** argv) {
  char name[300];
  pthread_attr_t attributes;
  pthread_t thread;
  int i, fd;
  if (argc != 2) return 2;
  for (i = 0; i < 20; ++i) {
    snprintf(name, sizeof name, "%s/file.%d", argv[1], i);
    fd = open(name, O_CREAT | O_WRONLY, 0644);
    if (fd < 0 || write(fd, "x", 1) != 1 || close(fd) != 0) return 3;
  }
  if (pthread_attr_init(&attributes) != 0 ||
      pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN) != 0)
    return 4;
  if (pthread_create(&thread, &attributes, leave, NULL) != 0) return 5;
  pthread_join(thread, NULL);
  return 6;
}
