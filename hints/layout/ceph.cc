// SPDX-License-Identifier: BSD-3-Clause
#include "hints/layout/ceph.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/path.h"
#include "core/sys.h"
#include "hints/layout/mapped.h"
#include "hints/layout/new_file.h"

namespace toto::layout {
namespace ceph {
namespace {

constexpr const char* kFileLayout = "ceph.file.layout";
constexpr const char* kFolderLayout = "ceph.dir.layout";

constexpr std::uint64_t kSizeUnit = 65536;  // src/include/ceph_fs.h: CEPH_MIN_STRIPE_UNIT
// Objects above the OSDs' osd_max_object_size (its default is this) are refused when they are written, not
// when the layout is set: the program would lose data.
constexpr std::uint64_t kMaxObjectSize = 128ULL << 20;
constexpr std::uint64_t kDefaultSize = 4ULL << 20;  // file_layout_t::get_default

constexpr std::uint64_t round_down(std::uint64_t size, std::uint64_t unit) { return size - size % unit; }
constexpr std::uint64_t round_up(std::uint64_t size, std::uint64_t unit) {
  return round_down(size + unit - 1, unit);
}

// Takes a number that is all of `text`.
template <typename T>
bool number(std::string_view text, T& out) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), out);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

Layout built_in() { return {.count = 1, .size = kDefaultSize, .object_size = kDefaultSize, .pool = {}}; }

// The text of a layout attribute, as far as it is needed.
using Text = std::array<char, 512>;

int parse(const Text& text, ssize_t size, Layout& out) {
  if (size < 0) return errno;
  const std::optional<Layout> layout = parse_layout({text.data(), static_cast<std::size_t>(size)});
  if (!layout) return EPROTO;
  out = *layout;
  return 0;
}

int read_attribute(const char* path, const char* attribute, Layout& out) {
  Text text;
  return parse(text, sys::getxattr(path, attribute, text.data(), text.size()), out);
}

int read_new(const NewFile& file, Layout& out) {
  Text text;
  return parse(text, file.get(kFileLayout, text.data(), text.size()), out);
}

// Whether `folder` is where a mount begins: what lies above is another file system, not to be touched. True
// as well where the kernel (before 5.8) does not tell.
bool is_mount_point(const char* folder) {
  struct statx info;
  if (sys::statx(AT_FDCWD, folder, AT_STATX_DONT_SYNC, STATX_TYPE, &info) != 0) return true;
  return (info.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) == 0 ||
         (info.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

}  // namespace

std::optional<Layout> parse_layout(std::string_view text) {
  Layout layout;
  while (!text.empty()) {
    const std::string_view field = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), field.size() + 1));
    const std::size_t equals = field.find('=');
    if (equals == field.npos) continue;
    const std::string_view key = field.substr(0, equals);
    std::string_view value = field;
    value.remove_prefix(equals + 1);
    if (key == "stripe_unit" && !number(value, layout.size)) return std::nullopt;
    if (key == "stripe_count" && !number(value, layout.count)) return std::nullopt;
    if (key == "object_size" && !number(value, layout.object_size)) return std::nullopt;
    if (key == "pool") layout.pool = value;
  }
  if (layout.size == 0 || layout.count == 0 || layout.object_size == 0) return std::nullopt;
  return layout;
}

LayoutText format_layout(const Layout& layout, const Layout& present) {
  LayoutText text;
  const auto field = [&text](std::string_view key) -> LayoutText& {
    if (!text.empty()) text.add(' ');
    return text.add(key).add('=');
  };
  if (layout.size != 0 || layout.object_size != 0) {
    // A folder's own default may be larger than the limit: its administrator knows the OSDs'.
    const std::uint64_t limit = std::max(kMaxObjectSize, present.object_size);
    const std::uint64_t present_unit = present.size != 0 ? present.size : kDefaultSize;
    const std::uint64_t present_object = present.object_size != 0 ? present.object_size : kDefaultSize;
    const std::uint64_t asked_object = std::min(layout.object_size, limit);
    std::uint64_t unit = std::min(layout.size != 0 ? layout.size : present_unit, limit);
    // An object size asked for alone is kept, and the stripe unit gives way.
    if (layout.size == 0) unit = std::min(unit, asked_object);
    unit = std::max(round_down(unit, kSizeUnit), kSizeUnit);
    std::uint64_t object = round_up(std::max(asked_object != 0 ? asked_object : present_object, unit), unit);
    if (object > limit) object = std::max(round_down(limit, unit), unit);
    field("stripe_unit").add(unit);
    field("object_size").add(object);
  }
  if (layout.count != 0) field("stripe_count").add(layout.count);
  if (!layout.pool.empty()) field("pool").add(layout.pool.view());
  return text;
}

}  // namespace ceph

Capabilities CephBackend::capabilities() const {
  return {.stripe_count = true,
          .stripe_size = true,
          .pool = true,
          .size_unit = ceph::kSizeUnit,
          .max_stripe_size = ceph::kMaxObjectSize,
          .max_stripe_count = 0,
          .all_targets = false};
}

int CephBackend::create(const char* path, mode_t mode, const Layout& layout, Layout& obtained) const {
  // The server would take kAllTargets for four thousand million objects. A blank would begin another field.
  if (layout.count == kAllTargets || layout.pool.view().find(' ') != std::string_view::npos) return EINVAL;
  if (layout.pool.truncated()) return ENAMETOOLONG;
  NewFile file(path, mode);
  if (const int error = file.make()) return error;
  // A new file has its folder's layout from the start; what is not set keeps that value.
  Layout present;
  if (const int error = ceph::read_new(file, present)) return error;
  const ceph::LayoutText text = ceph::format_layout(layout, present);
  if (!text.empty()) {
    // All fields at once, as the server checks each attribute that is set against the others.
    if (const int error = file.set(ceph::kFileLayout, text.c_str(), text.size())) return error;
  }
  if (const int error = ceph::read_new(file, obtained)) return error;
  return file.keep();
}

int CephBackend::read(const char* path, Layout& out) const {
  return ceph::read_attribute(path, ceph::kFileLayout, out);
}

int CephBackend::folder_default(const char* folder, FolderDefault& out) const {
  // A folder shows only a layout of its own; without one, the nearest folder above that has one counts.
  Mapped<path::Path> at;
  if (!at.ok()) return ENOMEM;
  *at = std::string_view(folder);
  if (at->truncated()) return ENAMETOOLONG;
  out.composite = false;
  for (;;) {
    const int error = ceph::read_attribute(at->c_str(), ceph::kFolderLayout, out.layout);
    if (error != ENODATA) return error;
    if (at->view() == "/" || ceph::is_mount_point(at->c_str())) break;
    const std::string_view above = path::folder(at->view());
    if (above.size() >= at->size()) break;  // a relative name
    at->resize_down(above.size());
  }
  out.layout = ceph::built_in();
  return 0;
}

}  // namespace toto::layout
