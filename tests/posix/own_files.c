/* SPDX-License-Identifier: BSD-3-Clause
 * Steps in each of which new processes write a file each, at the same time:
 *   own_files FOLDER STEPS PROCESSES BYTES
 * writes FOLDER/out.STEP.PROCESS. All of a step open their files before one of them writes. Exit code 1 when
 * a call fails. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kPiece = 256 * 1024 };

static int write_file(const char* folder, int step, int process, long bytes, int ready, int go) {
  static char piece[kPiece];
  char name[1024], c = 0;
  snprintf(name, sizeof name, "%s/out.%d.%d", folder, step, process);
  memset(piece, 'a' + process, sizeof piece);
  const int file = open(name, O_CREAT | O_EXCL | O_WRONLY, 0644);
  if (file < 0 || write(ready, "x", 1) != 1 || read(go, &c, 1) != 1) return 1;
  for (long done = 0; done < bytes; done += kPiece)
    if (write(file, piece, kPiece) != kPiece) return 1;
  if (step % 3 == 0) return close(file) == 0 ? 0 : 1;
  if (step % 3 == 1) return close_range((unsigned)file, (unsigned)file, 0) == 0 ? 0 : 1;
  return dup2(ready, file) == file ? 0 : 1; /* the number stands for something else */
}

int main(int argc, char** argv) {
  if (argc != 5) return 1;
  const int steps = atoi(argv[2]), processes = atoi(argv[3]);
  int failed = 0;
  for (int step = 0; step < steps; ++step) {
    int ready[2], go[2];
    if (pipe(ready) != 0 || pipe(go) != 0) return 1;
    for (int i = 0; i < processes; ++i) {
      const pid_t child = fork();
      if (child < 0) return 1;
      if (child == 0) exit(write_file(argv[1], step, i, atol(argv[4]), ready[1], go[0]));
    }
    char c = 0;
    for (int i = 0; i < processes; ++i) failed |= read(ready[0], &c, 1) != 1;
    for (int i = 0; i < processes; ++i) failed |= write(go[1], "x", 1) != 1;
    for (int i = 0; i < processes; ++i) {
      int status = 0;
      failed |= wait(&status) < 0 || status != 0;
    }
    close(ready[0]), close(ready[1]), close(go[0]), close(go[1]);
  }
  return failed ? 1 : 0;
}
