// SPDX-License-Identifier: BSD-3-Clause
// State of this process that both halves of the library ask on their way in.
#pragma once

#include <atomic>

namespace toto::process {

// Whether wrappers look at anything at all: set at the end of start-up, never in a disabled process.
inline constinit std::atomic<bool> active{false};
[[nodiscard]] inline bool is_active() { return active.load(std::memory_order_relaxed); }

// Depth of wrapped MPI calls of this thread. Below one, POSIX calls are the MPI library's own (counted, never
// given a layout), and MPI calls are another tool's or the library's own (forwarded, not counted again).
inline constinit thread_local int mpi_depth = 0;

class InMpi {
 public:
  InMpi() { ++mpi_depth; }
  ~InMpi() { --mpi_depth; }
  InMpi(const InMpi&) = delete;
  InMpi& operator=(const InMpi&) = delete;
};

}  // namespace toto::process
