/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5 as large programs use it: all ranks write one file collectively, with hints of their own and
   collective metadata; one dataset is contiguous, one chunked and compressed, one grows step by step; then
   each pair of ranks writes a file of its own, and a small file joins these by external links (subfiling by
   hand). All is read back. It knows nothing of TOTO. usage: fields_hdf5 FOLDER */
#include <hdf5.h>

#include "require.h"

enum { kMine = 3000, kChunk = 500, kSteps = 3 };
static int rank, ranks;

static hid_t good(hid_t id, const char* what) {
  REQUIRE(id >= 0, "%s", what);
  return id;
}

static hid_t parallel_access(MPI_Comm comm) {
  const hid_t access = good(H5Pcreate(H5P_FILE_ACCESS), "access");
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "cb_buffer_size", "1048576");
  MPI_Info_set(info, "romio_ds_write", "disable");
  MPI_Info_set(info, "known_to_nobody", "a value, with a comma");
  good(H5Pset_fapl_mpio(access, comm, info), "H5Pset_fapl_mpio");
  MPI_Info_free(&info);
  good(H5Pset_all_coll_metadata_ops(access, 1), "H5Pset_all_coll_metadata_ops");
  good(H5Pset_coll_metadata_write(access, 1), "H5Pset_coll_metadata_write");
  good(H5Pset_alignment(access, 4096, 4096), "H5Pset_alignment");
  return access;
}

/* A dataset whose file is the same each time: without times. */
static hid_t creation(hsize_t chunk, int compressed) {
  const hid_t create = good(H5Pcreate(H5P_DATASET_CREATE), "create");
  good(H5Pset_obj_track_times(create, 0), "H5Pset_obj_track_times");
  if (chunk > 0) good(H5Pset_chunk(create, 1, &chunk), "H5Pset_chunk");
  if (compressed) good(H5Pset_deflate(create, 4), "H5Pset_deflate");
  return create;
}

static hid_t collective(void) {
  const hid_t transfer = good(H5Pcreate(H5P_DATASET_XFER), "transfer");
  good(H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE), "H5Pset_dxpl_mpio");
  return transfer;
}

static int value_at(hsize_t index, int step) { return (int)(index * 7 % 1013) + step; }

/* kMine elements from `start` on: written, or read and looked at. */
static void move(hid_t data, hid_t transfer, hsize_t start, int step, int write) {
  static int values[kMine];
  const hsize_t mine = kMine;
  const hid_t in_file = good(H5Dget_space(data), "space");
  const hid_t in_memory = good(H5Screate_simple(1, &mine, NULL), "memory");
  good(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, &start, NULL, &mine, NULL), "select");
  if (write) {
    for (hsize_t i = 0; i < mine; ++i) values[i] = value_at(start + i, step);
    good(H5Dwrite(data, H5T_NATIVE_INT, in_memory, in_file, transfer, values), "H5Dwrite");
  } else {
    good(H5Dread(data, H5T_NATIVE_INT, in_memory, in_file, transfer, values), "H5Dread");
    for (hsize_t i = 0; i < mine; ++i) REQUIRE(values[i] == value_at(start + i, step), "element %d", (int)i);
  }
  H5Sclose(in_memory);
  H5Sclose(in_file);
}

static void move_together(hid_t data, hsize_t start, int step, int write) {
  const hid_t transfer = collective();
  move(data, transfer, start, step, write);
  H5Pclose(transfer);
}

static void write_data(hid_t file, const char* name, hsize_t chunk, int compressed, int who, int among,
                       int step) {
  const hsize_t all = (hsize_t)kMine * (hsize_t)among;
  const hid_t space = good(H5Screate_simple(1, &all, NULL), "space"), create = creation(chunk, compressed);
  const hid_t data =
      good(H5Dcreate2(file, name, H5T_STD_I32LE, space, H5P_DEFAULT, create, H5P_DEFAULT), name);
  move_together(data, (hsize_t)kMine * (hsize_t)who, step, 1);
  H5Dclose(data);
  H5Pclose(create);
  H5Sclose(space);
}

