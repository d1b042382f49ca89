// SPDX-License-Identifier: BSD-3-Clause
// Who counts in an area, for the report: known at the area's start, and more at MPI_Init.
#pragma once

#include <array>
#include <cstdint>

#include "core/clock.h"
#include "core/fixed_string.h"

namespace toto {

struct ProcessInfo {
  FixedString<255> program;
  std::array<char, 1024> command{};  // words, each ending in NUL
  std::uint32_t command_bytes = 0;
  std::int32_t pid = 0;
  std::int32_t rank = -1;  // in MPI_COMM_WORLD; -1: no MPI
  std::int32_t ranks = 0;
  std::int32_t nodes = 0;
  FixedString<95> mpi_library;
  FixedString<31> mpi_io;
  FixedString<15> thread_level;
  clock::Zero zero;          // of the clock that all times of the area are counted in
  double ns_per_tick = 1.0;  // as known at the area's start; better at a living reader's

  // Fills in this process: the program the first time, what MPI told whenever it is called.
  void describe_self();
};

}  // namespace toto
