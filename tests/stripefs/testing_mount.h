// SPDX-License-Identifier: BSD-3-Clause
//
// A mounted stripefs for a test, and short forms of the system calls that tests make on it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace toto::stripefs::testing {

// Mounts in a fresh directory; unmounts and removes it at the end, whatever happened in between.
class Mount {
 public:
  explicit Mount(std::vector<std::string> options);  // throws when it cannot be mounted
  ~Mount();
  Mount(const Mount&) = delete;
  Mount& operator=(const Mount&) = delete;

  const std::string& path() const { return path_; }
  std::string path(const std::string& name) const { return path_ + "/" + name; }
  pid_t daemon() const { return daemon_; }

  bool mounted() const;

  // Waits for the daemon's end: its exit code, or minus the signal that ended it. Nothing after ten seconds.
  std::optional<int> WaitForDaemon();

  // Bytes written to (read from) each target, from "stripefs.stats".
  std::vector<std::uint64_t> Written() const;
  std::vector<std::uint64_t> Read() const;
  // One of the totals by its name, such as "makespan_ms".
  double Total(const std::string& name) const;

 private:
  std::vector<std::uint64_t> PerTarget(const std::string& key) const;

  std::string path_;
  pid_t daemon_ = -1;
  bool reaped_ = false;
};

// The type of what is mounted at the path, such as "fuse.lustre"; empty when nothing is.
std::string MountTypeAt(const std::string& path);

// The errno of the call, 0 for success.
int SetAttribute(const std::string& path, const std::string& name, const std::string& value, int flags = 0);
int RemoveAttribute(const std::string& path, const std::string& name);

// The attribute's value, or an empty text and `error` set.
std::string GetAttribute(const std::string& path, const std::string& name, int* error = nullptr);
int GetAttributeError(const std::string& path, const std::string& name);

class Fd {
 public:
  Fd(const std::string& path, int flags, mode_t mode = 0644);
  ~Fd();
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;

  int get() const { return fd_; }
  int error() const { return error_; }

 private:
  int fd_;
  int error_;
};

// Writes that many bytes at the offset: 0 or the errno.
int WriteBytes(int fd, std::size_t size, off_t offset);
int WriteFile(const std::string& path, std::size_t size);

// Runs `body` as another user in a child process; its result.
int AsUser(uid_t user, int (*body)(const std::string&), const std::string& argument);

template <typename T>
std::string Packed(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

}  // namespace toto::stripefs::testing
