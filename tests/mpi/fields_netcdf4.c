/* SPDX-License-Identifier: BSD-3-Clause */
/* NetCDF-4 in parallel: a variable of fixed size written independently, one of records, chunked and
   compressed, written collectively; all is read back. It knows nothing of TOTO. usage: fields_netcdf4 FOLDER
 */
#include "require.h"

#include <netcdf.h>
#include <netcdf_par.h>

enum { kMine = 2000, kRecords = 3 };
static int rank, ranks;

#define GOOD(call)                                                       \
  do {                                                                   \
    const int good_ = (call);                                            \
    REQUIRE(good_ == NC_NOERR, "rank %d: %s", rank, nc_strerror(good_)); \
  } while (0)

static int value_at(size_t index, int record) { return (int)(index * 3 % 991) + 1000 * record; }

static void write_all(const char* path, MPI_Info info) {
  static int values[kMine];
  int file, dims[2], fixed, records;
  const size_t chunk[2] = {1, kMine / 2};
  const size_t mine = (size_t)kMine * (size_t)rank;
  GOOD(nc_create_par(path, NC_NETCDF4 | NC_CLOBBER, MPI_COMM_WORLD, info, &file));
  GOOD(nc_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  GOOD(nc_def_dim(file, "x", (size_t)kMine * (size_t)ranks, &dims[1]));
  GOOD(nc_def_var(file, "fixed", NC_INT, 1, &dims[1], &fixed));
  GOOD(nc_def_var(file, "records", NC_INT, 2, dims, &records));
  GOOD(nc_def_var_chunking(file, records, NC_CHUNKED, chunk));
  GOOD(nc_def_var_deflate(file, records, 1, 1, 3));
  GOOD(nc_enddef(file));
  GOOD(nc_var_par_access(file, fixed, NC_INDEPENDENT));
  GOOD(nc_var_par_access(file, records, NC_COLLECTIVE));
  for (int record = 0; record < kRecords; ++record) {
    const size_t start[2] = {(size_t)record, mine}, count[2] = {1, kMine};
    for (int i = 0; i < kMine; ++i) values[i] = value_at(mine + (size_t)i, record);
    if (record == 0) GOOD(nc_put_vara_int(file, fixed, &start[1], &count[1], values));
    GOOD(nc_put_vara_int(file, records, start, count, values));
  }
  GOOD(nc_close(file));
}

static void read_all(const char* path, MPI_Info info) {
  static int values[kMine];
  int file, id;
  const size_t other = (size_t)kMine * (size_t)((rank + 1) % ranks);
  GOOD(nc_open_par(path, NC_NOWRITE, MPI_COMM_WORLD, info, &file));
  GOOD(nc_inq_varid(file, "records", &id));
  GOOD(nc_var_par_access(file, id, NC_COLLECTIVE));
  for (int record = 0; record < kRecords; ++record) {
    const size_t start[2] = {(size_t)record, other}, count[2] = {1, kMine};
    GOOD(nc_get_vara_int(file, id, start, count, values));
    for (int i = 0; i < kMine; ++i)
      REQUIRE(values[i] == value_at(other + (size_t)i, record), "element %d of record %d", i, record);
  }
  GOOD(nc_close(file));
}

int main(int argc, char** argv) {
  char path[4096];
  MPI_Info info;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  REQUIRE(argc == 2, "usage: fields_netcdf4 FOLDER");
  snprintf(path, sizeof path, "%s/fields.nc", argv[1]);
  MPI_Info_create(&info);
  MPI_Info_set(info, "cb_buffer_size", "2097152");
  write_all(path, info);
  read_all(path, info);
  MPI_Info_free(&info);
  if (rank == 0) printf("fields: all there\n");
  MPI_Finalize();
  return 0;
}
