/* SPDX-License-Identifier: BSD-3-Clause */
/* For programs that make a known number of calls in a folder and write down what they did: the truth that the
   library's counters are compared with. Include once. */
#pragma once
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#define COUNTERS(X) \
  X(opens)          \
  X(creates)        \
  X(closes)         \
  X(reads)          \
  X(writes)         \
  X(bytes_read)     \
  X(bytes_written)  \
  X(seeks)          \
  X(syncs)          \
  X(truncates)      \
  X(stats)          \
  X(unlinks)        \
  X(renames)        \
  X(mkdirs)         \
  X(links)          \
  X(attributes)     \
  X(listings)       \
  X(entries)        \
  X(maps)           \
  X(bytes_mapped)   \
  X(flushes)        \
  X(errors)

struct counts {
#define X(name) long long name;
  COUNTERS(X)
#undef X
};
static struct counts posix, stdio;

#define REQUIRE(condition)                                                                  \
  do {                                                                                      \
    if (!(condition)) {                                                                     \
      fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, strerror(errno)); \
      exit(3);                                                                              \
    }                                                                                       \
  } while (0)

/* Sizes that the compiler does not know, so that fortified builds check at run time. */
static volatile size_t hundred = 100, thousand = 1000;
static char folder[2048], text[4096];
static char buffer[4096] __attribute__((unused));

static inline const char* in(const char* name) {
  static char paths[4][4096];
  static int next;
  char* path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static inline void wrote(struct counts* layer, ssize_t got, ssize_t expected) {
  REQUIRE(got == expected);
  ++layer->writes;
  layer->bytes_written += expected;
}
static inline void was_read(struct counts* layer, ssize_t got, ssize_t expected) {
  REQUIRE(got == expected);
  ++layer->reads;
  layer->bytes_read += expected;
}

static inline int opened(int fd, int created) {
  REQUIRE(fd >= 0);
  ++posix.opens;
  posix.creates += created;
  return fd;
}
static inline void closed(int result) {
  REQUIRE(result == 0);
  ++posix.closes;
}

static inline void write_truth(const char* path) {
  FILE* out = fopen(path, "w");
  REQUIRE(out != NULL);
  fprintf(out, "{\"posix\": {");
#define X(name) fprintf(out, "\"" #name "\": %lld, ", posix.name);
  COUNTERS(X)
#undef X
  fprintf(out, "\"end\": 0}, \"stdio\": {");
#define X(name) fprintf(out, "\"" #name "\": %lld, ", stdio.name);
  COUNTERS(X)
#undef X
  fprintf(out, "\"end\": 0}}\n");
  REQUIRE(fclose(out) == 0);
}

static inline void prepare(const char* watched) {
  size_t i;
  snprintf(folder, sizeof folder, "%s", watched);
  for (i = 0; i < sizeof text; ++i) text[i] = (char)('a' + i % 26);
}
