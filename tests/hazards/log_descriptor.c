/* SPDX-License-Identifier: BSD-3-Clause */
/* Closes every descriptor that is not its own, and opens files until one of them has each number up to 220.
   usage: log_descriptor FOLDER FIRST LAST   FIRST and LAST are created before and after */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int create(const char* name) {
  const int fd = open(name, O_CREAT | O_WRONLY, 0644);
  return fd >= 0 && close(fd) == 0;
}

int main(int argc, char** argv) {
  char name[300], text[16];
  int fd, i, highest = 2;
  if (argc != 4 || !create(argv[2])) return 2;
  for (i = 3; i < 1024; ++i) close(i);
  while (highest < 220) {
    snprintf(name, sizeof name, "%s/data.%d", argv[1], highest + 1);
    fd = open(name, O_CREAT | O_RDWR | O_TRUNC, 0644);
    if (fd != highest + 1) return 3; /* as without us: the lowest number that is free */
    highest = fd;
    snprintf(text, sizeof text, "data of %d\n", fd);
    if (write(fd, text, strlen(text)) != (ssize_t)strlen(text)) return 4;
  }
  if (!create(argv[3])) return 5;
  for (i = 3; i <= highest; ++i) {
    snprintf(text, sizeof text, "end of %d\n", i);
    if (write(i, text, strlen(text)) != (ssize_t)strlen(text)) return 6;
  }
  printf("numbers up to %d\n", highest);
  return 0;
}
