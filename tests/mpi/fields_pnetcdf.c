/* SPDX-License-Identifier: BSD-3-Clause */
/* PnetCDF as climate models use it: a variable of fixed size and one of records, written collectively and by
   pieces that are posted and written together, with hints of its own; then independently; all is read back.
   It knows nothing of TOTO. usage: fields_pnetcdf FOLDER */
#include <pnetcdf.h>

#include "require.h"

enum { kMine = 2000, kRecords = 3 };
static int rank, ranks;

#define GOOD(call) REQUIRE((call) == NC_NOERR, "rank %d", rank)

static int value_at(MPI_Offset index, int record) { return (int)(index * 5 % 977) + 1000 * record; }

static void fill(int* values, MPI_Offset start, int record) {
  for (int i = 0; i < kMine; ++i) values[i] = value_at(start + i, record);
}

static void look(const int* values, MPI_Offset start, int record) {
  for (int i = 0; i < kMine; ++i)
    REQUIRE(values[i] == value_at(start + i, record), "element %d of record %d", i, record);
}

static void write_all(const char* path, MPI_Info info) {
  static int values[kRecords][kMine];
  int file, dims[2], fixed, records, single, posted[kRecords], states[kRecords];
  const MPI_Offset mine = (MPI_Offset)kMine * rank;
  GOOD(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, info, &file));
  GOOD(ncmpi_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  GOOD(ncmpi_def_dim(file, "x", (MPI_Offset)kMine * ranks, &dims[1]));
  GOOD(ncmpi_def_var(file, "fixed", NC_INT, 1, &dims[1], &fixed));
  GOOD(ncmpi_def_var(file, "single", NC_INT, 1, &dims[1], &single));
  GOOD(ncmpi_def_var(file, "records", NC_INT, 2, dims, &records));
  GOOD(ncmpi_put_att_text(file, NC_GLOBAL, "title", 6, "fields"));
  GOOD(ncmpi_enddef(file));
  {
    const MPI_Offset start = mine, count = kMine;
    fill(values[0], mine, 0);
    GOOD(ncmpi_put_vara_int_all(file, fixed, &start, &count, values[0]));
    GOOD(ncmpi_begin_indep_data(file));
    GOOD(ncmpi_put_vara_int(file, single, &start, &count, values[0]));
    GOOD(ncmpi_end_indep_data(file));
  }
  for (int record = 0; record < kRecords; ++record) {
    const MPI_Offset start[2] = {record, mine}, count[2] = {1, kMine};
    fill(values[record], mine, record);
    GOOD(ncmpi_iput_vara_int(file, records, start, count, values[record], &posted[record]));
  }
  GOOD(ncmpi_wait_all(file, kRecords, posted, states));
  for (int record = 0; record < kRecords; ++record) GOOD(states[record]);
  GOOD(ncmpi_close(file));
}

static void read_all(const char* path, MPI_Info info) {
  static int values[kMine];
  int file, id;
  const MPI_Offset other = (MPI_Offset)kMine * ((rank + 1) % ranks), mine = kMine;
  GOOD(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, info, &file));
  for (int i = 0; i < 2; ++i) {
    GOOD(ncmpi_inq_varid(file, i == 0 ? "fixed" : "single", &id));
    GOOD(ncmpi_get_vara_int_all(file, id, &other, &mine, values));
    look(values, other, 0);
  }
  GOOD(ncmpi_inq_varid(file, "records", &id));
  for (int record = 0; record < kRecords; ++record) {
    const MPI_Offset start[2] = {record, other}, count[2] = {1, kMine};
    GOOD(ncmpi_get_vara_int_all(file, id, start, count, values));
    look(values, other, record);
  }
  GOOD(ncmpi_close(file));
}

int main(int argc, char** argv) {
  char path[4096];
  MPI_Info info;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  REQUIRE(argc == 2, "usage: fields_pnetcdf FOLDER");
  snprintf(path, sizeof path, "%s/fields.nc", argv[1]);
  MPI_Info_create(&info);
  MPI_Info_set(info, "nc_var_align_size", "4096");
  MPI_Info_set(info, "romio_no_indep_rw", "false");
  write_all(path, info);
  read_all(path, info);
  MPI_Info_free(&info);
  if (rank == 0) printf("fields: all there\n");
  MPI_Finalize();
  return 0;
}
