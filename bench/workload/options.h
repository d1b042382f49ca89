// SPDX-License-Identifier: BSD-3-Clause
// The options of toto-workload: IOR's letters where they mean the same (IOR's user guide, "Command line
// options").
#pragma once

#include <cstdint>
#include <string>

namespace workload {

enum class Api { kPosix, kMpiIo };

struct Options {
  Api api = Api::kPosix;
  std::string file = "testFile";
  std::int64_t block = std::int64_t{1} << 20;     // bytes a rank and segment
  std::int64_t transfer = std::int64_t{1} << 18;  // bytes a call; divides block
  std::int64_t segments = 1;
  int repetitions = 1;
  bool write = false, read = false;  // neither given: both
  bool check_read = false;
  bool file_per_process = false;
  bool collective = false;    // MPI-IO only
  bool random_order = false;  // the transfers of a rank in an order of their own
  bool view = false;          // MPI-IO: each rank sees its own blocks only
  bool sync = false;          // fsync, MPI_File_sync after the last write
  bool keep = false;
  bool keep_between = false;       // one file a repetition
  bool reorder = false;            // read what the next rank wrote
  bool barriers = false;           // between open, transfers and close
  std::int64_t think_seconds = 0;  // between repetitions
  std::string summary;             // path of the summary as JSON; empty: none
};

// "16m", "16mb", "16MiB", "4096": bytes, in powers of two as IOR has them. Throws std::invalid_argument.
std::int64_t bytes_of(const std::string& text);

// Throws std::invalid_argument with one line for the user. `help` is set where only help is asked for.
Options parse(int argc, char** argv, bool& help);

std::string usage();

}  // namespace workload
