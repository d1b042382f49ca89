// SPDX-License-Identifier: BSD-3-Clause
#include "hints/layout/new_file.h"

#include "core/fixed_string.h"
#include "core/sys.h"

namespace toto::layout {

int permissions(const char* path) {
  struct statx info;
  if (sys::statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW | AT_STATX_DONT_SYNC, STATX_MODE | STATX_TYPE, &info) !=
      0) {
    return -1;
  }
  if (!S_ISREG(info.stx_mode)) {
    errno = ESTALE;  // somebody put something else in its place
    return -1;
  }
  return info.stx_mode & 07777;
}

int change_mode(const char* path, mode_t mode) {
  // fchmodat(2) knows no AT_SYMLINK_NOFOLLOW before Linux 6.6, and fchmod(2) wants more than an O_PATH
  // descriptor, which is all that is to be had of a file that may be neither read nor written.
  const sys::Fd fd(sys::open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC));
  if (!fd.ok()) return errno;
  struct statx info;
  if (sys::statx(fd.get(), "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &info) != 0) return errno;
  if (!S_ISREG(info.stx_mode)) return ESTALE;
  FixedString<40> link("/proc/self/fd/");
  link.add(fd.get());
  return ::syscall(SYS_fchmodat, AT_FDCWD, link.c_str(), mode) == 0 ? 0 : errno;
}

NewFile::~NewFile() {
  if (made_) sys::unlinkat(AT_FDCWD, path_);
}

int NewFile::make() {
  const mode_t owner = S_IRUSR | S_IWUSR;
  if (sys::mknodat(AT_FDCWD, path_, S_IFREG | mode_ | owner) != 0) return errno;
  made_ = true;
  return take_mode(0);
}

int NewFile::open(int flags, sys::Fd& fd) {
  const mode_t owner = S_IRUSR | S_IWUSR;
  fd.reset(sys::open(path_, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | flags, mode_ | owner));
  if (!fd.ok()) return errno;
  made_ = true;
  return take_mode(0);
}

int NewFile::adopt() { return take_mode(07000); }

int NewFile::take_mode(mode_t kept) {
  const mode_t owner = S_IRUSR | S_IWUSR;
  const int made = permissions(path_);
  if (made < 0) return errno;
  has_ = static_cast<mode_t>(made);
  // The umask cannot be read without changing it for every thread; but mknod applied it (or the folder's
  // default access list), and what is left of the bits asked is what open(2) would have left.
  mode_ &= has_ | kept;
  if ((has_ & owner) == owner) return 0;
  has_ |= owner;
  return change_mode(path_, has_);
}

int NewFile::move(const char* to) {
  constexpr unsigned kNoReplace = 1;  // linux/fs.h: RENAME_NOREPLACE
  if (::syscall(SYS_renameat2, AT_FDCWD, path_, AT_FDCWD, to, kNoReplace) != 0) {
    if (errno != EINVAL && errno != ENOSYS)
      return errno;  // those of a file system or kernel without the flag
    struct statx info;
    if (sys::statx(AT_FDCWD, to, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, STATX_TYPE, &info) == 0)
      return EEXIST;
    if (sys::renameat(AT_FDCWD, path_, AT_FDCWD, to) != 0) return errno;
  }
  path_ = to;
  return 0;
}

int NewFile::set(const char* attribute, const void* value, std::size_t size) {
  // The variants that follow no symbolic link: in a folder that others may write to, somebody could put a
  // link in the place of the file just made.
  if (::syscall(SYS_lsetxattr, path_, attribute, value, size, 0) == 0) return 0;
  return errno == EEXIST ? EALREADY : errno;
}

ssize_t NewFile::get(const char* attribute, void* value, std::size_t size) const {
  return ::syscall(SYS_lgetxattr, path_, attribute, value, size);
}

int NewFile::keep() {
  if (mode_ != has_) {
    if (const int error = change_mode(path_, mode_)) return error;
  }
  made_ = false;
  return 0;
}

}  // namespace toto::layout
