// SPDX-License-Identifier: BSD-3-Clause
// State of this process that both halves of the library ask on their way in.
#pragma once

#include <atomic>
#include <cstdint>

namespace toto::process {

// Whether wrappers look at anything at all: set at the end of start-up, never in a disabled process.
inline constinit std::atomic<bool> active{false};
[[nodiscard]] inline bool is_active() { return active.load(std::memory_order_relaxed); }

// Depth of wrapped MPI calls of this thread, and where the stack stood at the outermost. Below one, POSIX
// calls are the MPI library's own (counted, never given a layout), and MPI calls are another tool's or the
// library's own (forwarded, not counted again).
inline constinit thread_local int mpi_depth = 0;
inline constinit thread_local std::uintptr_t mpi_outermost = 0;

// A call may be left without its end: by an exception or a longjmp out of an error handler. Then the stack
// stands at or above the place of that call, which no call inside it can.
[[nodiscard, gnu::always_inline]] inline bool inside_mpi() {
  if (mpi_depth == 0) [[likely]]
    return false;
  if (reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < mpi_outermost) return true;
  mpi_depth = 0;
  return false;
}

class InMpi {
 public:
  [[gnu::always_inline]] InMpi() {
    if (mpi_depth++ == 0) mpi_outermost = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  }
  ~InMpi() { --mpi_depth; }
  InMpi(const InMpi&) = delete;
  InMpi& operator=(const InMpi&) = delete;
};

}  // namespace toto::process
