// SPDX-License-Identifier: BSD-3-Clause
// What the measured calls work on, and the lists of them.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "bench/micro/program.h"

namespace toto::bench {

std::vector<Measured> data_calls(const std::string& folder);
std::vector<Measured> stream_calls(const std::string& folder);
std::vector<Measured> metadata_calls(const std::string& folder);

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

}  // namespace toto::bench
