// SPDX-License-Identifier: BSD-3-Clause
// A regular file in the making: made by mknod(2), which on some parallel file systems gives it a name and no
// layout, then given its layout, by an extended attribute or otherwise. Unlinked again unless it is kept.
//
//   NewFile file(path, mode);
//   if (const int error = file.make()) return error;
//   if (const int error = file.set("lustre.lov", blob, size)) return error;
//   return file.keep();
#pragma once

#include <sys/types.h>

#include <cstddef>

#include "core/sys.h"

namespace toto::layout {

class NewFile {
 public:
  NewFile(const char* path, mode_t mode) : path_(path), mode_(mode & 07777) {}
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  // Exclusive, also against a dangling symbolic link. 0 or an errno, as the others below; EEXIST comes from
  // here only.
  int make();
  // The same by open(2), for writing and with these flags too; `fd` is the file.
  int open(int flags, sys::Fd& fd);
  // For a file that was made with our mode and owner's permission to read and write in another way, which has
  // no mode bits above 0777: takes care of its mode, but never unlinks it.
  int adopt();
  int set(const char* attribute, const void* value, std::size_t size);
  // Length, or -1 (errno set), as getxattr(2).
  [[nodiscard]] ssize_t get(const char* attribute, void* value, std::size_t size) const;
  // Renames it, replacing nothing; `to` is a name that nobody else uses, and has to outlive this. EEXIST: in
  // use.
  int move(const char* to);
  // Gives the file the mode that open(2) would have given it, and keeps it. Until then its owner may read
  // and write it, without which the attributes could be neither read nor set.
  int keep();

 private:
  int take_mode(mode_t kept);

  const char* path_;
  mode_t mode_;
  mode_t has_ = 0;     // since it was made
  bool made_ = false;  // and to be unlinked
};

// The permission bits of `path` itself, as this client knows them (no message to a server); -1: errno set.
int permissions(const char* path);
// chmod(2) that follows no symbolic link. 0 or an errno.
int change_mode(const char* path, mode_t mode);

}  // namespace toto::layout
