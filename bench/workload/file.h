// SPDX-License-Identifier: BSD-3-Clause
// The open file of one rank, by POSIX or by MPI-IO. A failing call ends the job with a message that names it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "bench/workload/options.h"

namespace workload {

// Where a rank's transfers go.
struct Layout {
  std::int64_t block, transfer, segments;
  int rank, ranks;  // of the file: 0 of 1 with a file per process

  [[nodiscard]] std::int64_t transfers() const { return segments * (block / transfer); }
  // Offset in the file of a rank's n-th transfer.
  [[nodiscard]] std::int64_t offset(std::int64_t n) const {
    const std::int64_t a_block = block / transfer;
    return ((n / a_block) * ranks + rank) * block + (n % a_block) * transfer;
  }
};

class File {
 public:
  virtual ~File() = default;
  // `n`: which of the rank's transfers.
  virtual void write(std::int64_t n, std::span<const std::byte> data) = 0;
  virtual void read(std::int64_t n, std::span<std::byte> data) = 0;
  virtual void sync() = 0;
  virtual void close() = 0;
};

// Opens for writing (made anew) or for reading.
std::unique_ptr<File> open(const Options& options, const std::string& path, const Layout& layout, bool write);

// Takes the file away, from one rank.
void remove(const Options& options, const std::string& path);

[[noreturn]] void give_up(const std::string& what);

}  // namespace workload
