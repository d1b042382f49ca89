// SPDX-License-Identifier: BSD-3-Clause
// The measured calls of MPI-IO, on one rank (started without a launcher). Built once for each MPI.
#include <mpi.h>

#include <array>
#include <string>

#include "bench/micro/program.h"

namespace toto::bench {
namespace {

constexpr int kSize = 4096;

struct AtOffset {
  explicit AtOffset(const std::string& folder) {
    const std::string path = folder + "/mpi_file";
    check(MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL,
                        &file) == MPI_SUCCESS,
          "MPI_File_open");
    for (at = 0; at < kFileBytes; at += kSize) {
      check(MPI_File_write_at(file, at, data.data(), kSize, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS,
            "MPI_File_write_at");
    }
  }
  ~AtOffset() { MPI_File_close(&file); }
  AtOffset(const AtOffset&) = delete;
  AtOffset& operator=(const AtOffset&) = delete;
  MPI_Offset next() { return at = (at + kSize) & (kFileBytes - 1); }
  MPI_File file = MPI_FILE_NULL;
  MPI_Offset at = 0;
  std::array<char, kSize> data{};
};

struct WriteAt : AtOffset {
  using AtOffset::AtOffset;
  void operator()() {
    check(MPI_File_write_at(file, next(), data.data(), kSize, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS,
          "MPI_File_write_at");
  }
};

struct ReadAt : AtOffset {
  using AtOffset::AtOffset;
  void operator()() {
    check(MPI_File_read_at(file, next(), data.data(), kSize, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS,
          "MPI_File_read_at");
  }
};

}  // namespace
}  // namespace toto::bench

int main(int argc, char** argv) {
  using namespace toto::bench;
  MPI_Init(&argc, &argv);
  check(argc > 1, "usage: calls_MPI FOLDER [--benchmark_... | count N]");
  const std::string folder = argv[1];
  const int code = run(argc, argv,
                       {measured<WriteAt>("mpi_write_at_4k_" TOTO_BENCH_MPI, folder),
                        measured<ReadAt>("mpi_read_at_4k_" TOTO_BENCH_MPI, folder)});
  MPI_Finalize();
  return code;
}
