/* SPDX-License-Identifier: BSD-3-Clause
 * The work that bench/memory measures: opens, writes 4 KiB, closes, so many times, over so many names.
 *   files FOLDER CALLS NAMES  ->  "SECONDS RESIDENT_KIB"
 * The files are there already (made by `files FOLDER make NAMES`), with names of about 200 characters. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void name_of(char* out, size_t size, const char* folder, long i) {
  snprintf(out, size,
           "%s/%03ld/a-file-with-quite-a-long-name-as-workflow-engines-make-them-from-all-their-"
           "parameters-alpha=0.125-beta=17-gamma=3e-5-solver=gmres-preconditioner=ilu-"
           "realisation=%c%c%c-step=%08ld.out",
           folder, i % 100, (char)('a' + i % 26), (char)('a' + i / 26 % 26), (char)('a' + i / 676 % 26), i);
}

int main(int argc, char** argv) {
  static char block[4096], name[4096];
  if (argc != 4) return 2;
  const long names = atol(argv[3]);
  if (strcmp(argv[2], "make") == 0) {
    for (long i = 0; i < names; ++i) {
      name_of(name, sizeof name, argv[1], i);
      const int fd = open(name, O_CREAT | O_WRONLY, 0600);
      if (fd < 0 || write(fd, block, sizeof block) != (ssize_t)sizeof block) return 3;
      close(fd);
    }
    return 0;
  }
  const long calls = atol(argv[2]);
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (long i = 0; i < calls; ++i) {
    name_of(name, sizeof name, argv[1], i % names);
    const int fd = open(name, O_WRONLY);
    if (fd < 0 || write(fd, block, sizeof block) != (ssize_t)sizeof block) return 3;
    close(fd);
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  /* (Not ru_maxrss: that begins with what the process had before it became this program.) */
  long size = 0, resident = 0;
  FILE* statm = fopen("/proc/self/statm", "r");
  if (statm == NULL || fscanf(statm, "%ld %ld", &size, &resident) != 2) return 4;
  fclose(statm);
  printf("%.6f %ld\n", (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9,
         resident * (sysconf(_SC_PAGESIZE) / 1024));
  return 0;
}
