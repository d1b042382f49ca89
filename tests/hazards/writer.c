/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes 3000 bytes to FILE and says so. usage: writer FILE */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  char text[1000];
  int fd, i;
  if (argc != 2) return 2;
  memset(text, 'w', sizeof text);
  fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0) return 3;
  for (i = 0; i < 3; ++i) {
    if (write(fd, text, sizeof text) != sizeof text) return 4;
  }
  if (close(fd) != 0) return 5;
  printf("wrote %s\n", strrchr(argv[1], '/') + 1);
  return 0;
}
