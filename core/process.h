// SPDX-License-Identifier: BSD-3-Clause
// State of this process that both halves of the library ask on their way in.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/start_up.h"

namespace toto::process {

// Whether wrappers look at anything at all: set at the end of start-up, never in a disabled process.
TOTO_SET_AT_START(active) inline constinit std::atomic<bool> active{false};
[[nodiscard]] inline bool is_active() { return active.load(std::memory_order_relaxed); }

class InMpi;

// Depth of wrapped MPI calls of this thread, and the outermost of them. Below one, POSIX calls are the MPI
// library's own (counted, never given a layout), and MPI calls are another tool's or the library's own
// (forwarded, not counted again).
inline constinit thread_local int mpi_depth = 0;
inline constinit thread_local const InMpi* mpi_outermost = nullptr;

// A wrapped call, while it lasts: on the stack of the wrapper.
class InMpi {
 public:
  [[gnu::always_inline]] InMpi() {
    if (mpi_depth != 0 && !mpi_outermost->lasts()) mpi_depth = 0;
    alive_ = mark();
    if (mpi_depth++ == 0) mpi_outermost = this;
  }
  [[gnu::always_inline]] ~InMpi() {
    alive_ = 0;
    --mpi_depth;
  }
  InMpi(const InMpi&) = delete;
  InMpi& operator=(const InMpi&) = delete;

  // A call may be left without its end, by an exception or a longjmp out of an error handler. Then either the
  // stack stands at or above its place, which no call inside it can, or other frames have been written over
  // it.
  [[nodiscard, gnu::always_inline]] bool lasts() const {
    return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) <
               reinterpret_cast<std::uintptr_t>(this) &&
           alive_ == mark();
  }

 private:
  [[nodiscard]] std::uintptr_t mark() const {
    return reinterpret_cast<std::uintptr_t>(this) ^ 0x70'74'6f'74'6f'70'6d'69U;
  }

  volatile std::uintptr_t alive_;
};

[[nodiscard, gnu::always_inline]] inline bool inside_mpi() {
  if (mpi_depth == 0) [[likely]] {
    return false;
  }
  if (mpi_outermost->lasts()) return true;
  mpi_depth = 0;
  return false;
}

}  // namespace toto::process
