// SPDX-License-Identifier: BSD-3-Clause
// As mdtest does it: folders, empty files in them, each looked at, opened again, renamed, removed.
// usage: metadata FOLDER FOLDERS FILES; the files are FILES in each folder
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char name[4096], other[4096];

static void must(int holds, const char* what) {
  if (holds) return;
  perror(what);
  exit(1);
}

static const char* file(const char* where, int folder, int number) {
  snprintf(name, sizeof name, "%s/d%d/file.mdtest.%d", where, folder, number);
  return name;
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const char* where = argv[1];
  const int folders = atoi(argv[2]), files = atoi(argv[3]);
  struct stat about;
  for (int d = 0; d < folders; ++d) {
    snprintf(name, sizeof name, "%s/d%d", where, d);
    must(mkdir(name, 0700) == 0, "mkdir");
    for (int i = 0; i < files; ++i) {
      const int fd = open(file(where, d, i), O_WRONLY | O_CREAT | O_EXCL, 0600);
      must(fd >= 0 && close(fd) == 0, "create");
    }
  }
  for (int d = 0; d < folders; ++d) {
    for (int i = 0; i < files; ++i) must(stat(file(where, d, i), &about) == 0, "stat");
    for (int i = 0; i < files; i += 2) must(lstat(file(where, d, i), &about) == 0, "lstat");
    for (int i = 0; i < files; i += 3) {
      const int fd = open(file(where, d, i), O_RDONLY);
      must(fd >= 0 && fstat(fd, &about) == 0 && close(fd) == 0, "open");
    }
    // What fails is no metadata operation that was done.
    must(stat(file(where, d, files), &about) != 0 && unlink(file(where, d, files)) != 0, "stat of nothing");
  }
  for (int d = 0; d < folders; ++d) {
    snprintf(other, sizeof other, "%s/d%d/renamed", where, d);
    must(rename(file(where, d, 0), other) == 0 && unlink(other) == 0, "rename");
    for (int i = 1; i < files; ++i) must(unlink(file(where, d, i)) == 0, "unlink");
  }
  return 0;
}
