// SPDX-License-Identifier: BSD-3-Clause
// Waiting for other ranks at MPI_Finalize, but not for ever: TOTO_FINALIZE_LIMIT seconds in all for the first
// word of everybody. From then on all are there, and what does not come within seconds never will: a rank
// that came too late finds the others' first word, and no second. What is given up stays given up with its
// requests and buffers: the MPI library may still be using them.
#pragma once

#include <sched.h>

#include "core/clock.h"
#include "core/config.h"
#include "pmpi/real.h"

namespace toto::pmpi::patience {

namespace detail {
inline constinit std::uint64_t ends_ns =
    0;  // 0: nobody has waited yet. Only the thread in MPI_Finalize waits.
}

// Lets others run; false when the time is up.
inline bool wait() {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  if (detail::ends_ns == 0)
    detail::ends_ns =
        clock::monotonic_ns() + static_cast<std::uint64_t>(config::settings().finalize_limit) * kSecond;
  ::sched_yield();
  return clock::monotonic_ns() < detail::ends_ns;
}

// Everybody has spoken.
inline void all_are_here() {
  constexpr std::uint64_t kGrace = 10'000'000'000;
  detail::ends_ns = clock::monotonic_ns() + kGrace;
}

// The request is complete, or the time is up or MPI refused: false.
inline bool until_done(MPI_Request& request) {
  for (;;) {
    int done = 0;
    if (real::Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
    if (done != 0) return true;
    if (!wait()) return false;
  }
}

}  // namespace toto::pmpi::patience
