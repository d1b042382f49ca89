/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what errno is after calls that succeed, for files and for streams without a file. usage: errno_kept
 * FILE */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char* subject;
static int before;

/* The call with errno set before: the outcome and what errno is then. */
#define TRY(call)                                                                        \
  do {                                                                                   \
    long long got_;                                                                      \
    errno = before;                                                                      \
    got_ = (long long)(call);                                                            \
    const int after_ = errno;                                                            \
    printf("%s, errno %d: %s = %lld, errno %d\n", subject, before, #call, got_, after_); \
  } while (0)

static void stream_calls(FILE* stream) {
  char text[4] = "";
  TRY(fprintf(stream, "%d", 1));
  TRY(fputs("ab", stream) >= 0);
  TRY(fputc('c', stream));
  TRY(putc('d', stream));
  TRY(fwrite("ef", 1, 2, stream));
  TRY(fflush(stream));
  TRY(fseek(stream, 0, SEEK_SET));
  TRY(fseeko(stream, 1, SEEK_SET));
  TRY(ftell(stream));
  rewind(stream);
  TRY(fread(text, 1, 0, stream));
  TRY(fclose(stream));
}

static void file_calls(const char* name) {
  struct stat info;
  char text[4];
  int fd;
  TRY((fd = open(name, O_CREAT | O_RDWR | O_TRUNC, 0644)) >= 0);
  TRY(write(fd, "abcd", 4));
  TRY(pwrite(fd, "ef", 2, 4));
  TRY(lseek(fd, 0, SEEK_SET));
  TRY(read(fd, text, 4));
  TRY(pread(fd, text, 2, 4));
  TRY(fstat(fd, &info));
  TRY(stat(name, &info));
  TRY(lstat(name, &info));
  TRY(access(name, F_OK));
  TRY(ftruncate(fd, 3));
  TRY(fsync(fd));
  TRY(close(fd));
  TRY((fd = open(name, O_RDONLY)) >= 0);
  TRY(close(fd));
  TRY(unlink(name));
  TRY((fd = creat(name, 0600)) >= 0);
  TRY(close(fd));
}

int main(int argc, char** argv) {
  char buffer[64], *memory = NULL;
  size_t size = 0;
  FILE* stream;
  const int values[] = {0, ENOTTY};
  unsigned i;
  if (argc != 2) return 2;
  setvbuf(stdout, NULL, _IOFBF, 1 << 16);
  for (i = 0; i < sizeof values / sizeof values[0]; ++i) {
    before = values[i];
    subject = "fmemopen";
    if ((stream = fmemopen(buffer, sizeof buffer, "w+")) == NULL) return 3;
    stream_calls(stream);
    subject = "open_memstream";
    if ((stream = open_memstream(&memory, &size)) == NULL) return 3;
    stream_calls(stream);
    free(memory);
    subject = "file";
    file_calls(argv[1]);
    if (unlink(argv[1]) != 0) return 3;
    subject = "fopen";
    TRY((stream = fopen(argv[1], "r")) == NULL); /* this one fails: the error is its own */
    errno = before;
    if ((stream = fopen(argv[1], "w+")) == NULL) return 3;
    printf("fopen, errno %d: errno %d\n", before, errno);
    stream_calls(stream);
  }
  return 0;
}
