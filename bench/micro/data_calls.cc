// SPDX-License-Identifier: BSD-3-Clause
// The measured calls that move data by descriptor.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <array>

#include "bench/micro/files.h"

namespace toto::bench {
namespace {

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

// Two parts of 2 KiB.
struct Vector : AtPosition<4096> {
  using AtPosition<4096>::AtPosition;
  std::array<iovec, 2> parts{{{data.data(), 2048}, {data.data() + 2048, 2048}}};
};
struct WriteV : Vector {
  using Vector::Vector;
  void operator()() {
    rewind_sometimes();
    check(::writev(file.fd(), parts.data(), 2) == 4096, "writev");
  }
};
struct ReadV : Vector {
  using Vector::Vector;
  void operator()() {
    rewind_sometimes();
    check(::readv(file.fd(), parts.data(), 2) == 4096, "readv");
  }
};
struct PWriteV : Vector {
  using Vector::Vector;
  void operator()() { check(::pwritev(file.fd(), parts.data(), 2, places.next()) == 4096, "pwritev"); }
};
struct PReadV : Vector {
  using Vector::Vector;
  void operator()() { check(::preadv(file.fd(), parts.data(), 2, places.next()) == 4096, "preadv"); }
};

// From the first half of the file into the second.
struct CopyRange {
  explicit CopyRange(const std::string& folder) : file(folder) {}
  void operator()() {
    off64_t from = places.next() / 2, to = from + kFileBytes / 2;
    check(::copy_file_range(file.fd(), &from, file.fd(), &to, 2048, 0) == 2048, "copy_file_range");
  }
  File file;
  Places<4096> places;
};

struct Map {
  explicit Map(const std::string& folder) : file(folder) {}
  void operator()() {
    void* at = ::mmap(nullptr, 4096, PROT_READ, MAP_SHARED, file.fd(), 0);
    check(at != MAP_FAILED && ::munmap(at, 4096) == 0, "mmap, munmap");
  }
  File file;
};

}  // namespace

std::vector<Measured> data_calls(const std::string& folder) {
  return {data<Write<1>>("write_1", folder),
          data<Write<4096>>("write_4k", folder),
          data<PWrite<1>>("pwrite_1", folder),
          data<PWrite<4096>>("pwrite_4k", folder),
          data<Read<1>>("read_1", folder),
          data<Read<4096>>("read_4k", folder),
          data<PRead<1>>("pread_1", folder),
          data<PRead<4096>>("pread_4k", folder),
          data<WriteV>("writev_4k", folder),
          data<PWriteV>("pwritev_4k", folder),
          data<ReadV>("readv_4k", folder),
          data<PReadV>("preadv_4k", folder),
          measured<CopyRange>("copy_file_range_2k", folder),
          measured<Map>("mmap_munmap", folder)};
}

}  // namespace toto::bench
