// SPDX-License-Identifier: BSD-3-Clause
//
// Takes the mount away when the daemon dies without having done so (kill -9), as a small process of its own
// that waits for the daemon's end. Otherwise a dead mount would stay and answer everything with an error.
#pragma once

#include <string>

namespace toto::stripefs {

class MountGuard {
 public:
  // Forks: before the process has threads. `session_fd` is closed in the guard, as the kernel takes the
  // daemon for alive while anybody has it open.
  MountGuard(const std::string& mount_point, int session_fd);
  ~MountGuard();  // the daemon ends in good order: the guard has nothing to do
  MountGuard(const MountGuard&) = delete;
  MountGuard& operator=(const MountGuard&) = delete;

 private:
  int fd_ = -1;
};

}  // namespace toto::stripefs
