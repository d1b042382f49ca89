/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that create one file at once, again and again, in the current folder, and what went wrong.
   usage: creation_races PROCESSES ROUNDS plain|excl|trunc COUNT SIZE
   COUNT, SIZE: the layout that every opened file must have at once; 0 0: not looked at. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { MOST = 64, RECORD = 16 };
static const char* const name = "race.dat";

struct one { /* what a process saw in this round */
  int error; /* of its open; 0: opened */
  ino_t inode;
  int bad_layout;
};

static struct shared {
  pthread_barrier_t barrier;
  struct one each[MOST];
} * shared;

/* Lustre's attribute (lov_user_md: size at byte 24, count at 28) or CephFS's. */
static int layout_is(int fd, unsigned count, unsigned size) {
  char text[512], wanted[64];
  ssize_t length = fgetxattr(fd, "ceph.file.layout", text, sizeof text - 1);
  if (length > 0) {
    text[length] = '\0';
    snprintf(wanted, sizeof wanted, "stripe_unit=%u stripe_count=%u ", size, count);
    return strncmp(text, wanted, strlen(wanted)) == 0;
  }
  length = fgetxattr(fd, "lustre.lov", text, sizeof text);
  if (length >= 32) {
    uint32_t its_size;
    uint16_t its_count;
    memcpy(&its_size, text + 24, sizeof its_size);
    memcpy(&its_count, text + 28, sizeof its_count);
    return its_size == size && its_count == count;
  }
  return 0;
}

static void create(int me, int flags, unsigned count, unsigned size) {
  struct one* mine = &shared->each[me];
  struct stat info;
  char record[RECORD];
  const int fd = open(name, O_CREAT | O_RDWR | flags, 0640);
  memset(mine, 0, sizeof *mine);
  if (fd < 0) {
    mine->error = errno;
    return;
  }
  mine->bad_layout = count != 0 && !layout_is(fd, count, size);
  memset(record, 'a' + me % 26, sizeof record);
  if (pwrite(fd, record, sizeof record, (off_t)me * RECORD) != RECORD || fstat(fd, &info) != 0) _exit(3);
  mine->inode = info.st_ino;
  if (close(fd) != 0) _exit(3);
}

static struct tally {
  long opened, exists, other_errors, bad_layouts, lost_files, lost_records, leftovers;
} tally;

static void look(int processes, int truncates) {
  static char contents[MOST * RECORD + 1];
  struct stat info;
  struct dirent* entry;
  int i, k, fd, records = 0, opened = 0;
  DIR* folder = opendir(".");
  if (folder == NULL) _exit(3);
  while ((entry = readdir(folder)) != NULL) {
    if (strcmp(entry->d_name, name) != 0 && strcmp(entry->d_name, ".") != 0 &&
        strcmp(entry->d_name, "..") != 0)
      ++tally.leftovers;
  }
  closedir(folder);
  memset(contents, 0, sizeof contents);
  fd = open(name, O_RDONLY);
  if (fd < 0 || fstat(fd, &info) != 0 || read(fd, contents, sizeof contents) < 0 || close(fd) != 0) {
    ++tally.lost_files;
    return;
  }
  for (i = 0; i < processes; ++i) {
    const struct one* one = &shared->each[i];
    if (one->error == EEXIST) ++tally.exists;
    if (one->error != 0 && one->error != EEXIST) ++tally.other_errors;
    if (one->error != 0) continue;
    ++opened;
    tally.bad_layouts += one->bad_layout;
    if (one->inode != info.st_ino) ++tally.lost_files;
    for (k = 0; k < RECORD && contents[i * RECORD + k] == 'a' + i % 26;) ++k;
    records += k == RECORD;
  }
  tally.opened += opened;
  /* Who opens with O_TRUNC cuts off what others have written; what the last of them writes stays. */
  if (truncates ? records == 0 : records != opened) ++tally.lost_records;
}

int main(int argc, char** argv) {
  int processes, rounds, i, round, flags, status, bad = 0;
  unsigned count, size;
  pthread_barrierattr_t attributes;
  if (argc != 6) return 2;
  processes = atoi(argv[1]);
  rounds = atoi(argv[2]);
  flags = strcmp(argv[3], "excl") == 0 ? O_EXCL : strcmp(argv[3], "trunc") == 0 ? O_TRUNC : 0;
  count = (unsigned)atoi(argv[4]);
  size = (unsigned)atoi(argv[5]);
  if (processes < 1 || processes > MOST) return 2;
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 3;
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  if (pthread_barrier_init(&shared->barrier, &attributes, (unsigned)processes) != 0) return 3;
  for (i = 0; i < processes; ++i) {
    if (fork() != 0) continue;
    for (round = 0; round < rounds; ++round) {
      pthread_barrier_wait(&shared->barrier);
      create(i, flags, count, size);
      pthread_barrier_wait(&shared->barrier);
      if (i == 0) {
        look(processes, flags == O_TRUNC);
        unlink(name);
      }
    }
    if (i == 0) {
      printf(
          "%s: opened %ld, EEXIST %ld, other errors %ld, bad layouts %ld, lost files %ld, lost records %ld, "
          "leftovers %ld\n",
          argv[3], tally.opened, tally.exists, tally.other_errors, tally.bad_layouts, tally.lost_files,
          tally.lost_records, tally.leftovers);
    }
    exit(0);
  }
  /* A process that ends early would leave the others waiting. */
  for (i = 0; i < processes; ++i) {
    wait(&status);
    if (status == 0) continue;
    bad = 3;
    kill(0, SIGKILL);
  }
  return bad;
}
