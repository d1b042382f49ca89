// SPDX-License-Identifier: BSD-3-Clause
// Waiting for other ranks at MPI_Finalize, but not for ever: TOTO_FINALIZE_LIMIT seconds in all. What is not
// there by then is given up, with its requests: the MPI library may still be using them.
#pragma once

#include <sched.h>

#include "core/clock.h"
#include "core/config.h"
#include "pmpi/real.h"

namespace toto::pmpi {

class Patience {
 public:
  // Lets others run; false when the time is up.
  bool wait() {
    ::sched_yield();
    const auto limit = static_cast<std::uint64_t>(config::settings().finalize_limit) * 1'000'000'000;
    return clock::monotonic_ns() - start_ < limit;
  }
  // The request is complete, or the time is up or MPI refused: false.
  bool until_done(MPI_Request& request) {
    for (;;) {
      int done = 0;
      if (real::Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
      if (done != 0) return true;
      if (!wait()) return false;
    }
  }

 private:
  std::uint64_t start_ = clock::monotonic_ns();
};

}  // namespace toto::pmpi
