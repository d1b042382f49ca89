// SPDX-License-Identifier: BSD-3-Clause
// System calls of the library itself. libc's names are wrapped by this very library, so that a call of
// ours by name would be counted as the program's: everything of ours goes through here instead.
// Same arguments, results and errno as the calls they are named after; retried on EINTR where that is safe.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <ctime>
#include <string_view>

namespace toto::sys {

inline int openat(int dir, const char* path, int flags, mode_t mode = 0) {
  return static_cast<int>(::syscall(SYS_openat, dir, path, flags, mode));
}
inline int open(const char* path, int flags, mode_t mode = 0) { return openat(AT_FDCWD, path, flags, mode); }
inline int close(int fd) { return static_cast<int>(::syscall(SYS_close, fd)); }
inline ssize_t read(int fd, void* buffer, std::size_t size) {
  ssize_t got;
  do {
    got = ::syscall(SYS_read, fd, buffer, size);
  } while (got < 0 && errno == EINTR);
  return got;
}
inline ssize_t write(int fd, const void* buffer, std::size_t size) {
  ssize_t put;
  do {
    put = ::syscall(SYS_write, fd, buffer, size);
  } while (put < 0 && errno == EINTR);
  return put;
}
// Writes all of `text`; false on an error (errno set).
inline bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = write(fd, text.data(), text.size());
    if (put <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}
inline int unlinkat(int dir, const char* path, int flags = 0) {
  return static_cast<int>(::syscall(SYS_unlinkat, dir, path, flags));
}
inline int linkat(int from_dir, const char* from, int to_dir, const char* to, int flags = 0) {
  return static_cast<int>(::syscall(SYS_linkat, from_dir, from, to_dir, to, flags));
}
inline int renameat(int from_dir, const char* from, int to_dir, const char* to) {
  return static_cast<int>(::syscall(SYS_renameat2, from_dir, from, to_dir, to, 0U));
}
inline int mknodat(int dir, const char* path, mode_t mode) {
  return static_cast<int>(::syscall(SYS_mknodat, dir, path, mode, 0U));
}
inline int fchmod(int fd, mode_t mode) { return static_cast<int>(::syscall(SYS_fchmod, fd, mode)); }
inline int mkdirat(int dir, const char* path, mode_t mode) {
  return static_cast<int>(::syscall(SYS_mkdirat, dir, path, mode));
}
inline int statx(int dir, const char* path, int flags, unsigned mask, struct statx* out) {
  return static_cast<int>(::syscall(SYS_statx, dir, path, flags, mask, out));
}
inline int fstatfs(int fd, struct statfs* out) { return static_cast<int>(::syscall(SYS_fstatfs, fd, out)); }
inline int statfs(const char* path, struct statfs* out) {
  return static_cast<int>(::syscall(SYS_statfs, path, out));
}
inline ssize_t readlinkat(int dir, const char* path, char* buffer, std::size_t size) {
  return ::syscall(SYS_readlinkat, dir, path, buffer, size);
}
// Length of the path without its NUL, or -1.
inline ssize_t getcwd(char* buffer, std::size_t size) {
  const long length = ::syscall(SYS_getcwd, buffer, size);
  return length > 0 ? length - 1 : -1;
}
inline int clock_gettime(clockid_t which, timespec* out) {
  return static_cast<int>(::syscall(SYS_clock_gettime, which, out));
}
inline int getpid() { return static_cast<int>(::syscall(SYS_getpid)); }
inline int getppid() { return static_cast<int>(::syscall(SYS_getppid)); }
inline int gettid() { return static_cast<int>(::syscall(SYS_gettid)); }
inline int ioctl(int fd, unsigned long request, void* argument) {
  return static_cast<int>(::syscall(SYS_ioctl, fd, request, argument));
}
inline int setxattr(const char* path, const char* name, const void* value, std::size_t size) {
  return static_cast<int>(::syscall(SYS_setxattr, path, name, value, size, 0));
}
inline int fsetxattr(int fd, const char* name, const void* value, std::size_t size) {
  return static_cast<int>(::syscall(SYS_fsetxattr, fd, name, value, size, 0));
}
inline ssize_t getxattr(const char* path, const char* name, void* value, std::size_t size) {
  return ::syscall(SYS_getxattr, path, name, value, size);
}
inline ssize_t fgetxattr(int fd, const char* name, void* value, std::size_t size) {
  return ::syscall(SYS_fgetxattr, fd, name, value, size);
}

// A descriptor of ours, closed at the end of the scope.
class Fd {
 public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  ~Fd() { reset(); }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool ok() const { return fd_ >= 0; }
  int release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }
  void reset(int fd = -1) {
    if (fd_ >= 0) sys::close(fd_);
    fd_ = fd;
  }

 private:
  int fd_;
};

// errno as it was, at the end of the scope.
class KeepErrno {
 public:
  KeepErrno() : saved_(errno) {}
  ~KeepErrno() { errno = saved_; }
  KeepErrno(const KeepErrno&) = delete;
  KeepErrno& operator=(const KeepErrno&) = delete;

 private:
  int saved_;
};

}  // namespace toto::sys
