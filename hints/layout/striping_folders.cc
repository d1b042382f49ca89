// SPDX-License-Identifier: BSD-3-Clause
#include "hints/layout/striping_folders.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>

#include "core/sys.h"
#include "hints/layout/access_list.h"
#include "hints/layout/mapped.h"
#include "hints/layout/new_file.h"

namespace toto::layout::striping_folders {
namespace {

// linux/dirent.h: what getdents64(2) gives; the name follows.
struct Entry {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t length;
  std::uint8_t type;
};
constexpr std::size_t kNameOffset = offsetof(Entry, type) + 1;

// Calls visit(name) for each entry of the folder. 0 or an errno.
template <class Visit>
int for_each_name(const char* folder, Visit visit) {
  const sys::Fd fd(sys::open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.ok()) return errno;
  Mapped<std::array<char, 8192>> buffer;
  if (!buffer.ok()) return ENOMEM;
  for (;;) {
    const long size = ::syscall(SYS_getdents64, fd.get(), buffer->data(), buffer->size());
    if (size < 0) return errno;
    if (size == 0) return 0;
    for (std::size_t at = 0; at + kNameOffset < static_cast<std::size_t>(size);) {
      std::uint16_t length;
      std::memcpy(&length, buffer->data() + at + offsetof(Entry, length), sizeof(length));
      if (length <= kNameOffset) return EIO;
      const char* name = buffer->data() + at + kNameOffset;
      visit(std::string_view(name, ::strnlen(name, length - kNameOffset)));
      at += length;
    }
  }
}

struct About {
  gid_t group = 0;
  bool set_gid = false;
  std::uint64_t device = 0;
};
int look(const char* path, About& out) {
  struct statx info;
  if (sys::statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW | AT_STATX_DONT_SYNC, STATX_GID | STATX_MODE, &info) !=
      0)
    return errno;
  out = {.group = info.stx_gid,
         .set_gid = (info.stx_mode & S_ISGID) != 0,
         .device = std::uint64_t{info.stx_dev_major} << 32 | info.stx_dev_minor};
  return 0;
}

// A file takes its group from the folder that it is made in, if that is set-gid.
int give_group(const char* file, const About& at_home) {
  About made;
  if (const int error = look(file, made)) return error;
  const gid_t wanted = at_home.set_gid ? at_home.group : static_cast<gid_t>(::syscall(SYS_getegid));
  if (made.group == wanted) return 0;
  return ::syscall(SYS_fchownat, AT_FDCWD, file, -1, wanted, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno;
}

}  // namespace

std::uint32_t count_in(std::string_view name, std::string_view suffix) {
  if (!name.starts_with(suffix) || name.size() < suffix.size() + 2 || name[suffix.size()] != '_') return 0;
  const std::string_view digits = name.substr(suffix.size() + 1);
  std::uint32_t count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  return error == std::errc() && end == digits.data() + digits.size() && count != kAllTargets ? count : 0;
}

bool is_better(std::uint32_t found, std::uint32_t best, std::uint32_t wanted) {
  if (found == 0 || best == 0) return found != 0;
  const bool below = found <= wanted;
  if (below != (best <= wanted)) return below;
  return below ? found > best : found < best;
}

int choose(std::string_view prefix, std::string_view suffix, std::uint32_t count, path::Path& folder) {
  if (prefix.empty() || suffix.empty() || prefix.front() != '/') return EOPNOTSUPP;
  folder = prefix;
  const auto add_name = [&](std::uint32_t stripes) {
    folder = prefix;
    folder.add('/').add(suffix).add('_').add(stripes);
    return folder.truncated() ? ENAMETOOLONG : 0;
  };
  if (count != kAllTargets) {
    if (const int error = add_name(count)) return error;
    if (sys::Fd(sys::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)).ok()) return 0;
    folder = prefix;
  }
  std::uint32_t best = 0;
  const int error = for_each_name(folder.c_str(), [&](std::string_view name) {
    if (const std::uint32_t found = count_in(name, suffix); is_better(found, best, count)) best = found;
  });
  if (error != 0) return error == ENOENT || error == ENOTDIR ? EOPNOTSUPP : error;
  return best == 0 ? EOPNOTSUPP : add_name(best);
}

int make(std::string_view folder, const char* path, mode_t mode, Read read, Layout& obtained) {
  Mapped<std::array<path::Path, 2>> names;
  if (!names.ok()) return ENOMEM;
  auto& [there, home] = *names;
  home = path::folder(path);
  there = folder;
  if (has_default_access_list(home.c_str()) || has_default_access_list(there.c_str())) return EOPNOTSUPP;
  About at_home, at_there;
  if (const int error = look(home.c_str(), at_home)) return error;
  if (const int error = look(there.c_str(), at_there)) return error;
  if (at_home.device != at_there.device) return EXDEV;  // it could not be renamed to its place
  there.add('/').add(path::base_name(path));
  if (there.truncated() || home.truncated()) return ENAMETOOLONG;
  NewFile file(there.c_str(), mode);
  {
    sys::Fd
        fd;  // by open(2), as the program would: what mknod(2) leaves without stripes need not get them later
    if (const int error = file.open(O_NOFOLLOW, fd)) return error;
  }
  if (const int error = give_group(there.c_str(), at_home)) return error;
  if (const int error = file.move(path)) return error;
  if (read(path, obtained) != 0) obtained = {};
  return file.keep();
}

}  // namespace toto::layout::striping_folders
