/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes to FILE by open and two writes, and by two fwrites. usage: two_writes FILE */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char** argv) {
  FILE* stream;
  int fd;
  if (argc != 2) return 2;
  fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0 || write(fd, "ab", 2) != 2 || write(fd, "cd", 2) != 2 || close(fd) != 0) return 3;
  stream = fopen(argv[1], "a");
  if (stream == NULL || fwrite("ef", 1, 2, stream) != 2 || fwrite("gh", 1, 2, stream) != 2) return 4;
  return fclose(stream) == 0 ? 0 : 5;
}
