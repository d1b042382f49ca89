/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls every MPI_File function: each data call writes, later reads, one block a rank at a place of its own.
   usage: every_call FILE TRUTH CALLED
   TRUTH gets what was done, as JSON; CALLED the names of the functions that were called, one a line.
   The data calls named in LEAVE_OUT (",read,write,") are not made: where an MPI library crashes in them. */
#include <mpi.h>
#include <string.h>

#include "truth.h"

enum { READ = 1, COLLECTIVE = 2, NONBLOCKING = 4, SPLIT = 8, SHARED = 16, ORDERED = 32, AT = 64 };

struct call {
  MPI_File file;
  MPI_Offset at;
  void* buffer;
  int count; /* of `type` */
  MPI_Datatype type;
  MPI_Status status;
  MPI_Request request;
};

/* One function a call, so that the table below can name them all in one way. */
#define DEFINE(name, arguments) \
  static int run_##name(struct call* c) { return MPI_File_##name arguments; }
#define TRANSFER (c->file, c->buffer, c->count, c->type, &c->status)
#define TRANSFER_AT (c->file, c->at, c->buffer, c->count, c->type, &c->status)
#define START (c->file, c->buffer, c->count, c->type, &c->request)
#define START_AT (c->file, c->at, c->buffer, c->count, c->type, &c->request)
#define BEGIN (c->file, c->buffer, c->count, c->type)
#define BEGIN_AT (c->file, c->at, c->buffer, c->count, c->type)
#define END (c->file, c->buffer, &c->status)

/* X(name, how, arguments): the calls that have a large-count form too. */
#define DATA_CALLS(X)                                             \
  X(write, 0, TRANSFER)                                           \
  X(write_all, COLLECTIVE, TRANSFER)                              \
  X(write_at, AT, TRANSFER_AT)                                    \
  X(write_at_all, AT | COLLECTIVE, TRANSFER_AT)                   \
  X(write_shared, SHARED, TRANSFER)                               \
  X(write_ordered, SHARED | ORDERED | COLLECTIVE, TRANSFER)       \
  X(iwrite, NONBLOCKING, START)                                   \
  X(iwrite_all, NONBLOCKING | COLLECTIVE, START)                  \
  X(iwrite_at, NONBLOCKING | AT, START_AT)                        \
  X(iwrite_at_all, NONBLOCKING | AT | COLLECTIVE, START_AT)       \
  X(iwrite_shared, NONBLOCKING | SHARED, START)                   \
  X(read, READ, TRANSFER)                                         \
  X(read_all, READ | COLLECTIVE, TRANSFER)                        \
  X(read_at, READ | AT, TRANSFER_AT)                              \
  X(read_at_all, READ | AT | COLLECTIVE, TRANSFER_AT)             \
  X(read_shared, READ | SHARED, TRANSFER)                         \
  X(read_ordered, READ | SHARED | ORDERED | COLLECTIVE, TRANSFER) \
  X(iread, READ | NONBLOCKING, START)                             \
  X(iread_all, READ | NONBLOCKING | COLLECTIVE, START)            \
  X(iread_at, READ | NONBLOCKING | AT, START_AT)                  \
  X(iread_at_all, READ | NONBLOCKING | AT | COLLECTIVE, START_AT) \
  X(iread_shared, READ | NONBLOCKING | SHARED, START)

#define SPLIT_CALLS(X)                                   \
  X(write_all, COLLECTIVE, BEGIN)                        \
  X(write_at_all, AT | COLLECTIVE, BEGIN_AT)             \
  X(write_ordered, SHARED | ORDERED | COLLECTIVE, BEGIN) \
  X(read_all, READ | COLLECTIVE, BEGIN)                  \
  X(read_at_all, READ | AT | COLLECTIVE, BEGIN_AT)       \
  X(read_ordered, READ | SHARED | ORDERED | COLLECTIVE, BEGIN)

#define X(name, how, arguments) DEFINE(name, arguments)
DATA_CALLS(X)
#undef X
#define X(name, how, arguments) DEFINE(name##_begin, arguments) DEFINE(name##_end, END)
SPLIT_CALLS(X)
#undef X
#ifdef WITH_LARGE_COUNTS
#define X(name, how, arguments) DEFINE(name##_c, arguments)
DATA_CALLS(X)
#undef X
#define X(name, how, arguments) DEFINE(name##_begin_c, arguments)
SPLIT_CALLS(X)
#undef X
#endif

