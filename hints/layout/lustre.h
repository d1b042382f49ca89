// SPDX-License-Identifier: BSD-3-Clause
// Lustre: layouts by the extended attribute "lustre.lov", for any user, without liblustreapi.
//
// A file made by mknod(2) has no layout, and holds no write handle that could be left without one, as a
// delay-created descriptor does (writes to it give EBADF): whatever fails here, a later open(2) for writing
// makes the server use the folder's default.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "hints/layout/backend.h"

namespace toto::layout {

class LustreBackend final : public Backend {
 public:
  [[nodiscard]] std::string_view name() const override { return "lustre"; }
  [[nodiscard]] Capabilities capabilities() const override;
  [[nodiscard]] std::uint32_t targets(const char* folder) const override;
  int create(const char* path, mode_t mode, const Layout& layout, Layout& obtained) const override;
  int read(const char* path, Layout& out) const override;
  int folder_default(const char* folder, FolderDefault& out) const override;
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
  [[nodiscard]] bool composite() const { return components != 0; }
  [[nodiscard]] bool overstriped() const;
};

// Pure. Nothing when `blob` is cut short, inconsistent, or in a form that is not known. The OST of each
// object, in stripe order, goes to `osts`, as many as fit there.
[[nodiscard]] std::optional<Lov> parse_lov(std::span<const std::byte> blob,
                                           std::span<std::uint32_t> osts = {});

// Pure. What to set for `layout`: V1, or V3 where there is a pool. Sizes are rounded down to a multiple of 64
// KiB (at least one); a count or size of 0 stays, and means the file system's default. Length in `out`.
using LovBlob = std::array<std::byte, 48>;
std::size_t encode_lov(const Layout& layout, LovBlob& out);

// The layout of a file, or a folder's default. 0 or an errno; ENODATA: none; EPROTO: not understood.
int read_lov(const char* path, Lov& out, std::span<std::uint32_t> osts = {});

}  // namespace lustre
}  // namespace toto::layout
