// SPDX-License-Identifier: BSD-3-Clause
#include "hints/layout/beegfs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include "core/config.h"
#include "core/path.h"
#include "core/sys.h"
#include "hints/layout/access_list.h"
#include "hints/layout/beegfs_abi.h"
#include "hints/layout/mapped.h"
#include "hints/layout/new_file.h"
#include "hints/layout/striping_folders.h"
#include "hints/layout/temporary_name.h"

namespace toto::layout {
namespace beegfs {
namespace {

bool is_beegfs(const sys::Fd& fd) {
  std::array<char, 64> answer{};
  return sys::ioctl(fd.get(), kTestIsBeegfs, answer.data()) == 0 &&
         std::string_view(answer.data(), kIdentity.size()) == kIdentity;
}

// Errors that speak against the ioctl, not against the file: the kernel's for an ioctl that is not known,
// EPERM of a filter, EINVAL and EREMOTEIO where the servers cannot have such stripes.
bool is_refusal(int error) {
  constexpr int kEnotsupp = 524;  // the kernel's ENOTSUPP, which is none of libc's
  return error == ENOTTY || error == EOPNOTSUPP || error == ENOSYS || error == EPERM || error == EINVAL ||
         error == EREMOTEIO || error == kEnotsupp;
}

int make(const sys::Fd& folder, const char* name, mode_t mode, std::uint32_t targets, std::uint32_t chunk) {
  MakeFile request{.name = name, .mode = mode & 0777, .targets = targets, .chunk_size = chunk};
  if (sys::ioctl(folder.get(), kMakeFile, &request) == 0) return 0;
  return is_refusal(errno) ? EOPNOTSUPP : errno;
}

int stripe_info(const sys::Fd& file, Layout& out) {
  StripeInfo info{};
  if (sys::ioctl(file.get(), kGetStripeInfo, &info) != 0) return errno;
  out = {.count = info.targets, .size = info.chunk_size, .object_size = 0, .pool = {}};
  return 0;
}

// Stripe information is told to whoever has the file open. Not stopped by a name that became a pipe.
constexpr int kLook = O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
int open_to_look(const char* path) {
  const int fd = sys::open(path, O_RDONLY | kLook);
  return fd >= 0 || errno != EACCES ? fd : sys::open(path, O_WRONLY | kLook);
}

int read_file(const char* path, Layout& out) {
  const sys::Fd fd(open_to_look(path));
  if (!fd.ok()) return errno;
  return is_beegfs(fd) ? stripe_info(fd, out) : EOPNOTSUPP;
}

int open_folder(const char* path, sys::Fd& fd) {
  // An ioctl needs more than O_PATH: a folder that may be written but not read is none for it.
  fd.reset(sys::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.ok()) return errno == EACCES ? EOPNOTSUPP : errno;
  return is_beegfs(fd) ? 0 : EOPNOTSUPP;
}

// What a new file of the folder gets for this wish: one is made, and taken away again.
int probe(const char* folder, std::uint32_t targets, Layout& out) {
  sys::Fd fd;
  if (const int error = open_folder(folder, fd)) return error;
  Mapped<std::array<path::Path, 2>> names;
  if (!names.ok()) return ENOMEM;
  auto& [wanted, hidden] = *names;
  wanted = std::string_view(folder);
  wanted.add("/probe");
  if (wanted.truncated() || !temporary_name(wanted, hidden)) return ENAMETOOLONG;
  const char* name = path::base_name(hidden).data();  // the end of it, and so terminated
  if (const int error = make(fd, name, S_IRUSR | S_IWUSR, targets, 0)) return error;
  const sys::Fd file(sys::openat(fd.get(), name, O_RDONLY | O_NOFOLLOW | kLook));
  const int error = file.ok() ? stripe_info(file, out) : errno;
  sys::unlinkat(fd.get(), name);
  return error;
}

}  // namespace

std::uint32_t chunk_size(std::uint64_t size) {
  if (size == 0) return 0;
  const auto limited = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(size, kChunkUnit, kMaxChunk));
  return std::bit_floor(limited);
}

std::uint32_t target_count(std::uint32_t count) {
  return count == kAllTargets ? kEveryTarget : std::min(count, kMaxTargets);
}

int read_targets(const char* path, std::span<std::uint32_t> out, std::uint32_t& count) {
  const sys::Fd fd(open_to_look(path));
  if (!fd.ok()) return errno;
  if (!is_beegfs(fd)) return EOPNOTSUPP;
  Layout layout;
  if (const int error = stripe_info(fd, layout)) return error;
  count = layout.count;
  for (std::uint32_t i = 0; i < std::min<std::size_t>(count, out.size()); ++i) {
    StripeTarget target{};
    target.index = static_cast<std::uint16_t>(i);
    if (sys::ioctl(fd.get(), kGetStripeTarget, &target) != 0) return errno;
    out[i] = target.target;
  }
  return 0;
}

}  // namespace beegfs

