/* SPDX-License-Identifier: BSD-3-Clause */
/* A second tool at MPI's profiling interface, preloaded behind the library: it counts what a program passes
   to MPI-IO, however many libraries are between them, and writes that at MPI_Finalize (rank 0) to the file
   that WITNESS_TRUTH names; the hints of each MPI_File_open to the one that WITNESS_HINTS names, as a line
   with the file's name and lines "<tab>KEY<tab>VALUE". */
#include "truth.h"

#include <string.h>

static long long bytes_of_type(MPI_Datatype type, long long count) {
  MPI_Count size = 0;
  return PMPI_Type_size_x(type, &size) == MPI_SUCCESS ? count * (long long)size : 0;
}

static void count_one(int is_write, long long bytes) {
  if (is_write) {
    ++truth.writes;
    truth.bytes_written += bytes;
  } else {
    ++truth.reads;
    truth.bytes_read += bytes;
  }
}

/* What a blocking read delivered; where the status makes no sense (reads past the end of a file), what was
 * asked. */
static long long delivered(const MPI_Status* status, long long asked) {
  MPI_Count bytes = 0;
  if (PMPI_Get_elements_x(status, MPI_BYTE, &bytes) != MPI_SUCCESS) return asked;
  return bytes >= 0 && bytes <= asked ? (long long)bytes : asked;
}

/* name, buffer's const, whether it writes, the kind that it counts as. */
#define BLOCKING(X)                      \
  X(write, const, 1, independent)        \
  X(write_all, const, 1, collective)     \
  X(write_shared, const, 1, independent) \
  X(write_ordered, const, 1, collective) \
  X(read, , 0, independent)              \
  X(read_all, , 0, collective)           \
  X(read_shared, , 0, independent)       \
  X(read_ordered, , 0, collective)
#define BLOCKING_AT(X)                  \
  X(write_at, const, 1, independent)    \
  X(write_at_all, const, 1, collective) \
  X(read_at, , 0, independent)          \
  X(read_at_all, , 0, collective)
#define NONBLOCKING(X)                    \
  X(iwrite, const, 1, independent)        \
  X(iwrite_all, const, 1, collective)     \
  X(iwrite_shared, const, 1, independent) \
  X(iread, , 0, independent)              \
  X(iread_all, , 0, collective)           \
  X(iread_shared, , 0, independent)
#define NONBLOCKING_AT(X)                \
  X(iwrite_at, const, 1, independent)    \
  X(iwrite_at_all, const, 1, collective) \
  X(iread_at, , 0, independent)          \
  X(iread_at_all, , 0, collective)
#define SPLIT(X)                   \
  X(write_all_begin, const, 1)     \
  X(write_ordered_begin, const, 1) \
  X(read_all_begin, , 0)           \
  X(read_ordered_begin, , 0)
#define SPLIT_AT(X)               \
  X(write_at_all_begin, const, 1) \
  X(read_at_all_begin, , 0)

#define AT MPI_Offset offset,
#define HERE
#define PASS_AT offset,
#define PASS_HERE

#define DEFINE_BLOCKING(name, constant, is_write, kind, PLACE, PASS)                              \
  int MPI_File_##name(MPI_File file, PLACE constant void* buffer, int count, MPI_Datatype type,   \
                      MPI_Status* status) {                                                       \
    MPI_Status own;                                                                               \
    const int ignored = status == MPI_STATUS_IGNORE;                                              \
    const int result = PMPI_File_##name(file, PASS buffer, count, type, ignored ? &own : status); \
    if (result != MPI_SUCCESS) return result;                                                     \
    const long long asked = bytes_of_type(type, count);                                           \
    count_one(is_write, (is_write) ? asked : delivered(ignored ? &own : status, asked));          \
    ++truth.kind;                                                                                 \
    return result;                                                                                \
  }
#define DEFINE_NONBLOCKING(name, constant, is_write, kind, PLACE, PASS)                         \
  int MPI_File_##name(MPI_File file, PLACE constant void* buffer, int count, MPI_Datatype type, \
                      MPI_Request* request) {                                                   \
    const int result = PMPI_File_##name(file, PASS buffer, count, type, request);               \
    if (result != MPI_SUCCESS) return result;                                                   \
    count_one(is_write, bytes_of_type(type, count));                                            \
    ++truth.kind;                                                                               \
    ++truth.nonblocking;                                                                        \
    return result;                                                                              \
  }
#define DEFINE_SPLIT(name, constant, is_write, PLACE, PASS)                                       \
  int MPI_File_##name(MPI_File file, PLACE constant void* buffer, int count, MPI_Datatype type) { \
    const int result = PMPI_File_##name(file, PASS buffer, count, type);                          \
    if (result != MPI_SUCCESS) return result;                                                     \
    count_one(is_write, bytes_of_type(type, count));                                              \
    ++truth.collective;                                                                           \
    ++truth.split;                                                                                \
    return result;                                                                                \
  }

#define X(name, constant, is_write, kind) DEFINE_BLOCKING(name, constant, is_write, kind, HERE, PASS_HERE)
BLOCKING(X)
#undef X
#define X(name, constant, is_write, kind) DEFINE_BLOCKING(name, constant, is_write, kind, AT, PASS_AT)
BLOCKING_AT(X)
#undef X
#define X(name, constant, is_write, kind) DEFINE_NONBLOCKING(name, constant, is_write, kind, HERE, PASS_HERE)
NONBLOCKING(X)
#undef X
#define X(name, constant, is_write, kind) DEFINE_NONBLOCKING(name, constant, is_write, kind, AT, PASS_AT)
NONBLOCKING_AT(X)
#undef X
#define X(name, constant, is_write) DEFINE_SPLIT(name, constant, is_write, HERE, PASS_HERE)
SPLIT(X)
#undef X
#define X(name, constant, is_write) DEFINE_SPLIT(name, constant, is_write, AT, PASS_AT)
SPLIT_AT(X)
#undef X

static void note_hints(const char* name, MPI_Info info) {
  const char* path = getenv("WITNESS_HINTS");
  int keys = 0;
  FILE* out = path != NULL ? fopen(path, "a") : NULL;
  if (out == NULL) return;
  fprintf(out, "%s\n", name);
  if (info != MPI_INFO_NULL) PMPI_Info_get_nkeys(info, &keys);
  for (int i = 0; i < keys; ++i) {
    char key[MPI_MAX_INFO_KEY + 1] = "", value[MPI_MAX_INFO_VAL + 1] = "";
    int found = 0;
    PMPI_Info_get_nthkey(info, i, key);
    PMPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found);
    if (found) fprintf(out, "\t%s\t%s\n", key, value);
  }
  fclose(out);
}

int MPI_File_open(MPI_Comm comm, const char* name, int amode, MPI_Info info, MPI_File* file) {
  int rank = 0;
  const int result = PMPI_File_open(comm, name, amode, info, file);
  if (result != MPI_SUCCESS) return result;
  ++truth.opens;
  PMPI_Comm_rank(comm, &rank);
  if (rank == 0) note_hints(name, info);
  return result;
}

int MPI_File_close(MPI_File* file) {
  const int result = PMPI_File_close(file);
  if (result == MPI_SUCCESS) ++truth.closes;
  return result;
}

int MPI_Finalize(void) {
  const char* path = getenv("WITNESS_TRUTH");
  if (path != NULL) write_truth(path);
  return PMPI_Finalize();
}
