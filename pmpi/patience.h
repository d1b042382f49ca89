// SPDX-License-Identifier: BSD-3-Clause
// Waiting for other ranks. At MPI_Init as long as it takes; at MPI_Finalize not for ever: TOTO_FINALIZE_LIMIT
// seconds in all for the first word of everybody. From then on all are there, and what does not come within
// seconds never will: a rank that came too late finds the others' first word, and no second. What is given up
// stays given up with its requests and buffers: the MPI library may still be using them.
#pragma once

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

#include "core/clock.h"
#include "core/config.h"
#include "pmpi/real.h"

namespace toto::pmpi::patience {

// Between two looks at what others do. Those that one waits for may need this processor: where ranks share
// processors, a blocking all-reduce of 8 ranks on 2 of them takes 40 ms of the MPI library's own waiting, and
// this a few (bench/whole).
class Pause {
 public:
  static constexpr long kLongest = 1'000'000;  // ns
  explicit Pause(long longest_ns = kLongest) : longest_ns_(longest_ns) {}

  void rest() {
    if (looks_ < kYields) {
      ++looks_;
      ::sched_yield();
      return;
    }
    const timespec pause{.tv_sec = 0, .tv_nsec = length_ns_};
    ::syscall(SYS_nanosleep, &pause, nullptr);
    length_ns_ = std::min(length_ns_ * 2, longest_ns_);
  }

 private:
  static constexpr int kYields = 16;
  static constexpr long kShortest = 50'000;  // ns
  long longest_ns_;
  int looks_ = 0;
  long length_ns_ = kShortest;
};

namespace detail {
inline constinit std::uint64_t ends_ns = 0;  // 0: nobody has waited yet. Of the thread in MPI_Finalize.
}

// Lets others run; false when the time is up.
inline bool wait(Pause& pause) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  if (detail::ends_ns == 0)
    detail::ends_ns =
        clock::monotonic_ns() + static_cast<std::uint64_t>(config::settings().finalize_limit) * kSecond;
  pause.rest();
  return clock::monotonic_ns() < detail::ends_ns;
}

// Everybody has spoken.
inline void all_are_here() {
  constexpr std::uint64_t kGrace = 10'000'000'000;
  detail::ends_ns = clock::monotonic_ns() + kGrace;
}

// The request is complete, or the time is up or MPI refused: false.
inline bool until_done(MPI_Request& request) {
  Pause pause;
  for (;;) {
    int done = 0;
    if (real::Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
    if (done != 0) return true;
    if (!wait(pause)) return false;
  }
}

// The request is complete, or MPI refused: false.
inline bool until_all_come(MPI_Request& request) {
  Pause pause;
  for (;;) {
    int done = 0;
    if (real::Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
    if (done != 0) return true;
    pause.rest();
  }
}

}  // namespace toto::pmpi::patience
