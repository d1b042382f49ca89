// SPDX-License-Identifier: BSD-3-Clause
// Signals that the library's own work would bring upon the program.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <ctime>

namespace toto::sys {

// While it lasts, a file of ours that may not grow (RLIMIT_FSIZE: SIGXFSZ) or a pipe that nobody reads
// (SIGPIPE) is an error of our own call, as EFBIG and EPIPE, and no signal to the program.
class NoSignalOfOurs {
 public:
  NoSignalOfOurs() {
    change(SIG_BLOCK, kBoth, &before_);
    ::syscall(SYS_rt_sigpending, &pending_, kSize);
  }
  ~NoSignalOfOurs() {
    const int saved = errno;
    // Both are sent to the very thread. One that was waiting already is the program's.
    const std::uint64_t ours = kBoth & ~pending_;
    constexpr timespec kNow{0, 0};
    while (ours != 0 && ::syscall(SYS_rt_sigtimedwait, &ours, nullptr, &kNow, kSize) > 0) {
    }
    change(SIG_SETMASK, before_, nullptr);
    errno = saved;
  }
  NoSignalOfOurs(const NoSignalOfOurs&) = delete;
  NoSignalOfOurs& operator=(const NoSignalOfOurs&) = delete;

 private:
  static constexpr std::size_t kSize = 8;  // of the kernel's set of signals
  static constexpr std::uint64_t kBoth = std::uint64_t{1} << (SIGXFSZ - 1) | std::uint64_t{1}
                                                                                 << (SIGPIPE - 1);
  static void change(int how, std::uint64_t set, std::uint64_t* old) {
    ::syscall(SYS_rt_sigprocmask, how, &set, old, kSize);
  }
  std::uint64_t before_ = 0;
  std::uint64_t pending_ = 0;
};

}  // namespace toto::sys
