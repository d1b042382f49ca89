/* SPDX-License-Identifier: BSD-3-Clause */
/* A shared library of a program's: it is initialised before a preloaded one, and ends after it. Its calls
   work; they come before and after what can be counted. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int before_library_writes(const char* name);
static int ready;

static void write_one(const char* name) {
  const char* folder = getenv("BEFORE_FOLDER");
  char path[4096];
  int fd;
  FILE* stream;
  if (folder == NULL) return;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  fd = open(path, O_RDWR | O_CREAT, 0644);
  if (fd < 0 || write(fd, "text", 4) != 4 || pread(fd, path, 4, 0) != 4 || close(fd) != 0) abort();
  snprintf(path, sizeof path, "%s/%s", folder, name);
  stream = fopen(path, "a");
  if (stream == NULL || fprintf(stream, "%d\n", 7) != 2 || fclose(stream) != 0) abort();
}

__attribute__((constructor)) static void begin(void) {
  write_one("constructor");
  ready = 1;
}
__attribute__((destructor)) static void end(void) { write_one("destructor"); }
int before_library_writes(const char* name) {
  write_one(name);
  return ready;
}
