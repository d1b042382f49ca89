// SPDX-License-Identifier: BSD-3-Clause
#include "core/places.h"

#include <array>
#include <atomic>

#include "core/fixed_string.h"
#include "core/keep.h"
#include "core/log.h"
#include "core/mounts.h"
#include "core/path.h"
#include "core/start_up.h"
#include "core/sys.h"

namespace toto::places {
namespace {

struct Listed {
  std::string_view path;
  const KnownFileSystem* forced = nullptr;  // "=type"
  std::atomic<std::uint64_t> device{0};     // of the last file seen below; links may lead there, too
  std::atomic<bool> used{false};
};
constexpr std::size_t kMostListed = 32;
TOTO_SET_AT_START(listed) constinit std::array<Listed, kMostListed> listed{};
TOTO_SET_AT_START(listed_count) constinit std::size_t listed_count = 0;

// Devices seen, append only; a full table makes the rest look them up again.
struct Seen {
  std::atomic<std::uint64_t> device{0};  // key + 1; 0: free
  std::atomic<const KnownFileSystem*> file_system{nullptr};
  std::atomic<bool> ready{false};

  [[nodiscard]] bool may_be_parallel() const {
    if (!ready.load(std::memory_order_acquire)) return true;
    const KnownFileSystem* kind = file_system.load(std::memory_order_relaxed);
    return kind != nullptr && kind->parallel;
  }
};
constinit std::array<Seen, 64> seen{};

Seen* find_seen(std::uint64_t device) {
  for (Seen& one : seen) {
    const std::uint64_t key = one.device.load(std::memory_order_acquire);
    if (key == device + 1) return &one;
    if (key == 0) return nullptr;
  }
  return nullptr;
}

template <class Statfs>
const KnownFileSystem* kind_of(std::uint64_t device, std::string_view path, Statfs get_magic) {
  if (Seen* known = find_seen(device); known != nullptr && known->ready.load(std::memory_order_acquire)) {
    return known->file_system.load(std::memory_order_relaxed);
  }
  std::uint32_t magic = 0;
  if (!get_magic(magic)) return nullptr;
  const KnownFileSystem* kind = recognise(device, magic, path);
  for (Seen& one : seen) {
    std::uint64_t none = 0;
    if (one.device.compare_exchange_strong(none, device + 1)) {
      one.file_system.store(kind, std::memory_order_relaxed);
      one.ready.store(true, std::memory_order_release);
      break;
    }
    if (none == device + 1) break;
  }
  return kind;
}

Listed* find_listed(std::string_view path) {
  for (std::size_t i = 0; i < listed_count; ++i) {
    if (path::is_below(path, listed[i].path)) return &listed[i];
  }
  return nullptr;
}

void mark(Listed& entry, std::uint64_t device) {
  entry.device.store(device, std::memory_order_relaxed);
  if (!entry.used.load(std::memory_order_relaxed)) entry.used.store(true, std::memory_order_relaxed);
}

bool any_listed_is_known() {
  for (std::size_t i = 0; i < listed_count; ++i) {
    if (listed[i].device.load(std::memory_order_relaxed) != 0) return true;
  }
  return false;
}

bool same_device_as_listed(std::uint64_t device) {
  for (std::size_t i = 0; i < listed_count; ++i) {
    if (listed[i].device.load(std::memory_order_relaxed) == device) return true;
  }
  return false;
}

// A real block device (ext4, xfs) holds no parallel file system: nothing more to ask.
constexpr bool on_block_device(const struct statx& info) { return info.stx_dev_major != 0; }

// `real_name(out)` gives the name behind links, for a path that is below no listed one by its letters.
template <class Statfs, class RealName>
Place classify(const struct statx& info, std::string_view path, Statfs get_magic, RealName real_name) {
  Place place;
  place.device = mounts::device_key(info.stx_dev_major, info.stx_dev_minor);
  place.inode = info.stx_ino;
  place.append_only = (info.stx_attributes & STATX_ATTR_APPEND) != 0;
  if (listed_count > 0) {
    Listed* entry = find_listed(path);
    if (entry == nullptr && same_device_as_listed(place.device)) {
      path::Path real{path::Path::Unfilled{}};
      if (real_name(real)) entry = find_listed(real);
    }
    if (entry == nullptr) return place;
    mark(*entry, place.device);
    place.watched = true;
    place.file_system = entry->forced != nullptr ? entry->forced : kind_of(place.device, path, get_magic);
    return place;
  }
  if (on_block_device(info)) return place;
  place.file_system = kind_of(place.device, path, get_magic);
  place.watched = place.file_system != nullptr && place.file_system->parallel;
  return place;
}

}  // namespace

const KnownFileSystem* recognise(std::uint64_t device, std::uint32_t magic, std::string_view path,
                                 const char* table) {
  if (magic != kFuseMagic) return file_system_by_magic(magic);
  if (const auto mount = mounts::of_device(device, path, table)) return file_system_by_type(mount->type);
  return nullptr;
}

TOTO_AT_START void set_paths(std::string_view list) {
  listed_count = 0;
  const std::string_view whole = list;
  while (!list.empty()) {
    const std::size_t colon = list.find(':');
    std::string_view part = list.substr(0, colon);
    list.remove_prefix(colon == std::string_view::npos ? list.size() : colon + 1);
    if (part.empty()) continue;
    std::string_view type;
    if (const std::size_t equal = part.rfind('='); equal != std::string_view::npos) {
      type = part.substr(equal + 1);
      part = part.substr(0, equal);
    }
    if (part.empty() || part.front() != '/') {
      log::warn(log::Line("TOTO_PFS_PATHS: \"").add(part).add("\" is no absolute path: it is left out"));
      continue;
    }
    const KnownFileSystem* forced = type.empty() ? nullptr : file_system_by_name(type);
    if (forced == nullptr && !type.empty()) forced = file_system_by_type(type);
    if (forced == nullptr && !type.empty()) {
      log::warn(log::Line("TOTO_PFS_PATHS: \"")
                    .add(type)
                    .add("\" is no file system that is known: that of ")
                    .add(part)
                    .add(" is looked up instead"));
    }
    if (listed_count == kMostListed) {
      log::warn(log::Line("TOTO_PFS_PATHS: more than ")
                    .add(kMostListed)
                    .add(" paths: \"")
                    .add(part)
                    .add("\" and what follows is left out"));
      break;
    }
    path::Path clean;
    if (!path::absolute(AT_FDCWD, part, clean)) continue;
    listed[listed_count].path = keep_text(clean);
    listed[listed_count].forced = forced;
    ++listed_count;
  }
  if (listed_count == 0 && !whole.empty()) {
    log::warn(log::Line("TOTO_PFS_PATHS=\"")
                  .add(whole.substr(0, 200))
                  .add("\" names no path: every mount of a known parallel file system is watched"));
  }
}

bool may_be_watched(int fd, struct statx& info, mode_t type) {
  const sys::KeepErrno keep;
  if (sys::statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_INO | STATX_TYPE, &info) != 0)
    return false;
  if ((info.stx_mode & S_IFMT) != type) return false;
  if (has_list()) return true;
  if (on_block_device(info)) return false;
  const Seen* known = find_seen(mounts::device_key(info.stx_dev_major, info.stx_dev_minor));
  return known == nullptr || known->may_be_parallel();
}

