// SPDX-License-Identifier: BSD-3-Clause
// The measured calls of MPI-IO, made by rank 0 on files of its own. Built once for each MPI. With a second
// rank the nodes that the ranks stand for (TOTO_RANKS_PER_NODE=1) have somebody to combine their statistics
// with: it does nothing but take its turns.
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <string>

#include "bench/micro/program.h"

namespace toto::bench {
namespace {

constexpr int kSize = 4096;

struct OnFile {
  explicit OnFile(const std::string& folder) : path(folder + "/mpi_file") {
    check(open(&file) == MPI_SUCCESS, "MPI_File_open");
    for (at = 0; at < kFileBytes; at += kSize) {
      check(MPI_File_write_at(file, at, data.data(), kSize, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS,
            "MPI_File_write_at");
    }
  }
  ~OnFile() { MPI_File_close(&file); }
  OnFile(const OnFile&) = delete;
  OnFile& operator=(const OnFile&) = delete;
  int open(MPI_File* into) const {
    return MPI_File_open(MPI_COMM_SELF, path.c_str(), MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, into);
  }
  MPI_Offset next() { return at = (at + kSize) & (kFileBytes - 1); }
  // Back to the start where the next call would leave the file.
  void rewind_sometimes() {
    if (next() == 0) MPI_File_seek(file, 0, MPI_SEEK_SET);
  }
  std::string path;
  MPI_File file = MPI_FILE_NULL;
  MPI_Offset at = 0;
  std::array<char, kSize> data{};
};

struct WriteAt : OnFile {
  using OnFile::OnFile;
  void operator()() {
    check(MPI_File_write_at(file, next(), data.data(), kSize, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS,
          "MPI_File_write_at");
  }
};
struct ReadAt : OnFile {
  using OnFile::OnFile;
  void operator()() {
    check(MPI_File_read_at(file, next(), data.data(), kSize, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS,
          "MPI_File_read_at");
  }
};
struct Write : OnFile {
  using OnFile::OnFile;
  void operator()() {
    rewind_sometimes();
    check(MPI_File_write(file, data.data(), kSize, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS,
          "MPI_File_write");
  }
};
struct Read : OnFile {
  using OnFile::OnFile;
  void operator()() {
    rewind_sometimes();
    check(MPI_File_read(file, data.data(), kSize, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS,
          "MPI_File_read");
  }
};
struct WriteAtAll : OnFile {
  using OnFile::OnFile;
  void operator()() {
    check(MPI_File_write_at_all(file, next(), data.data(), kSize, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS,
          "MPI_File_write_at_all");
  }
};
struct ReadAtAll : OnFile {
  using OnFile::OnFile;
  void operator()() {
    check(MPI_File_read_at_all(file, next(), data.data(), kSize, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS,
          "MPI_File_read_at_all");
  }
};
struct IWriteAt : OnFile {
  using OnFile::OnFile;
  void operator()() {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_File_iwrite_at(file, next(), data.data(), kSize, MPI_BYTE, &request) == MPI_SUCCESS &&
              MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS,
          "MPI_File_iwrite_at, MPI_Wait");
  }
};
struct OpenClose : OnFile {
  using OnFile::OnFile;
  void operator()() {
    MPI_File again = MPI_FILE_NULL;
    check(open(&again) == MPI_SUCCESS && MPI_File_close(&again) == MPI_SUCCESS,
          "MPI_File_open, MPI_File_close");
  }
};
struct Seek : OnFile {
  using OnFile::OnFile;
  void operator()() { check(MPI_File_seek(file, next(), MPI_SEEK_SET) == MPI_SUCCESS, "MPI_File_seek"); }
};
struct GetSize : OnFile {
  using OnFile::OnFile;
  void operator()() {
    MPI_Offset size = 0;
    check(MPI_File_get_size(file, &size) == MPI_SUCCESS, "MPI_File_get_size");
  }
};
struct Sync : OnFile {
  using OnFile::OnFile;
  void operator()() { check(MPI_File_sync(file) == MPI_SUCCESS, "MPI_File_sync"); }
};
struct SetView : OnFile {
  using OnFile::OnFile;
  void operator()() {
    check(MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL) == MPI_SUCCESS,
          "MPI_File_set_view");
  }
};

// Not I/O: what a wrapped call costs in which a turn may be taken.
struct Barrier {
  explicit Barrier(const std::string& /*folder*/) {}
  void operator()() { check(MPI_Barrier(MPI_COMM_SELF) == MPI_SUCCESS, "MPI_Barrier"); }
};

void take_turns_until_told() {
  for (int told = 0; told == 0; ::usleep(1000)) {
    MPI_Barrier(MPI_COMM_SELF);
    MPI_Iprobe(0, 0, MPI_COMM_WORLD, &told, MPI_STATUS_IGNORE);
  }
  MPI_Recv(nullptr, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int run_all(int argc, char** argv) {
  const std::string folder = argv[1];
  const auto named = [](const char* call) { return std::string("mpi_") + call + "_" TOTO_BENCH_MPI; };
  return run(argc, argv,
             {measured<WriteAt>(named("write_at_4k"), folder), measured<ReadAt>(named("read_at_4k"), folder),
              measured<Write>(named("write_4k"), folder), measured<Read>(named("read_4k"), folder),
              measured<WriteAtAll>(named("write_at_all_4k"), folder),
              measured<ReadAtAll>(named("read_at_all_4k"), folder),
              measured<IWriteAt>(named("iwrite_at_4k_wait"), folder),
              measured<OpenClose>(named("open_close"), folder), measured<Seek>(named("seek"), folder),
              measured<GetSize>(named("get_size"), folder), measured<Sync>(named("sync"), folder),
              measured<SetView>(named("set_view"), folder), measured<Barrier>(named("barrier"), folder)});
}

}  // namespace
}  // namespace toto::bench

int main(int argc, char** argv) {
  using namespace toto::bench;
  int rank = 0, ranks = 1, code = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  check(argc > 1, "usage: calls_MPI FOLDER [--benchmark_... | count CALLS]");
  if (rank == 0) {
    code = run_all(argc, argv);
    for (int other = 1; other < ranks; ++other) MPI_Send(nullptr, 0, MPI_BYTE, other, 0, MPI_COMM_WORLD);
  } else {
    take_turns_until_told();
  }
  MPI_Finalize();
  return code;
}
