// SPDX-License-Identifier: BSD-3-Clause
// CephFS: layouts by the virtual extended attribute "ceph.file.layout", with the kernel's client and
// ceph-fuse alike. Only an empty file takes one; a client whose key lacks the "p" flag gets EACCES, which is
// common and no fault: the file is then made as without us.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "hints/layout/backend.h"

namespace toto::layout {

class CephBackend final : public Backend {
 public:
  [[nodiscard]] std::string_view name() const override { return "ceph"; }
  [[nodiscard]] Capabilities capabilities() const override;
  [[nodiscard]] std::string_view who() const override {
    return "users whose key has the flag \"p\" for the folder";
  }
  // Never known: clients see neither the cluster's OSDs nor a limit, and stripe_count is the number of
  // objects written in turns, not of targets.
  [[nodiscard]] std::uint32_t targets(const char*) const override { return 0; }
  int create(const char* path, mode_t mode, const Layout& layout, Layout& obtained) const override;
  int read(const char* path, Layout& out) const override;
  int folder_default(const char* folder, FolderDefault& out) const override;
};

namespace ceph {

// "stripe_unit=1048576 stripe_count=4 object_size=4194304 pool=data", as the attribute is read and set.
// Pure. Unknown fields are skipped; nothing when one of the numbers is missing or none.
[[nodiscard]] std::optional<Layout> parse_layout(std::string_view text);

// Pure. What to set: the fields of `layout` that are not 0, made valid together with `present`, the layout
// that the file has (src/common/fs_types.cc, file_layout_t::is_valid): sizes in multiples of 64 KiB, an
// object is a whole number of stripe units. Empty: nothing to set.
using LayoutText = FixedString<224>;
[[nodiscard]] LayoutText format_layout(const Layout& layout, const Layout& present);

}  // namespace ceph
}  // namespace toto::layout
