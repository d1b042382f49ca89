// SPDX-License-Identifier: BSD-3-Clause
#include "guard.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <sstream>

namespace toto::stripefs {

namespace {

// As the kernel's list writes a path: blanks and backslashes in octal.
std::string Escaped(const std::string& path) {
  std::string out;
  for (const char c : path) {
    if (c == ' ') {
      out += "\\040";
    } else if (c == '\t') {
      out += "\\011";
    } else if (c == '\n') {
      out += "\\012";
    } else if (c == '\\') {
      out += "\\134";
    } else {
      out += c;
    }
  }
  return out;
}

// The device of what is mounted there, "major:minor"; empty when nothing is. Read from the kernel's list,
// as the mount itself may not answer.
std::string DeviceAt(const std::string& mount_point) {
  std::ifstream mounts("/proc/self/mountinfo");
  const std::string wanted = Escaped(mount_point);
  std::string device;
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream fields(line);
    std::string id, parent, number, root, where;
    fields >> id >> parent >> number >> root >> where;
    if (where == wanted) device = number;  // the last one is on top
  }
  return device;
}

void DetachStdio() {
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd <= 2; ++fd) dup2(null, fd);
  if (null > 2) close(null);
}

[[noreturn]] void Watch(const std::string& mount_point, int fd) {
  setsid();
  DetachStdio();
  prctl(PR_SET_NAME, "stripefs-guard", 0UL, 0UL, 0UL);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) signal(number, SIG_IGN);
  const std::string device = DeviceAt(mount_point);
  char farewell = 0;
  ssize_t got = 0;
  do {
    got = read(fd, &farewell, 1);
  } while (got < 0 && errno == EINTR);
  if (got == 0 && !device.empty() && DeviceAt(mount_point) == device)
    umount2(mount_point.c_str(), MNT_DETACH);
  _exit(0);
}

}  // namespace

MountGuard::MountGuard(const std::string& mount_point, int session_fd) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
  const pid_t child = fork();
  if (child == 0) {
    close(session_fd);
    close(ends[1]);
    // The launcher's pipes must not stay open because of us.
    if (ends[0] != 3) {
      dup2(ends[0], 3);
      close(ends[0]);
    }
    close_range(4, ~0U, 0);
    Watch(mount_point, 3);
  }
  close(ends[0]);
  if (child < 0) {
    close(ends[1]);
    return;
  }
  fd_ = ends[1];
}

MountGuard::~MountGuard() {
  if (fd_ < 0) return;
  static_cast<void>(!write(fd_, "q", 1));
  close(fd_);
}

}  // namespace toto::stripefs