static const struct data_call {
  const char* name;
  int how;
  int (*run)(struct call*);
  const char* end_name;
  int (*end)(struct call*);
} data_calls[] = {
#define X(name, how, arguments) {#name, how, run_##name, NULL, NULL},
    DATA_CALLS(X)
#undef X
#define X(name, how, arguments) \
  {#name "_begin", (how) | SPLIT, run_##name##_begin, #name "_end", run_##name##_end},
        SPLIT_CALLS(X)
#undef X
#ifdef WITH_LARGE_COUNTS
#define X(name, how, arguments) {#name "_c", how, run_##name##_c, NULL, NULL},
            DATA_CALLS(X)
#undef X
#define X(name, how, arguments) \
  {#name "_begin_c", (how) | SPLIT, run_##name##_begin_c, #name "_end", run_##name##_end},
                SPLIT_CALLS(X)
#undef X
#endif
};
enum { CALLS = sizeof data_calls / sizeof data_calls[0], BLOCK = 96 * sizeof(int), MOST = 64 };

static int rank, ranks;
static FILE* called;

/* Notes the name; its value is the function's own. */
#define DO(name, arguments) (note(#name), MPI_File_##name arguments)
#define MUST(name, arguments) require_success(DO(name, arguments), "MPI_File_" #name)

static void note(const char* name) {
  if (called != NULL) fprintf(called, "%s\n", name);
}

/* The byte at `i` of the block of `writer` in the place of write call number `place`. Calls by the shared
   file pointer come in any order, so that there every rank writes the same. */
static unsigned char pattern(int how, int place, int writer, int i) {
  const int same = (how & SHARED) != 0 && (how & ORDERED) == 0;
  return (unsigned char)(1 + place * 7 + (same ? 0 : writer * 31) + i);
}

static void count(int how, long long bytes) {
  if (how & READ) {
    ++truth.reads;
    truth.bytes_read += bytes;
    if (bytes > truth.largest_read) truth.largest_read = bytes;
  } else {
    ++truth.writes;
    truth.bytes_written += bytes;
    if (bytes > truth.largest_write) truth.largest_write = bytes;
  }
  if (how & COLLECTIVE) ++truth.collective;
  if (!(how & COLLECTIVE)) ++truth.independent;
  if (how & NONBLOCKING) ++truth.nonblocking;
  if (how & SPLIT) ++truth.split;
  if (how & SHARED) ++truth.shared_pointer;
}

static void do_call(MPI_File file, const struct data_call* data, int place) {
  unsigned char buffer[BLOCK];
  struct call c = {.file = file, .buffer = buffer, .count = BLOCK / (int)sizeof(int), .type = MPI_INT};
  int i;
  memset(buffer, 0, sizeof buffer);
  c.at = ((MPI_Offset)place * ranks + rank) * BLOCK;
  if (!(data->how & READ)) {
    for (i = 0; i < BLOCK; ++i) buffer[i] = pattern(data->how, place, rank, i);
  }
  if (data->how & SHARED) {
    MPI_Barrier(
        MPI_COMM_WORLD); /* an independent call of the step before may not have moved the pointer yet */
    MUST(seek_shared, (file, (MPI_Offset)place * ranks * BLOCK, MPI_SEEK_SET));
    ++truth.seeks;
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (!(data->how & AT)) {
    MUST(seek, (file, c.at, MPI_SEEK_SET));
    ++truth.seeks;
  }
  note(data->name);
  require_success(data->run(&c), data->name);
  if (data->how & NONBLOCKING) require_success(MPI_Wait(&c.request, &c.status), "MPI_Wait");
  if (data->end != NULL) {
    note(data->end_name);
    require_success(data->end(&c), data->end_name);
  }
  count(data->how, BLOCK);
  if (data->how & READ) {
    for (i = 0; i < BLOCK; ++i) {
      REQUIRE(buffer[i] == pattern(data->how, place, rank, i), "%s: byte %d is %d", data->name, i, buffer[i]);
    }
  }
}

static int is_left_out(const char* name) {
  const char* list = getenv("LEAVE_OUT");
  char entry[64];
  snprintf(entry, sizeof entry, ",%s,", name);
  return list != NULL && strstr(list, entry) != NULL;
}

/* Write call number n and read call number n share place n: the tables pair them. */
static void data(MPI_File file) {
  int reading, i;
  for (reading = 0; reading <= READ; ++reading) {
    int place = 0;
    for (i = 0; i < CALLS; ++i) {
      if ((data_calls[i].how & READ) != reading) continue;
      if (!is_left_out(data_calls[i].name)) do_call(file, &data_calls[i], place);
      ++place;
    }
    MUST(sync, (file));
    MPI_Barrier(MPI_COMM_WORLD);
    MUST(sync, (file));
    truth.syncs += 2;
  }
}

static int errors_handled;
static void on_error(MPI_File* file, int* code, ...) {
  (void)file;
  if (*code == MPI_ERR_OTHER) ++errors_handled;
}

/* Interleaved blocks through a view, and what can be asked about it. */
static void views(MPI_File file, MPI_Offset start) {
  MPI_Datatype blocks, etype, filetype;
  MPI_Offset displacement = 0, offset = 0;
  MPI_Aint extent = 0;
  char representation[MPI_MAX_DATAREP_STRING];
  int out[64], in[64], i;
  MPI_Type_vector(4, 16, 16 * ranks, MPI_INT, &blocks);
  MPI_Type_commit(&blocks);
  MUST(set_view,
       (file, start + (MPI_Offset)(rank * 16 * sizeof(int)), MPI_INT, blocks, "native", MPI_INFO_NULL));
  for (i = 0; i < 64; ++i) out[i] = rank * 1000 + i;
  MUST(write_at_all, (file, 0, out, 64, MPI_INT, MPI_STATUS_IGNORE));
  count(COLLECTIVE, sizeof out);
  MUST(sync, (file));
  MPI_Barrier(MPI_COMM_WORLD);
  MUST(read_at_all, (file, 0, in, 64, MPI_INT, MPI_STATUS_IGNORE));
  count(READ | COLLECTIVE, sizeof in);
  REQUIRE(memcmp(out, in, sizeof in) == 0, "what was read is not what was written");

  MUST(get_view, (file, &displacement, &etype, &filetype, representation));
  REQUIRE(strcmp(representation, "native") == 0 && displacement % BLOCK % sizeof(int) == 0, "get_view");
  MUST(get_byte_offset, (file, 16, &offset));
  REQUIRE(offset == start + (MPI_Offset)((rank * 16 + 16 * ranks) * sizeof(int)), "byte offset %lld",
          (long long)offset);
  MUST(get_type_extent, (file, MPI_INT, &extent));
  REQUIRE(extent == sizeof(int), "extent %ld", (long)extent);
#ifdef WITH_LARGE_COUNTS
  {
    MPI_Count large = 0;
    MUST(get_type_extent_c, (file, MPI_INT, &large));
    REQUIRE(large == sizeof(int), "extent %ld", (long)large);
  }
#endif
  MUST(set_view, (file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
  truth.views += 2;
  truth.syncs += 1;
  MPI_Type_free(&blocks);
}

static void others(MPI_File file) {
  MPI_Errhandler handler, got;
  MPI_Group group;
  MPI_Info info;
  MPI_Offset size = 0, position = 0;
  int amode = 0, atomicity = 1, members = 0;

  MUST(get_amode, (file, &amode));
  REQUIRE(amode == (MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_EXCL), "amode %d", amode);
  MUST(get_group, (file, &group));
  MPI_Group_size(group, &members);
  REQUIRE(members == ranks, "group of %d", members);
  MPI_Group_free(&group);
  MUST(get_info, (file, &info));
  MUST(set_info, (file, info));
  MPI_Info_free(&info);
  MUST(set_atomicity, (file, 0));
  MUST(get_atomicity, (file, &atomicity));
  REQUIRE(atomicity == 0, "atomicity");
  MUST(get_position, (file, &position));
  MUST(get_position_shared, (file, &position));

  MUST(create_errhandler, (on_error, &handler));
  MUST(set_errhandler, (file, handler));
  MUST(get_errhandler, (file, &got));
  MUST(call_errhandler, (file, MPI_ERR_OTHER));
  REQUIRE(errors_handled == 1, "the error handler ran %d times", errors_handled);
  MUST(set_errhandler, (file, MPI_ERRORS_RETURN));
  MPI_Errhandler_free(&got);
  MPI_Errhandler_free(&handler);
  REQUIRE(DO(f2c, (DO(c2f, (file)))) == file, "the Fortran handle leads elsewhere");

  MUST(get_size, (file, &size));
  MPI_Barrier(MPI_COMM_WORLD); /* all have asked before the first one changes it */
  MUST(set_size, (file, size + 4096));
  MUST(set_size, (file, size));
  /* Not beyond the size: there ranks of OMPIO 4.1 disagree when a slow one sees the size that a fast one has
   * set. */
  MUST(preallocate, (file, size / 2));
  truth.stats += 1;
  truth.truncates += 3;
}

int main(int argc, char** argv) {
  char second[4096];
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  REQUIRE(argc == 4, "usage: every_call FILE TRUTH CALLED");
  if (rank == 0) called = fopen(argv[3], "w");

  MUST(open,
       (MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_EXCL, MPI_INFO_NULL, &file));
  truth.opens += 1;
  truth.creates += rank == 0;
  data(file);
  views(file, (MPI_Offset)MOST * ranks * BLOCK);
  others(file);
  MUST(close, (&file));
  truth.closes += 1;
  REQUIRE(file == MPI_FILE_NULL, "the handle is still there after close");

  snprintf(second, sizeof second, "%s.second", argv[1]);
  if (rank == 0) {
    MUST(open, (MPI_COMM_SELF, second, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file));
    MUST(close, (&file));
    MUST(delete, (second, MPI_INFO_NULL));
    truth.opens += 1;
    truth.creates += 1;
    truth.closes += 1;
  }
  if (called != NULL) fclose(called);
  write_truth(argv[2]);
  MPI_Finalize();
  return 0;
}
