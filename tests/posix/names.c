/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens and closes each FILE, and asks for its attributes. usage: names FILE... */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char** argv) {
  struct stat about;
  int i;
  for (i = 1; i < argc; ++i) {
    const int fd = open(argv[i], O_RDONLY);
    if (fd < 0 || close(fd) != 0 || stat(argv[i], &about) != 0) return i;
  }
  return 0;
}
