/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints two lines, creates FILE, prints a third. usage: report_on_stdout FILE */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int fd;
  if (argc != 2) return 2;
  printf("first line of the result\nsecond line of the result\n");
  fflush(stdout);
  fd = open(argv[1], O_CREAT | O_WRONLY, 0644);
  if (fd < 0 || write(fd, "x", 1) != 1 || close(fd) != 0) return 3;
  printf("last line of the result\n");
  fflush(stdout);
  return 0;
}
