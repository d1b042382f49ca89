/* SPDX-License-Identifier: BSD-3-Clause */
/* A parent, children by fork (ending by exit and by _exit) and by vfork write to the same folder.
   usage: fork_child FOLDER; the parent writes 100 bytes, each of two forked children 1000. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char text[1000];

static void write_to(int fd, size_t bytes) {
  if (write(fd, text, bytes) != (ssize_t)bytes) exit(3);
}

int main(int argc, char** argv) {
  char path[4096];
  int fd, i, status;
  pid_t child;
  if (argc != 2) return 2;
  memset(text, 'a', sizeof text);
  snprintf(path, sizeof path, "%s/file", argv[1]);
  fd = open(path, O_WRONLY | O_CREAT, 0644);
  if (fd < 0) return 3;
  write_to(fd, 50);
  for (i = 0; i < 2; ++i) {
    child = fork();
    if (child == 0) {
      write_to(fd, 1000);
      if (i == 0) exit(0);
      _exit(0);
    }
    if (waitpid(child, &status, 0) != child || status != 0) return 4;
  }
  /* A vfork child shares our memory: what it closes is its own only. */
  child = vfork();
  if (child == 0) {
    close(fd);
    _exit(0);
  }
  if (waitpid(child, &status, 0) != child || status != 0) return 5;
  write_to(fd, 50);
  if (close(fd) != 0) return 6;
  printf("done\n");
  return 0;
}
