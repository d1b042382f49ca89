// SPDX-License-Identifier: BSD-3-Clause
// What this process knows of the job it belongs to. Set by pmpi/ at MPI_Init; without MPI the defaults hold.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/fixed_string.h"

namespace toto {

struct Job {
  std::atomic<int> rank{-1};  // in MPI_COMM_WORLD; -1: no MPI (yet)
  std::atomic<int> ranks{0};
  std::atomic<int> nodes{0};
  std::atomic<std::uint64_t> world{0};  // a number that the ranks of one MPI_COMM_WORLD have in common
  std::atomic<bool> reported{false};    // a report was written or is somebody else's to write
  FixedString<95> mpi_library;          // first line of MPI_Get_library_version
  FixedString<31> mpi_io;               // hints::name of the MPI-IO part
  FixedString<15> thread_level;
};

inline constinit Job job{};

}  // namespace toto
