// SPDX-License-Identifier: BSD-3-Clause
//
// The tree of files and directories in memory. File data lives in one memfd a file.
//
// Not synchronised: the caller holds the file system's mutex, except for reading and writing through
// Inode::data, which stays open and the same as long as the kernel knows the inode.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "layout.h"

namespace toto::stripefs {

class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  UniqueFd& operator=(UniqueFd&& other) noexcept;
  ~UniqueFd();

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

using NameMap = std::map<std::string, std::uint64_t, std::less<>>;
using AttributeMap = std::map<std::string, std::string, std::less<>>;

struct Inode {
  std::uint64_t number = 0;
  std::uint64_t parent = 0;  // the directory that it was last put into
  std::uint64_t lookups = 0;
  mode_t mode = 0;
  nlink_t links = 0;
  uid_t uid = 0;
  gid_t gid = 0;
  dev_t device = 0;
  off_t size = 0;
  timespec accessed{};
  timespec modified{};
  timespec changed{};
  UniqueFd data;            // regular files, once they had data
  std::string link_target;  // symbolic links
  NameMap entries;          // directories
  AttributeMap attributes;  // extended attributes that mean nothing to us
  bool ever_had_data = false;
  std::optional<FileLayout> layout;          // regular files
  std::optional<FileLayout> default_layout;  // directories: for their new files

  bool is_directory() const { return S_ISDIR(mode); }
  bool is_regular() const { return S_ISREG(mode); }

  void Modified();  // contents changed now
  void Changed();   // attributes changed now

  // Makes the memfd when there is none yet: 0 or an errno.
  int EnsureData();
};

timespec RealTime();

class Tree {
 public:
  Tree(uid_t uid, gid_t gid);

  static constexpr std::uint64_t kRoot = 1;

  // The kernel names only inodes that we told it of, so that this never fails for a number from a request.
  Inode& Get(std::uint64_t number) { return *inodes_.at(number); }
  Inode* Find(std::uint64_t number);
  Inode* Lookup(const Inode& directory, std::string_view name);

  // A new inode in the directory, whose set-group-id bit is honoured. The name must be free.
  Inode& Make(Inode& directory, std::string_view name, mode_t mode, uid_t uid, gid_t gid);

  void Link(Inode& directory, std::string_view name, Inode& inode);

  // Takes the name away: 0, ENOENT, EISDIR or ENOTDIR (by `directories`), ENOTEMPTY.
  int Remove(Inode& directory, std::string_view name, bool directories);

  int Rename(Inode& from, std::string_view name, Inode& to, std::string_view new_name);

  // The kernel forgets `count` lookups. True when the inode is gone with that.
  bool Forget(std::uint64_t number, std::uint64_t count);

  std::size_t size() const { return inodes_.size(); }

 private:
  void Unlink(Inode& directory, NameMap::const_iterator entry);
  void DropIfUnused(Inode& inode);

  std::map<std::uint64_t, std::unique_ptr<Inode>> inodes_;
  std::uint64_t next_number_ = kRoot;
};

}  // namespace toto::stripefs
