// SPDX-License-Identifier: BSD-3-Clause
#include "hints/layout/lustre.h"

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

// The structure at `offset`, copied, as nothing in a blob is aligned.
template <typename T>
bool take(Blob blob, std::size_t offset, T& out) {
  if (offset > blob.size() || blob.size() - offset < sizeof(T)) return false;
  std::memcpy(&out, blob.data() + offset, sizeof(T));
  return true;
}

std::uint32_t stripe_count(const LovV1& head) {
  const std::uint16_t count = head.stripe_count;
  if (count == kAll) return kAllTargets;
  if ((head.pattern & kOverstriping) != 0 && count >= kFirstOverstripeAll) return kAllTargets;
  return count;
}

// A layout without components, or one component.
bool parse_plain(Blob blob, std::span<std::uint32_t> osts, Lov& out) {
  LovV3 lov{};
  if (!take(blob, 0, lov.head)) return false;
  std::size_t header = sizeof(LovV1);
  switch (lov.head.magic) {
    case kMagicV1:
      break;
    case kMagicV3:
    case kMagicSpecific:
      if (!take(blob, 0, lov)) return false;
      header = sizeof(LovV3);
      break;
    default:
      return false;
  }
  out.layout.count = stripe_count(lov.head);
  out.layout.size = lov.head.stripe_size;
  out.layout.pool = std::string_view(lov.pool.data(), ::strnlen(lov.pool.data(), lov.pool.size()));
  out.pattern = lov.head.pattern;
  // A folder's default and a released file have a count and no objects, so that fewer is no error.
  out.objects = static_cast<std::uint32_t>(
      std::min<std::size_t>(out.layout.count, (blob.size() - header) / sizeof(LovObject)));
  for (std::uint32_t i = 0; i < std::min<std::size_t>(out.objects, osts.size()); ++i) {
    LovObject object;
    if (!take(blob, header + i * sizeof(LovObject), object)) return false;
    osts[i] = object.ost;
  }
  return true;
}

// How much a component says about where a large file's bytes go; 0: nothing.
int weight(const Component& component, const LovV1& head) {
  if ((component.flags & (kStale | kExtension)) != 0) return 0;
  if (head.magic == kMagicForeign || component.end <= component.start) return 0;
  if ((head.pattern & kDataOnMdt) != 0) return 1;
  return (component.flags & kInstantiated) != 0 ? 3 : 2;
}

bool parse_composite(Blob blob, std::span<std::uint32_t> osts, Lov& out) {
  Composite composite;
  if (!take(blob, 0, composite)) return false;
  if (composite.size < sizeof(Composite) || composite.size > blob.size()) return false;
  blob = blob.first(composite.size);
  Component best{};
  int best_weight = 0;
  for (std::uint32_t i = 0; i < composite.components; ++i) {
    Component component;
    if (!take(blob, sizeof(Composite) + i * sizeof(Component), component)) return false;
    if (component.offset > blob.size() || component.size > blob.size() - component.offset) return false;
    LovV1 head;
    if (!take(blob.subspan(component.offset, component.size), 0, head)) return false;
    const int found = weight(component, head);
    // Of mirrors, which start alike, the first.
    if (found > best_weight || (found == best_weight && found > 0 && component.start > best.start)) {
      best = component;
      best_weight = found;
    }
  }
  if (best_weight == 0) return false;
  out.components = composite.components;
  out.start = best.start;
  out.end = best.end;
  return parse_plain(blob.subspan(best.offset, best.size), osts, out);
}

}  // namespace

bool Lov::overstriped() const { return (pattern & kOverstriping) != 0; }

std::optional<Lov> parse_lov(Blob blob, std::span<std::uint32_t> osts) {
  std::uint32_t magic = 0;
  if (!take(blob, 0, magic)) return std::nullopt;
  Lov lov;
  const bool composite = magic == kMagicComposite || magic == kMagicSelfExtending;
  if (!(composite ? parse_composite(blob, osts, lov) : parse_plain(blob, osts, lov))) return std::nullopt;
  return lov;
}

std::size_t encode_lov(const Layout& layout, LovBlob& out) {
  LovV3 lov{};
  lov.head.magic = layout.pool.empty() ? kMagicV1 : kMagicV3;
  lov.head.pattern = kRaid0;
  if (layout.size != 0) {
    const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(layout.size, kMaxSize));
    lov.head.stripe_size = std::max(size - size % kSizeUnit, kSizeUnit);
  }
  lov.head.stripe_count =
      layout.count == kAllTargets ? kAll : static_cast<std::uint16_t>(std::min(layout.count, kMaxCount));
  // Never 0: by the attribute, clients up to 2.15 take OST 0 for "any", later ones for OST 0.
  lov.head.stripe_offset = kAnyOst;
  std::ranges::copy(layout.pool.view().substr(0, kMaxPool), lov.pool.begin());
  std::memcpy(out.data(), &lov, sizeof(lov));
  return layout.pool.empty() ? sizeof(LovV1) : sizeof(LovV3);
}

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

}  // namespace lustre