Place of_descriptor(int fd, const struct statx& info, std::string_view path) {
  const sys::KeepErrno keep;
  const auto magic = [fd](std::uint32_t& out) {
    struct statfs about;
    if (sys::fstatfs(fd, &about) != 0) return false;
    out = static_cast<std::uint32_t>(about.f_type);
    return true;
  };
  const auto real_name = [fd](path::Path& out) { return path::absolute(fd, ".", out); };
  return classify(info, path, magic, real_name);
}

Place of_folder(std::string_view path) {
  const sys::KeepErrno keep;
  const path::Path folder(path::folder(path));
  struct statx info;
  // The program's own call goes through this folder, so that an automatic mount there would be made anyway.
  if (sys::statx(AT_FDCWD, folder.c_str(), AT_STATX_DONT_SYNC, STATX_INO, &info) != 0) return {};
  const auto magic = [&folder](std::uint32_t& out) {
    const sys::Fd fd(sys::open(folder.c_str(), O_PATH | O_CLOEXEC));
    struct statfs about;
    if (!fd.ok() || sys::fstatfs(fd.get(), &about) != 0) return false;
    out = static_cast<std::uint32_t>(about.f_type);
    return true;
  };
  const auto real_name = [&folder](path::Path& out) {
    const sys::Fd fd(sys::open(folder.c_str(), O_PATH | O_CLOEXEC));
    return fd.ok() && path::absolute(fd.get(), ".", out);
  };
  return classify(info, path, magic, real_name);
}

bool has_list() { return listed_count > 0; }

bool is_listed(std::string_view path) {
  if (!has_list() || !path::is_plain(path)) return false;
  const Listed* entry = find_listed(path);
  return entry != nullptr && entry->device.load(std::memory_order_relaxed) != 0;
}

bool is_elsewhere(std::string_view path) {
  return has_list() && !any_listed_is_known() && path::is_plain(path) && find_listed(path) == nullptr;
}

Place of_device(std::uint64_t device, std::string_view path) {
  Place place;
  place.device = device;
  if (listed_count > 0) {
    Listed* entry = find_listed(path);
    if (entry == nullptr) return place;
    place.watched = true;
    place.file_system = entry->forced;
    return place;
  }
  if (const Seen* known = find_seen(device)) {
    place.file_system = known->file_system.load(std::memory_order_relaxed);
    place.watched = place.file_system != nullptr && place.file_system->parallel;
  }
  return place;
}

void for_each_unused(void (*visit)(std::string_view path)) {
  for (std::size_t i = 0; i < listed_count; ++i) {
    if (!listed[i].used.load(std::memory_order_relaxed)) visit(listed[i].path);
  }
}

}  // namespace toto::places
