// SPDX-License-Identifier: BSD-3-Clause
#include "bench/workload/file.h"

#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace workload {
namespace {

void require(int result, const char* call, const std::string& path) {
  if (result == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(result, text.data(), &length);
  give_up(std::string(call) + " " + path + ": " + text.data());
}

class PosixFile final : public File {
 public:
  PosixFile(std::string path, const Layout& layout, bool write) : path_(std::move(path)), layout_(layout) {
    // All ranks of a shared file create it, as IOR has it; the one that was there before is gone by then.
    fd_ = ::open(path_.c_str(), write ? O_CREAT | O_RDWR : O_RDONLY, 0664);
    if (fd_ < 0) fail("open");
  }
  ~PosixFile() override {
    if (fd_ >= 0) ::close(fd_);
  }
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;

  void write(std::int64_t n, std::span<const std::byte> data) override {
    seek(n);
    while (!data.empty()) {
      const ssize_t done = ::write(fd_, data.data(), data.size());
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) fail("write");
      data = data.subspan(static_cast<std::size_t>(done));
    }
  }
  void read(std::int64_t n, std::span<std::byte> data) override {
    seek(n);
    while (!data.empty()) {
      const ssize_t done = ::read(fd_, data.data(), data.size());
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) fail(done == 0 ? "read: the file ends early" : "read");
      data = data.subspan(static_cast<std::size_t>(done));
    }
  }
  void sync() override {
    if (::fsync(fd_) != 0) fail("fsync");
  }
  void close() override {
    if (::close(fd_) != 0) fail("close");
    fd_ = -1;
  }

 private:
  void seek(std::int64_t n) {
    if (::lseek(fd_, layout_.offset(n), SEEK_SET) < 0) fail("lseek");
  }
  [[noreturn]] void fail(const char* call) const {
    give_up(std::string(call) + " " + path_ + ": " + std::strerror(errno));
  }

  std::string path_;
  Layout layout_;
  int fd_ = -1;
};

class MpiFile final : public File {
 public:
  MpiFile(const Options& options, std::string path, const Layout& layout, bool write)
      : path_(std::move(path)), layout_(layout), collective_(options.collective), view_(options.view) {
    const MPI_Comm comm = options.file_per_process ? MPI_COMM_SELF : MPI_COMM_WORLD;
    const int mode = write ? MPI_MODE_CREATE | MPI_MODE_RDWR : MPI_MODE_RDONLY;
    require(MPI_File_open(comm, path_.c_str(), mode, MPI_INFO_NULL, &file_), "MPI_File_open", path_);
    if (view_) set_view();
  }

  void write(std::int64_t n, std::span<const std::byte> data) override {
    const auto call = collective_ ? MPI_File_write_at_all : MPI_File_write_at;
    MPI_Status status;
    require(call(file_, at(n), data.data(), static_cast<int>(data.size()), MPI_BYTE, &status), "write", path_);
    complete(status, data.size(), "write");
  }
  void read(std::int64_t n, std::span<std::byte> data) override {
    const auto call = collective_ ? MPI_File_read_at_all : MPI_File_read_at;
    MPI_Status status;
    require(call(file_, at(n), data.data(), static_cast<int>(data.size()), MPI_BYTE, &status), "read", path_);
    complete(status, data.size(), "read");
  }
  void sync() override { require(MPI_File_sync(file_), "MPI_File_sync", path_); }
  void close() override { require(MPI_File_close(&file_), "MPI_File_close", path_); }

 private:
  [[nodiscard]] MPI_Offset at(std::int64_t n) const {
    return view_ ? n * layout_.transfer : layout_.offset(n);
  }
  void set_view() {
    MPI_Datatype block{}, resized{};
    require(MPI_Type_contiguous(static_cast<int>(layout_.block), MPI_BYTE, &block), "MPI_Type_contiguous",
            path_);
    require(MPI_Type_create_resized(block, 0, layout_.block * layout_.ranks, &resized),
            "MPI_Type_create_resized", path_);
    require(MPI_Type_commit(&resized), "MPI_Type_commit", path_);
    require(
        MPI_File_set_view(file_, layout_.rank * layout_.block, MPI_BYTE, resized, "native", MPI_INFO_NULL),
        "MPI_File_set_view", path_);
    MPI_Type_free(&resized);
    MPI_Type_free(&block);
  }
  void complete(const MPI_Status& status, std::size_t asked, const char* call) const {
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    if (static_cast<std::size_t>(count) != asked) give_up(std::string(call) + " " + path_ + ": not all of it");
  }

  std::string path_;
  Layout layout_;
  bool collective_, view_;
  MPI_File file_{};
};

}  // namespace

std::unique_ptr<File> open(const Options& options, const std::string& path, const Layout& layout, bool write) {
  if (options.api == Api::kPosix) return std::make_unique<PosixFile>(path, layout, write);
  return std::make_unique<MpiFile>(options, path, layout, write);
}

void remove(const Options& options, const std::string& path) {
  if (options.api == Api::kPosix) {
    ::unlink(path.c_str());
  } else {
    MPI_File_delete(path.c_str(), MPI_INFO_NULL);  // may not be there
  }
}

void give_up(const std::string& what) {
  std::fprintf(stderr, "toto-workload: %s\n", what.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
  ::_exit(1);
}

}  // namespace workload