namespace {

// Number of OSTs in use, which the client shows in sysfs (lustre/lov/lproc_lov.c: activeobd); 0: not known.
std::uint32_t active_targets(const sys::Fd& folder) {
  std::array<char, 256> device{};
  if (sys::ioctl(folder.get(), lustre::kGetDtName, device.data()) != 0) return 0;
  const std::string_view name(device.data(), ::strnlen(device.data(), device.size()));
  if (name.empty() || name.size() > 128 || name.find('/') != name.npos || name.front() == '.') return 0;
  FixedString<191> file("/sys/fs/lustre/lov/");
  file.add(name).add("/activeobd");
  const sys::Fd fd(sys::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.ok()) return 0;
  std::array<char, 16> text{};
  const ssize_t size = sys::read(fd.get(), text.data(), text.size());
  std::uint32_t count = 0;
  if (size > 0) std::from_chars(text.data(), text.data() + size, count);
  return count;
}

// What the caller does not decide, from the folder's default. Needed because the server drops that default
// (but for its pool) once a layout is given, and takes the file system's for fields that are 0.
int fill_in(const char* path, Layout& layout) {
  Mapped<path::Path> folder;
  if (!folder.ok()) return ENOMEM;
  *folder = path::folder(path);
  if (folder->truncated()) return ENAMETOOLONG;
  lustre::Lov parent;
  // Without a default, or with one that is not understood, the file system's own holds.
  if (lustre::read_lov(folder->c_str(), parent) != 0) return 0;
  if (layout.count == 0) layout.count = parent.layout.count;
  if (layout.size == 0) layout.size = parent.layout.size;
  if (layout.pool.empty()) layout.pool = parent.layout.pool;
  return 0;
}

}  // namespace

Capabilities LustreBackend::capabilities() const {
  return {.stripe_count = true,
          .stripe_size = true,
          .pool = true,
          .size_unit = lustre::kSizeUnit,
          .max_stripe_size = lustre::kMaxSize,
          .max_stripe_count = lustre::kMaxCount,
          .all_targets = true};
}

std::uint32_t LustreBackend::targets(const char* folder) const {
  // Answered for descriptors of folders only (llite/dir.c).
  const sys::Fd fd(sys::open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.ok()) return 0;
  // In: 0, the OSTs. Out: slots, the empty ones too. The macro says long; 32 bits are written.
  std::array<std::uint32_t, 2> count{};
  const std::uint32_t slots = sys::ioctl(fd.get(), lustre::kGetObdCount, count.data()) == 0 ? count[0] : 0;
  const std::uint32_t active = active_targets(fd);
  if (active == 0) return slots;
  return slots == 0 ? active : std::min(slots, active);
}

int LustreBackend::create(const char* path, mode_t mode, const Layout& layout, Layout& obtained) const {
  if (layout.pool.size() > lustre::kMaxPool) return ENAMETOOLONG;
  Layout wanted = layout;
  if (layout.count == 0 || layout.size == 0 || layout.pool.empty()) {
    if (const int error = fill_in(path, wanted)) return error;
  }
  // The place to honour llite.*.enable_setstripe_gid (Lustre 2.16: a group whose members may choose layouts),
  // which the server does not hold against this way of setting them.
  lustre::LovBlob blob;
  const std::size_t size = lustre::encode_lov(wanted, blob);
  NewFile file(path, mode);
  if (const int error = file.make()) return error;
  if (const int error = file.set(lustre::kLov, blob.data(), size)) return error;
  // Success is no proof: "has a layout already" is reported as success too (llite/xattr.c), and a count may
  // be clipped. No layout at all is a refusal: the program's own open gets the default, as without us.
  lustre::Lov lov;
  if (const int error = lustre::read_lov(path, lov)) return error;
  obtained = lov.layout;
  return file.keep();
}

int LustreBackend::read(const char* path, Layout& out) const {
  lustre::Lov lov;
  if (const int error = lustre::read_lov(path, lov)) return error;
  out = lov.layout;
  return 0;
}

int LustreBackend::folder_default(const char* folder, FolderDefault& out) const {
  lustre::Lov lov;
  if (const int error = lustre::read_lov(folder, lov)) return error;
  out.layout = lov.layout;
  out.composite = lov.composite();
  return 0;
}

}  // namespace toto::layout
