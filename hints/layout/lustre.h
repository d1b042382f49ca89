// SPDX-License-Identifier: BSD-3-Clause
// Lustre: layouts by the extended attribute "lustre.lov", for any user, without liblustreapi; by ioctls where
// attributes are refused.
//
// A file made by mknod(2) has no layout, and holds no write handle that could be left without one, as a
// delay-created descriptor does (writes to it give EBADF): whatever fails here, a later open(2) for writing
// makes the server use the folder's default.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "hints/layout/backend.h"
#include "hints/layout/components.h"

namespace toto::layout {

class LustreBackend final : public Backend {
 public:
  [[nodiscard]] std::string_view name() const override { return "lustre"; }
  [[nodiscard]] Capabilities capabilities() const override;
  [[nodiscard]] std::string_view who() const override {
    return "any user who may write to the folder, unless a group is named for it (enable_setstripe_gid)";
  }
  [[nodiscard]] std::uint32_t targets(const char* folder) const override;
  int create(const char* path, mode_t mode, const Layout& layout, Layout& obtained) const override;
  int read(const char* path, Layout& out) const override;
  std::uint32_t read_targets(const char* path, Layout& out, std::span<std::uint32_t> targets) const override;
  int folder_default(const char* folder, FolderDefault& out) const override;
  // EACCES where llite.*.enable_setstripe_gid (Lustre 2.16) names a group that this process is not in.
  [[nodiscard]] int permission(const char* folder) const override;
};

namespace lustre {

// A layout as Lustre tells it. Of a composite one (progressive, mirrored), `layout` and what follows it are
// those of one component: the last that has objects, else (a folder's default) the last of all, as that is
// where a large file's bytes go. Parts on the metadata server count only where there is nothing else.
struct Lov {
  Layout layout;  // size or count 0: the file system's default (folders only)
  std::uint32_t pattern = 0;
  std::uint64_t start = 0;  // bytes of the file that it holds
  std::uint64_t end = ~std::uint64_t{0};
  std::uint32_t objects = 0;     // listed with their OST; 0: a folder, or a released file
  std::uint32_t components = 0;  // 0: not composite
  // Of a composite one: layout.components has all of them, where there are not too many, and neither mirrors
  // nor self-extending ones.
  [[nodiscard]] bool composite() const { return components != 0; }
  [[nodiscard]] bool overstriped() const;
};

// Pure. Nothing when `blob` is cut short, inconsistent, or in a form that is not known. The OST of each
// object, in stripe order, goes to `osts`, as many as fit there.
[[nodiscard]] std::optional<Lov> parse_lov(std::span<const std::byte> blob,
                                           std::span<std::uint32_t> osts = {});

// A part of a file with a layout of its own: all of it, or one component.
struct Extent {
  std::uint64_t start = 0;
  std::uint64_t end = kEof;  // first byte that is no longer its
  std::uint32_t count = 0;   // stripes; 0: data on the metadata server
  std::uint64_t size = 0;
  std::uint32_t pattern = 0;
  std::span<const std::byte> objects{};

  // Nothing: no object yet.
  [[nodiscard]] std::optional<std::uint32_t> ost(std::uint32_t stripe) const;
};
// Pure. Visits the parts in their order in the blob; of mirrors each. What is cut short is left out.
void for_each_part(std::span<const std::byte> blob, void (*visit)(const Extent&, void*), void* context);

// Pure. What to set for `layout`: V1, or V3 where there is a pool. Sizes are rounded down to a multiple of 64
// KiB (at least one); a count or size of 0 stays, and means the file system's default. Length in `out`.
// With components: a composite of these. With a list of targets and no pool: SPECIFIC, these. 0: malformed.
inline constexpr std::size_t kLargestComposite = 32 + Components::kMost * (48 + 48);
inline constexpr std::size_t kLargestSpecific = 48 + kMostTargets * 24;
using LovBlob = std::array<std::byte, std::max(kLargestComposite, kLargestSpecific)>;
std::size_t encode_lov(const Layout& layout, LovBlob& out);

// Where Lustre's client shows its state: `roots` in their order, such as "/sys/fs/lustre"; `device` as
// OBD_IOC_GETDTNAME tells it ("scratch-clilov-ffff8a0b"). The number of OSTs in use; 0: not told.
[[nodiscard]] std::uint32_t active_osts(std::string_view device, std::span<const std::string_view> roots);
// The group whose members may set layouts, or -1: everybody.
[[nodiscard]] std::int64_t setstripe_group(std::string_view device, std::span<const std::string_view> roots);

// The layout of a file, or a folder's default. 0 or an errno; ENODATA: none; EPROTO: not understood.
int read_lov(const char* path, Lov& out, std::span<std::uint32_t> osts = {});
// The same of an open file, where attributes are refused. Of a composite one only the last component with
// objects.
int read_lov_by_ioctl(int fd, Lov& out);

}  // namespace lustre
}  // namespace toto::layout