Capabilities BeegfsBackend::capabilities() const {
  return {.stripe_count = true,
          .stripe_size = true,
          .pool = false,
          .size_unit = beegfs::kChunkUnit,
          .powers_of_two = true,
          .max_stripe_size = beegfs::kMaxChunk,
          .max_stripe_count = beegfs::kMaxTargets,
          .all_targets = true};
}

std::uint32_t BeegfsBackend::count_targets(const char* folder) const {
  Layout all;
  return beegfs::probe(folder, beegfs::kEveryTarget, all) == 0 ? all.count : 0;
}

int BeegfsBackend::learn_default(const char* folder, FolderDefault& out) const {
  out.composite = false;
  return beegfs::probe(folder, 0, out.layout);
}

int BeegfsBackend::create_at_once(const char* path, mode_t mode, const Layout& layout,
                                  Layout& obtained) const {
  sys::Fd folder;
  {
    Mapped<path::Path> name;
    if (!name.ok()) return ENOMEM;
    *name = path::folder(path);
    if (name->truncated()) return ENAMETOOLONG;
    if (const int error = beegfs::open_folder(name->c_str(), folder)) return error;
    if (has_default_access_list(name->c_str()))
      return EOPNOTSUPP;  // the ioctl applies the umask, not the list
  }
  const mode_t own = mode | S_IRUSR | S_IWUSR;
  if (const int error = beegfs::make(folder, path::base_name(path).data(), own,
                                     beegfs::target_count(layout.count), beegfs::chunk_size(layout.size))) {
    return error;
  }
  folder.reset();  // one number at a time, as the program may have few left
  obtained = {};
  // O_CREAT, as the ioctl does not tell this client's cache of names, which may know for a moment that there
  // is no such file (tuneENOENTCacheValidityMS).
  sys::Fd file(sys::open(path, O_RDONLY | O_CREAT | O_NOFOLLOW | beegfs::kLook, own));
  NewFile made(path, mode);
  if (made.adopt() != 0) return 0;  // somebody has taken it away again
  if (!file.ok()) file.reset(sys::open(path, O_RDONLY | O_NOFOLLOW | beegfs::kLook));
  if (file.ok()) beegfs::stripe_info(file, obtained);
  made.keep();
  return 0;
}

int BeegfsBackend::create(const char* path, mode_t mode, const Layout& layout, Layout& obtained) const {
  if (layout.count == 0) return EOPNOTSUPP;  // a chunk size alone: no folder's name tells it
  const Settings& settings = config::settings();
  const std::string_view suffix =
      settings.beegfs_suffix.empty() ? settings.beegfs_sufix : settings.beegfs_suffix;
  Mapped<path::Path> folder;
  if (!folder.ok()) return ENOMEM;
  if (const int error = striping_folders::choose(settings.beegfs_prefix, suffix, layout.count, *folder)) {
    return error;
  }
  return striping_folders::make(*folder, path, mode, beegfs::read_file, obtained);
}

int BeegfsBackend::read(const char* path, Layout& out) const { return beegfs::read_file(path, out); }

}  // namespace toto::layout
