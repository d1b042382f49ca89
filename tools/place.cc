// SPDX-License-Identifier: BSD-3-Clause
#include "tools/place.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/config.h"
#include "core/path.h"
#include "core/places.h"
#include "core/sys.h"
#include "tools/failure.h"
#include "tools/units.h"

namespace toto::tools {
namespace {

namespace fs = std::filesystem;

// Looks at the path, else at its parents, nearest first.
struct statx look(Spot& spot) {
  constexpr unsigned kMask = STATX_TYPE | STATX_INO;
  struct statx info {};
  fs::path at = spot.path;
  while (sys::statx(AT_FDCWD, at.c_str(), 0, kMask, &info) != 0) {
    const int error = errno;
    if ((error != ENOENT && error != ENOTDIR) || at == at.parent_path()) {
      throw Failure(kExitFailure, fmt::format("{}: {}", printable(at.string()), std::strerror(error)));
    }
    at = at.parent_path();
  }
  spot.looked = at.string();
  spot.exists = spot.looked == spot.path;
  const bool is_folder = S_ISDIR(info.stx_mode);
  spot.is_file = spot.exists && !is_folder;
  spot.folder = is_folder ? spot.looked : at.parent_path().string();
  return info;
}

std::uint32_t magic_of(const std::string& path) {
  struct statfs info {};
  return sys::statfs(path.c_str(), &info) == 0 ? static_cast<std::uint32_t>(info.f_type) : 0;
}

void recognise(Spot& spot, const KnownFileSystem* by_library) {
  const KnownFileSystem* by_mount = spot.mount ? file_system_by_type(spot.mount->type) : nullptr;
  const std::uint32_t magic = magic_of(spot.looked);
  const KnownFileSystem* by_magic = magic == kFuseMagic ? nullptr : file_system_by_magic(magic);
  spot.file_system = by_library != nullptr ? by_library : by_mount != nullptr ? by_mount : by_magic;
  if (spot.file_system == nullptr) {
    spot.recognised = "no known file system";
  } else if (spot.file_system == by_mount) {
    spot.recognised = "by the mount table";
  } else if (spot.file_system == by_magic) {
    spot.recognised = fmt::format("by statfs (f_type {:#x})", magic);
  } else {
    spot.recognised = "by TOTO_PFS_PATHS";
  }
}

}  // namespace

std::string new_file_in(const Spot& spot) {
  if (spot.is_file) return spot.path;
  return spot.path + (spot.path.ends_with('/') ? "file" : "/file");
}

std::string Spot::file_system_name() const {
  if (file_system != nullptr) return std::string(file_system->name);
  return mount ? printable(mount->type.view()) : "unknown";
}

Spot find_spot(const std::string& path) {
  if (path.empty()) throw Failure(kExitUsage, "an empty path");
  Spot spot;
  std::error_code failed;
  fs::path absolute = fs::absolute(path, failed).lexically_normal();
  if (failed) throw Failure(kExitFailure, fmt::format("{}: {}", printable(path), failed.message()));
  if (!absolute.has_filename() && absolute.has_relative_path()) absolute = absolute.parent_path();  // "/a/"
  spot.path = absolute.string();
  if (spot.path.size() > path::kMaxPath) {
    throw Failure(kExitFailure, fmt::format("a path of {} bytes; the library handles at most {}",
                                            spot.path.size(), path::kMaxPath));
  }
  const struct statx info = look(spot);
  config::load();
  places::set_paths(config::settings().pfs_paths);
  const places::Place place = places::of_folder((fs::path(spot.folder) / "file").string());
  spot.watched = place.watched;
  fs::path real = fs::canonical(spot.looked, failed);
  if (failed) real = spot.looked;
  const std::uint64_t device = mounts::device_key(info.stx_dev_major, info.stx_dev_minor);
  spot.mount = mounts::of_device(device, real.string());
  if (!spot.mount) spot.mount = mounts::of_path(real.string());  // btrfs: the table has another number
  recognise(spot, place.file_system);
  if (spot.file_system != nullptr) spot.backend = layout::by_name(spot.file_system->name);
  return spot;
}

}  // namespace toto::tools
