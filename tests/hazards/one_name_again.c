/* SPDX-License-Identifier: BSD-3-Clause */
/* One name created and removed again and again, and thousands of long names: all counted, in bounded memory.
   usage: one_name_again FOLDER TRUTH */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "counted.h"

static void create(const char* name) {
  const int fd = opened(open(name, O_WRONLY | O_CREAT | O_EXCL, 0644), 1);
  wrote(&posix, write(fd, text, 10), 10);
  closed(close(fd));
  REQUIRE(unlink(name) == 0);
  ++posix.unlinks;
}

int main(int argc, char** argv) {
  enum { AGAIN = 10000, NAMES = 4000 };
  char name[4096];
  int i;
  REQUIRE(argc == 3);
  prepare(argv[1]);
  for (i = 0; i < AGAIN; ++i) create(in("lock"));
  for (i = 0; i < NAMES; ++i) {
    snprintf(name, sizeof name, "%s/%0180d-%x", folder, i, i * 2654435761U);
    create(name);
  }
  write_truth(argv[2]);
  return 0;
}
