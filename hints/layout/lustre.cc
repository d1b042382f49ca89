// SPDX-License-Identifier: BSD-3-Clause
#include "hints/layout/lustre.h"

#include <linux/capability.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

#include "core/path.h"
#include "core/sys.h"
#include "hints/layout/lustre_abi.h"
#include "hints/layout/mapped.h"
#include "hints/layout/new_file.h"

namespace toto::layout {
namespace lustre {
namespace {

using Blob = std::span<const std::byte>;

}  // namespace

int read_lov(const char* path, Lov& out, std::span<std::uint32_t> osts) {
  const auto parse = [&](Blob blob) {
    const std::optional<Lov> lov = parse_lov(blob, osts);
    if (!lov) return EPROTO;
    out = *lov;
    return 0;
  };
  std::array<std::byte, 1024> small;  // room for 40 stripes
  const ssize_t size = sys::getxattr(path, kLov, small.data(), small.size());
  if (size >= 0) return parse(Blob(small).first(static_cast<std::size_t>(size)));
  if (errno != ERANGE) return errno;
  Mapped<std::array<std::byte, kMaxXattr>> large;
  if (!large.ok()) return ENOMEM;
  const ssize_t large_size = sys::getxattr(path, kLov, large->data(), large->size());
  if (large_size < 0) return errno;
  return parse(Blob(*large).first(static_cast<std::size_t>(large_size)));
}

int read_lov_by_ioctl(int fd, Lov& out) {
  // Of a composite file the client copies a whole component, whatever the caller says about its room
  // (lov/lov_pack.c, lov_getstripe).
  Mapped<std::array<std::byte, kMaxXattr>> blob;
  if (!blob.ok()) return ENOMEM;
  LovV3 ask{};
  ask.head.magic = kMagicV3;
  std::memcpy(blob->data(), &ask, sizeof(ask));
  if (sys::ioctl(fd, kGetStripe, blob->data()) != 0) return errno;
  const std::optional<Lov> lov = parse_lov(Blob(*blob).first(sizeof(LovV3)));
  if (!lov) return EPROTO;
  out = *lov;
  return 0;
}

namespace {

bool is_file_name(std::string_view name) {
  return !name.empty() && name.size() <= 128 && name.front() != '.' && name.find('/') == name.npos;
}

// The number in the first of root/kind/name/parameter that is there.
std::optional<std::int64_t> read_parameter(std::span<const std::string_view> roots, std::string_view kind,
                                           std::string_view name, std::string_view parameter) {
  for (const std::string_view root : roots) {
    FixedString<400> file(root);
    file.add('/').add(kind).add('/').add(name).add('/').add(parameter);
    const sys::Fd fd(sys::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, 24> text{};
    const ssize_t size = fd.ok() ? sys::read(fd.get(), text.data(), text.size()) : -1;
    std::int64_t number = 0;
    if (size > 0 && std::from_chars(text.data(), text.data() + size, number).ec == std::errc()) return number;
  }
  return std::nullopt;
}

}  // namespace

std::uint32_t active_osts(std::string_view device, std::span<const std::string_view> roots) {
  if (!is_file_name(device)) return 0;
  const auto count = read_parameter(roots, "lov", device, "activeobd");
  return count && *count > 0 && *count <= kMaxCount ? static_cast<std::uint32_t>(*count) : 0;
}

std::int64_t setstripe_group(std::string_view device, std::span<const std::string_view> roots) {
  // "scratch-clilov-ffff8a0b" has the mount "scratch-ffff8a0b".
  constexpr std::string_view kMiddle = "-clilov-";
  const std::size_t at = device.find(kMiddle);
  if (!is_file_name(device) || at == device.npos) return -1;
  FixedString<128> mount(device.substr(0, at));
  mount.add('-').add(device.substr(at + kMiddle.size()));
  return read_parameter(roots, "llite", mount, "enable_setstripe_gid").value_or(-1);
}

}  // namespace lustre

namespace {

// Lustre up to 2.11 has its parameters below /proc. (No table: it would be pointers, to be relocated at
// start.)
constexpr std::array<std::string_view, 2> parameter_roots() { return {"/sys/fs/lustre", "/proc/fs/lustre"}; }

// Whether this process has CAP_SYS_RESOURCE, which is above the group's rule (llite/file.c).
bool may_exceed_limits() {
  __user_cap_header_struct head{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> data{};
  if (::syscall(SYS_capget, &head, data.data()) != 0) return false;
  return (data[0].effective & (1U << CAP_SYS_RESOURCE)) != 0;
}

bool is_in_group(gid_t group) {
  if (static_cast<gid_t>(::syscall(SYS_getegid)) == group) return true;
  Mapped<std::array<gid_t, 65536>> groups;  // linux/limits.h: NGROUPS_MAX
  if (!groups.ok()) return false;
  const long count = ::syscall(SYS_getgroups, static_cast<int>(groups->size()), groups->data());
  return count > 0 && std::find(groups->data(), groups->data() + count, group) != groups->data() + count;
}

// What the client calls itself in its parameters; empty: it does not tell.
using DeviceName = FixedString<128>;
DeviceName device_name(const sys::Fd& folder) {
  std::array<char, 256> device{};
  if (sys::ioctl(folder.get(), lustre::kGetDtName, device.data()) != 0) return {};
  return DeviceName(std::string_view(device.data(), ::strnlen(device.data(), device.size())));
}

// What the caller does not decide, from the folder's default. Needed because the server drops that default
// (but for its pool) once a layout is given, and takes the file system's for fields that are 0.
int fill_in(const char* path, Layout& layout) {
  Mapped<path::Path> folder;
  if (!folder.ok()) return ENOMEM;
  *folder = path::folder(path);
  if (folder->truncated()) return ENAMETOOLONG;
  lustre::Lov parent;
  // Without a default, or with one that is not understood, the file system's own holds. Of a folder that may
  // not be read nobody knows.
  if (const int error = lustre::read_lov(folder->c_str(), parent)) return error == EACCES ? error : 0;
  if (layout.count == 0) {
    layout.count = parent.layout.count;
    layout.overstriped = parent.overstriped() && !parent.composite();
  }
  if (layout.size == 0) layout.size = parent.layout.size;
  if (layout.pool.empty()) layout.pool = parent.layout.pool;
  return 0;
}

}  // namespace

Capabilities LustreBackend::capabilities() const {
  return {.stripe_count = true,
          .stripe_size = true,
          .pool = true,
          .components = true,
          .size_unit = lustre::kSizeUnit,
          .max_stripe_size = lustre::kMaxSize,
          .max_stripe_count = lustre::kMaxCount,
          .target_list = true,
          .all_targets = true};
}

std::uint32_t LustreBackend::targets(const char* folder) const {
  // Answered for descriptors of folders only (llite/dir.c).
  const sys::Fd fd(sys::open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.ok()) return 0;
  // In: 0, the OSTs. Out: slots, the empty ones too. The macro says long; 32 bits are written.
  std::array<std::uint32_t, 2> count{};
  const std::uint32_t slots = sys::ioctl(fd.get(), lustre::kGetObdCount, count.data()) == 0 ? count[0] : 0;
  const std::uint32_t active = lustre::active_osts(device_name(fd), parameter_roots());
  if (active == 0) return slots;
  return slots == 0 ? active : std::min(slots, active);
}

int LustreBackend::permission(const char* folder) const {
  const sys::Fd fd(sys::open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.ok()) return errno == EACCES ? kCannotAsk : 0;  // a folder that may be written but not read
  const std::int64_t group = lustre::setstripe_group(device_name(fd), parameter_roots());
  // Against the ioctl the client holds it by doing nothing, against the attribute not at all.
  return group < 0 || may_exceed_limits() || is_in_group(static_cast<gid_t>(group)) ? 0 : EACCES;
}

namespace {

// Errors that speak against a way, not against the file or the layout.
bool is_refusal(int error) { return error == EOPNOTSUPP || error == EPERM || error == ENOSYS; }

using BlobOf = std::span<std::byte>;

int create_by_attribute(const char* path, mode_t mode, BlobOf blob, Layout& obtained) {
  NewFile file(path, mode);
  if (const int error = file.make()) return error;
  if (const int error = file.set(lustre::kLov, blob.data(), blob.size())) return error;
  // Success is no proof: "has a layout already" is reported as success too (llite/xattr.c), and a count may
  // be clipped. No layout at all is a refusal: the program's own open gets the default, as without us.
  lustre::Lov lov;
  if (const int error = lustre::read_lov(path, lov)) return error;
  obtained = lov.layout;
  return file.keep();
}

// As ROMIO and liblustreapi do. A descriptor whose layout was refused stays without objects (writes to it
// give EBADF), and success may be none (enable_setstripe_gid): so the file is closed, and gone unless it has
// a layout.
int create_by_ioctl(const char* path, mode_t mode, BlobOf blob, Layout& obtained) {
  NewFile file(path, mode);
  sys::Fd fd;
  if (const int error = file.open(lustre::kDelayCreate | O_NOFOLLOW, fd)) return error;
  if (sys::ioctl(fd.get(), lustre::kSetStripe, blob.data()) != 0) return errno == EEXIST ? EALREADY : errno;
  fd.reset(sys::open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  lustre::Lov lov;
  if (const int error = fd.ok() ? lustre::read_lov_by_ioctl(fd.get(), lov) : errno) return error;
  fd.reset();
  obtained = lov.layout;
  return file.keep();
}

}  // namespace

int LustreBackend::create(const char* path, mode_t mode, const Layout& layout, Layout& obtained) const {
  if (layout.pool.size() > lustre::kMaxPool) return ENAMETOOLONG;
  Layout wanted = layout;
  if (layout.components.empty() && (layout.count == 0 || layout.size == 0 || layout.pool.empty())) {
    if (const int error = fill_in(path, wanted)) return error;
  }
  lustre::LovBlob blob;
  const std::size_t size = lustre::encode_lov(wanted, blob);
  if (size == 0) return EINVAL;
  const BlobOf bytes = BlobOf(blob).first(size);
  const int error = create_by_attribute(path, mode, bytes, obtained);
  if (!is_refusal(error)) return error;
  return create_by_ioctl(path, mode, bytes, obtained) == 0 ? 0 : error;
}

int LustreBackend::read(const char* path, Layout& out) const {
  lustre::Lov lov;
  if (const int error = lustre::read_lov(path, lov)) return error;
  out = lov.layout;
  return 0;
}

std::uint32_t LustreBackend::read_targets(const char* path, Layout& out,
                                          std::span<std::uint32_t> targets) const {
  lustre::Lov lov;
  if (lustre::read_lov(path, lov, targets) != 0 || lov.composite()) return 0;
  out = lov.layout;
  return lov.objects;
}

int LustreBackend::folder_default(const char* folder, FolderDefault& out) const {
  lustre::Lov lov;
  if (const int error = lustre::read_lov(folder, lov)) return error;
  out.layout = lov.layout;
  out.composite = lov.composite();
  return 0;
}

}  // namespace toto::layout
