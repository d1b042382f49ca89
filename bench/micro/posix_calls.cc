// SPDX-License-Identifier: BSD-3-Clause
// The measured calls of POSIX and stdio.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/micro/program.h"

namespace toto::bench {
namespace {

// A file of kFileBytes, open for reading and writing.
class File {
 public:
  explicit File(const std::string& folder)
      : path_(folder + "/file"), fd_(::open(path_.c_str(), O_RDWR | O_CREAT, 0600)) {
    check(fd_ >= 0 && ::ftruncate(fd_, kFileBytes) == 0, path_.c_str());
    // Touched once, so that no call is the one that gives a page to the file.
    const std::vector<char> all(kFileBytes, 'x');
    check(::pwrite(fd_, all.data(), all.size(), 0) == kFileBytes, path_.c_str());
  }
  ~File() { ::close(fd_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] const char* path() const { return path_.c_str(); }

 private:
  std::string path_;
  int fd_;
};

// Offsets 0, size, 2 * size, ... within the file.
template <long size>
class Places {
 public:
  long next() {
    const long at = at_;
    at_ = (at_ + size) & (kFileBytes - 1);
    return at;
  }

 private:
  long at_ = 0;
};

template <long size>
struct AtPosition {
  explicit AtPosition(const std::string& folder) : file(folder) {}
  // Back to the start, past the wrappers: the seek is not what is measured.
  void rewind_sometimes() {
    if (places.next() == 0) ::syscall(SYS_lseek, file.fd(), 0L, SEEK_SET);
  }
  File file;
  Places<size> places;
  std::array<char, size> data{};
};

template <long size>
struct Write : AtPosition<size> {
  using AtPosition<size>::AtPosition;
  void operator()() {
    this->rewind_sometimes();
    check(::write(this->file.fd(), this->data.data(), size) == size, "write");
  }
};

template <long size>
struct Read : AtPosition<size> {
  using AtPosition<size>::AtPosition;
  void operator()() {
    this->rewind_sometimes();
    check(::read(this->file.fd(), this->data.data(), size) == size, "read");
  }
};

template <long size>
struct PWrite : AtPosition<size> {
  using AtPosition<size>::AtPosition;
  void operator()() {
    check(::pwrite(this->file.fd(), this->data.data(), size, this->places.next()) == size, "pwrite");
  }
};

template <long size>
struct PRead : AtPosition<size> {
  using AtPosition<size>::AtPosition;
  void operator()() {
    check(::pread(this->file.fd(), this->data.data(), size, this->places.next()) == size, "pread");
  }
};

struct Seek {
  explicit Seek(const std::string& folder) : file(folder) {}
  void operator()() { check(::lseek(file.fd(), places.next(), SEEK_SET) >= 0, "lseek"); }
  File file;
  Places<4096> places;
};

struct OpenClose {
  explicit OpenClose(const std::string& folder) : file(folder) {}
  void operator()() {
    const int fd = ::open(file.path(), O_RDWR);
    check(fd >= 0 && ::close(fd) == 0, "open, close");
  }
  File file;
};

// The stream's own write(2) every 4096 bytes is part of what an fwrite costs.
struct FWrite {
  explicit FWrite(const std::string& folder) : stream(std::fopen((folder + "/stream").c_str(), "w")) {
    check(stream != nullptr, "fopen");
  }
  ~FWrite() { std::fclose(stream); }
  FWrite(const FWrite&) = delete;
  FWrite& operator=(const FWrite&) = delete;
  void operator()() { check(std::fwrite("12345678", 1, 8, stream) == 8, "fwrite"); }
  std::FILE* stream;
};

struct Stat {
  explicit Stat(const std::string& folder) : file(folder) {}
  void operator()() {
    struct stat about;
    check(::stat(file.path(), &about) == 0, "stat");
  }
  File file;
};

}  // namespace
}  // namespace toto::bench

int main(int argc, char** argv) {
  using namespace toto::bench;
  check(argc > 1, "usage: calls_posix FOLDER [--benchmark_... | count N]");
  const std::string folder = argv[1];
  return run(argc, argv,
             {measured<Write<1>>("write_1", folder), measured<Write<4096>>("write_4k", folder),
              measured<PWrite<1>>("pwrite_1", folder), measured<PWrite<4096>>("pwrite_4k", folder),
              measured<Read<1>>("read_1", folder), measured<Read<4096>>("read_4k", folder),
              measured<PRead<1>>("pread_1", folder), measured<PRead<4096>>("pread_4k", folder),
              measured<Seek>("lseek", folder), measured<OpenClose>("open_close", folder),
              measured<FWrite>("fwrite_8", folder), measured<Stat>("stat", folder)});
}
