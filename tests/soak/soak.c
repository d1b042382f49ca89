/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens, writes, reads, maps, renames, forks and lists at random for SECONDS, then says how much memory and
   how many descriptors it has, at a quarter of the time and at the end: neither may grow. usage: soak FOLDER
   SECONDS SEED */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char names[2][4096];
static const char* folder;

static int at_random(int below) { return rand() % below; }
static const char* a_name(int which) {
  snprintf(names[which], sizeof names[which], "%s/file.%04d", folder, at_random(500));
  return names[which];
}

static void some_file(void) {
  static char data[65536];
  const int fd = open(a_name(0), O_RDWR | (at_random(4) ? O_CREAT : 0), 0644);
  int i, copy;
  if (fd < 0) return;
  for (i = at_random(20); i > 0; --i) {
    if (pwrite(fd, data, (size_t)at_random(65536), at_random(1 << 20)) < 0) abort();
    if (read(fd, data, (size_t)at_random(65536)) < 0) abort();
  }
  copy = dup(fd);
  if (at_random(8) == 0 && ftruncate(fd, 8192) == 0) {
    void* map = mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED || munmap(map, 8192) != 0) abort();
  }
  close(fd);
  close(copy);
}
static void some_stream(void) {
  FILE* stream = fopen(a_name(0), "a+");
  char line[100];
  if (stream == NULL) return;
  fprintf(stream, "%d\n", at_random(1000));
  rewind(stream);
  if (fgets(line, sizeof line, stream) == NULL) clearerr(stream);
  fclose(stream);
}
static void some_name(void) {
  DIR* listed;
  switch (at_random(4)) {
    case 0:
      rename(a_name(0), a_name(1));
      break;
    case 1:
      unlink(a_name(0));
      break;
    case 2:
      chmod(a_name(0), 0600);
      break;
    default:
      if ((listed = opendir(folder)) == NULL) abort();
      while (readdir(listed) != NULL) {
      }
      closedir(listed);
  }
}
static void some_child(void) {
  const pid_t child = fork();
  if (child == 0) {
    some_file();
    if (at_random(3) == 0) abort();
    _exit(0);
  }
  if (child > 0) waitpid(child, NULL, 0);
}

static long resident(void) {
  FILE* stream = fopen("/proc/self/statm", "r");
  long all = 0, mine = 0;
  if (stream == NULL || fscanf(stream, "%ld %ld", &all, &mine) != 2) abort();
  fclose(stream);
  return mine * (sysconf(_SC_PAGESIZE) / 1024);
}
static int descriptors(void) {
  int i, n = 0;
  for (i = 0; i < 1024; ++i) n += fcntl(i, F_GETFD) != -1;
  return n;
}

int main(int argc, char** argv) {
  const time_t start = time(NULL);
  int told = 0;
  long seconds;
  if (argc != 4) return 2;
  folder = argv[1];
  seconds = atol(argv[2]);
  srand((unsigned)atoi(argv[3]));
  for (;;) {
    const int what = at_random(100);
    const time_t now = time(NULL) - start;
    if (what < 60)
      some_file();
    else if (what < 80)
      some_stream();
    else if (what < 97)
      some_name();
    else
      some_child();
    if ((!told && now * 4 >= seconds) || now >= seconds) {
      told = 1;
      printf("%ld %d\n", resident(), descriptors());
      fflush(stdout);
    }
    if (now >= seconds) return 0;
  }
}
