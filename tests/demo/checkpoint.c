// SPDX-License-Identifier: BSD-3-Clause
// A program as many are: every so often all ranks write a checkpoint, one shared HDF5 file of a few fields,
// collectively. It knows nothing of TOTO. Prints the seconds spent in its files, from create to close.
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kFields = 4 };

static void check(long long result, const char* what) {
  if (result >= 0) return;
  fprintf(stderr, "checkpoint: %s failed\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void write_field(hid_t file, const char* name, const double* values, hsize_t mine, int rank,
                        int ranks) {
  const hsize_t all = mine * (hsize_t)ranks;
  const hsize_t start = mine * (hsize_t)rank;
  const hid_t in_file = H5Screate_simple(1, &all, NULL);
  const hid_t in_memory = H5Screate_simple(1, &mine, NULL);
  const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
  const hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
  check(H5Pset_obj_track_times(create, 0), "H5Pset_obj_track_times");  // else no two files are equal
  check(H5Pset_fill_time(create, H5D_FILL_TIME_NEVER), "H5Pset_fill_time");
  check(H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE), "H5Pset_dxpl_mpio");
  const hid_t data = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, in_file, H5P_DEFAULT, create, H5P_DEFAULT);
  check(data, "H5Dcreate2");
  check(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, &start, NULL, &mine, NULL), "H5Sselect_hyperslab");
  check(H5Dwrite(data, H5T_NATIVE_DOUBLE, in_memory, in_file, transfer, values), "H5Dwrite");
  H5Dclose(data);
  H5Pclose(transfer);
  H5Pclose(create);
  H5Sclose(in_memory);
  H5Sclose(in_file);
}

static void write_file(const char* path, double* values, hsize_t mine, int rank, int ranks, int step) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  check(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL), "H5Pset_fapl_mpio");
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  check(file, "H5Fcreate");
  for (int field = 0; field < kFields; ++field) {
    char name[32];
    snprintf(name, sizeof name, "field%d", field);
    for (hsize_t i = 0; i < mine; ++i)
      values[i] = rank + 1e-3 * step + 1e-6 * field + 1e-9 * (double)(i % 997);
    write_field(file, name, values, mine, rank, ranks);
  }
  check(H5Fclose(file), "H5Fclose");
  H5Pclose(access);
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: checkpoint FOLDER FILES MEBIBYTES_A_FILE\n");
    return 2;
  }
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int files = atoi(argv[2]);
  const hsize_t mine = (hsize_t)atoi(argv[3]) * 1048576 / sizeof(double) / kFields / (hsize_t)ranks;
  double* values = malloc(mine * sizeof *values);
  check(values == NULL ? -1 : 0, "malloc");

  double spent = 0;
  for (int step = 0; step < files; ++step) {
    char path[4096];
    snprintf(path, sizeof path, "%s/checkpoint.%03d.h5", argv[1], step);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    write_file(path, values, mine, rank, ranks, step);
    MPI_Barrier(MPI_COMM_WORLD);
    spent += MPI_Wtime() - start;
  }
  if (rank == 0) printf("checkpoint: wrote %d files in %.6f s\n", files, spent);
  free(values);
  MPI_Finalize();
  return 0;
}
