// SPDX-License-Identifier: BSD-3-Clause
//
// The state of a mounted file system, and how its files get their layouts.
//
// One mutex guards everything but the timer. It is held for bookkeeping only: never while data is copied,
// and never while a caller's memory is touched (a page fault there could need us).
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "faults.h"
#include "layout.h"
#include "model.h"
#include "timer.h"
#include "tree.h"

namespace toto::stripefs {

struct Options {
  Model::Options model;
  bool lustre = true;
  bool ceph = true;
  bool beegfs = true;
  std::uint32_t default_count = 1;
  std::uint64_t default_unit = 1 << 20;
  bool lenient = false;  // a file without data may get another layout, which Lustre would not allow
};

// One open file.
struct Handle {
  Inode* inode = nullptr;
  Stream stream;
  std::uint64_t client = 0;  // who holds extent locks: the process
};

// An open directory: its entries as they were then, so that reading on never skips or repeats one.
struct DirectoryHandle {
  struct Entry {
    std::string name;
    ino_t number;
    mode_t mode;
  };
  std::vector<Entry> entries;
};

// Owns what the kernel has open. It names an open file by a number, here the address. When the file system
// is unmounted while busy, nobody releases what is left.
template <typename T>
class HandleTable {
 public:
  static T& Get(std::uint64_t number) { return *reinterpret_cast<T*>(static_cast<std::uintptr_t>(number)); }

  std::uint64_t Add(std::unique_ptr<T> handle) {
    const std::uint64_t number = reinterpret_cast<std::uintptr_t>(handle.get());
    handles_.emplace(number, std::move(handle));
    return number;
  }

  void Remove(std::uint64_t number) { handles_.erase(number); }

 private:
  std::unordered_map<std::uint64_t, std::unique_ptr<T>> handles_;
};

class FileSystem {
 public:
  FileSystem(const Options& wanted, uid_t uid, gid_t gid);

  const Options options;
  std::mutex mutex;
  Tree tree;
  Model model;
  Placer placer;
  Faults faults;
  HandleTable<Handle> files;
  HandleTable<DirectoryHandle> directories;
  Timer timer;

  // The rest needs the mutex held. Errors are errnos.

  // The layout of new files in the directory.
  FileLayout DefaultFor(const Inode& directory);

  // What a file gets when it is created by open() with these flags (mknod: O_RDONLY), or opened for writing.
  // On Lustre a file stays without a layout until it is opened for writing, without "delay create".
  int LayoutAtCreate(Inode& file, int open_flags);
  int LayoutAtOpen(Inode& file, int open_flags);

  // Gives the file this layout. EEXIST when it has one already, with objects.
  int SetLayout(Inode& file, FileLayout layout);

  // Makes this the default of the directory's new files; one that wishes for nothing takes the default away.
  // EINVAL or ENODEV when it names a target that does not exist.
  int SetDirectoryDefault(Inode& directory, FileLayout layout);

  // Gives targets to the components that a write into the range is the first to touch.
  int PlaceRange(Inode& file, std::uint64_t offset, std::uint64_t length);

  void Forget(std::uint64_t inode, std::uint64_t lookups);

 private:
  bool WritesNow(int open_flags) const;
  int PlaceDefault(Inode& file);
};

}  // namespace toto::stripefs
