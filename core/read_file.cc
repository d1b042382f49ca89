// SPDX-License-Identifier: BSD-3-Clause
#include "core/read_file.h"

#include "core/keep.h"
#include "core/path.h"
#include "core/sys.h"

namespace toto {

int read_file(std::string_view path, std::string_view& text) {
  const sys::KeepErrno keep;
  const path::Path name(path);
  if (name.truncated()) return EINVAL;
  const sys::Fd fd(sys::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!fd.ok()) return errno;
  struct statx info;
  if (sys::statx(fd.get(), "", AT_EMPTY_PATH, STATX_SIZE | STATX_TYPE, &info) != 0) return errno;
  if (S_ISDIR(info.stx_mode)) return EISDIR;
  if (info.stx_size > kMostFileBytes) return EFBIG;
  // A pipe or a file in /proc says size 0: room for what a settings file may hold.
  const std::size_t room = info.stx_size > 0 ? info.stx_size : 65536;
  char* buffer = static_cast<char*>(keep_memory(room));
  if (buffer == nullptr) return ENOMEM;
  std::size_t size = 0;
  while (size < room) {
    const ssize_t got = sys::read(fd.get(), buffer + size, room - size);
    if (got < 0) return errno;
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  text = {buffer, size};
  return 0;
}

}  // namespace toto
