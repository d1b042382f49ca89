// SPDX-License-Identifier: BSD-3-Clause
// BeeGFS: a file is made together with its stripes, by an ioctl on its folder, for any user who may write
// there; they cannot be changed later. Where the ioctl is refused, folders made beforehand give the stripes
// (striping_folders.h). Storage pool and pattern (mirrored or not) are the folder's in both ways.
#pragma once

#include <cstdint>
#include <span>

#include "hints/layout/backend.h"

namespace toto::layout {

class BeegfsBackend final : public Backend {
 public:
  [[nodiscard]] std::string_view name() const override { return "beegfs"; }
  [[nodiscard]] Capabilities capabilities() const override;
  [[nodiscard]] std::string_view who() const override { return "any user who may write to the folder"; }
  // A client does not tell: known only from a file that was made with "all".
  [[nodiscard]] std::uint32_t targets(const char*) const override { return 0; }
  [[nodiscard]] std::uint32_t count_targets(const char* folder) const override;
  // By the ioctl.
  int create_at_once(const char* path, mode_t mode, const Layout& layout, Layout& obtained) const override;
  // By the folders made beforehand. EOPNOTSUPP where there are none.
  int create(const char* path, mode_t mode, const Layout& layout, Layout& obtained) const override;
  [[nodiscard]] bool create_renames() const override { return true; }
  // Needs permission to read or to write the file.
  int read(const char* path, Layout& out) const override;
  [[nodiscard]] bool reads_by_open() const override { return true; }
  // Never told: a folder has no stripe information for ordinary users.
  int folder_default(const char*, FolderDefault&) const override { return EOPNOTSUPP; }
  int learn_default(const char* folder, FolderDefault& out) const override;
};

namespace beegfs {

// Pure. A power of two of at least 64 KiB that is not above `size`; 0 stays (the folder's default).
[[nodiscard]] std::uint32_t chunk_size(std::uint64_t size);
// Pure. 0 (the folder's default) and kAllTargets keep their meaning; the servers' limit is 256.
[[nodiscard]] std::uint32_t target_count(std::uint32_t count);

// The target of each stripe of a file, as many as fit into `out`; `count`: how many it has. 0 or an errno.
int read_targets(const char* path, std::span<std::uint32_t> out, std::uint32_t& count);

}  // namespace beegfs
}  // namespace toto::layout
