/* SPDX-License-Identifier: BSD-3-Clause */
/* Creating opens by names and with flags that are easily taken for something else, in the current folder;
   says what came of each. usage: creation_names */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void try(const char* name, int flags, const char* flags_text) {
  int fd, error;
  errno = 0;
  fd = open(name, flags, 0644);
  error = errno;
  printf("%s %s: %s, error %s\n", name, flags_text, fd < 0 ? "refused" : "open",
         error ? strerrorname_np(error) : "none");
  if (fd >= 0 && close(fd) != 0) exit(3);
}
#define TRY(name, flags) try(name, flags, #flags)

static void file_with(const char* name, const char* text) {
  const int fd = open(name, O_CREAT | O_WRONLY, 0644);
  if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text) || close(fd) != 0) exit(3);
}

/* Every number is taken: what is refused is not left behind. */
static void no_numbers_left(void) {
  struct rlimit before, few;
  int fds[64], taken = 0;
  if (getrlimit(RLIMIT_NOFILE, &before) != 0) exit(3);
  few = before;
  few.rlim_cur = 64;
  if (setrlimit(RLIMIT_NOFILE, &few) != 0) exit(3);
  while (taken < 64 && (fds[taken] = dup(0)) >= 0) ++taken;
  TRY("full", O_CREAT | O_EXCL | O_WRONLY);
  printf("full left behind: %d\n", access("full", F_OK) == 0);
  while (taken > 0) close(fds[--taken]);
  if (setrlimit(RLIMIT_NOFILE, &before) != 0) exit(3);
  TRY("full", O_CREAT | O_EXCL | O_WRONLY);
}

int main(void) {
  if (mkdir("a", 0755) != 0 || mkdir("b", 0755) != 0 || mkdir("b/deep", 0755) != 0) return 3;
  if (symlink("../b/deep", "a/link") != 0 || symlink("b/deep", "folder_link") != 0) return 3;
  file_with("b/old", "precious"); /* a/link/.. is b */
  TRY("a/link/../old", O_CREAT | O_EXCL | O_TRUNC | O_WRONLY);
  TRY("a/link/../old", O_CREAT | O_EXCL | O_WRONLY);
  TRY("a/link/../old", O_CREAT | O_RDWR);
  TRY("a/link/../new", O_CREAT | O_WRONLY);
  TRY("a/link/../new_excl", O_CREAT | O_EXCL | O_TRUNC | O_WRONLY);
  TRY("folder_link/../old", O_CREAT | O_EXCL | O_WRONLY);
  TRY("a/../a/./plain", O_CREAT | O_EXCL | O_WRONLY);
  TRY("a/missing/../never", O_CREAT | O_WRONLY);
  TRY("b/old/../never", O_CREAT | O_WRONLY);
  TRY("slash/", O_CREAT | O_WRONLY);
  TRY("slash/", O_CREAT | O_EXCL | O_WRONLY);
  TRY("b/old/", O_CREAT | O_WRONLY);
  TRY("slash/.", O_CREAT | O_WRONLY);
  TRY("slash/..", O_CREAT | O_WRONLY);
  TRY("b/deep/..", O_CREAT | O_WRONLY);
  TRY("pathy", O_CREAT | O_PATH);
  TRY("pathy", O_CREAT | O_EXCL | O_PATH);
  TRY("directory", O_CREAT | O_DIRECTORY);
  TRY("directory", O_CREAT | O_EXCL | O_DIRECTORY | O_RDWR);
  TRY("b", O_CREAT | O_DIRECTORY);
  TRY("b", O_CREAT | O_PATH);
  no_numbers_left();
  return 0;
}