static void write_growing(hid_t file) {
  const hsize_t none = 0, endless = H5S_UNLIMITED;
  const hid_t space = good(H5Screate_simple(1, &none, &endless), "space"), create = creation(kChunk, 0);
  const hid_t data =
      good(H5Dcreate2(file, "growing", H5T_STD_I32LE, space, H5P_DEFAULT, create, H5P_DEFAULT), "growing");
  for (int step = 0; step < kSteps; ++step) {
    const hsize_t all = (hsize_t)kMine * (hsize_t)ranks * (hsize_t)(step + 1);
    good(H5Dset_extent(data, &all), "H5Dset_extent");
    move_together(data, (hsize_t)kMine * (hsize_t)(ranks * step + rank), 0, 1);
    good(H5Fflush(file, H5F_SCOPE_GLOBAL), "H5Fflush");
  }
  H5Dclose(data);
  H5Pclose(create);
  H5Sclose(space);
}

static void read_data(hid_t file, hid_t transfer, const char* name, hsize_t start, int step) {
  const hid_t data = good(H5Dopen2(file, name, H5P_DEFAULT), name);
  move(data, transfer, start, step, 0);
  H5Dclose(data);
}

static void write_together(const char* path) {
  const hid_t access = parallel_access(MPI_COMM_WORLD);
  const hid_t file = good(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access), path);
  write_data(file, "contiguous", 0, 0, rank, ranks, 1);
  write_data(file, "compressed", kChunk, 1, rank, ranks, 2);
  write_growing(file);
  good(H5Fclose(file), "H5Fclose");
  H5Pclose(access);
}

static void read_together(const char* path) {
  const hid_t access = parallel_access(MPI_COMM_WORLD);
  const hid_t file = good(H5Fopen(path, H5F_ACC_RDONLY, access), path);
  const hsize_t other = (hsize_t)kMine * (hsize_t)((rank + 1) % ranks);
  const hid_t transfer = collective();
  read_data(file, transfer, "contiguous", other, 1);
  read_data(file, transfer, "compressed", other, 2);
  read_data(file, transfer, "growing", other, 0);
  H5Pclose(transfer);
  good(H5Fclose(file), "H5Fclose");
  H5Pclose(access);
}

/* A file for each pair of ranks, and rank 0's file of links to them. */
static void write_parts(const char* folder) {
  char path[4096];
  MPI_Comm pair;
  int who, among;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
  MPI_Comm_rank(pair, &who);
  MPI_Comm_size(pair, &among);
  snprintf(path, sizeof path, "%s/part.%d.h5", folder, rank / 2);
  const hid_t access = parallel_access(pair);
  const hid_t file = good(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access), path);
  write_data(file, "part", kChunk, 0, who, among, 3);
  good(H5Fclose(file), "H5Fclose");
  H5Pclose(access);
  MPI_Comm_free(&pair);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank != 0) return;
  snprintf(path, sizeof path, "%s/joined.h5", folder);
  const hid_t joined = good(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), path);
  for (int part = 0; part <= (ranks - 1) / 2; ++part) {
    char target[32], link[32];
    snprintf(target, sizeof target, "part.%d.h5", part);
    snprintf(link, sizeof link, "part%d", part);
    good(H5Lcreate_external(target, "part", joined, link, H5P_DEFAULT, H5P_DEFAULT), link);
    read_data(joined, H5P_DEFAULT, link, 0, 3);
  }
  good(H5Fclose(joined), "H5Fclose");
}

int main(int argc, char** argv) {
  char path[4096];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  REQUIRE(argc == 2, "usage: fields_hdf5 FOLDER");
  snprintf(path, sizeof path, "%s/fields.h5", argv[1]);
  write_together(path);
  read_together(path);
  write_parts(argv[1]);
  if (rank == 0) printf("fields: all there\n");
  MPI_Finalize();
  return 0;
}
