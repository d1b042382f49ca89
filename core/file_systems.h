// SPDX-License-Identifier: BSD-3-Clause
// The file systems that are known by name: how each is recognised, and whether it is a parallel one.
// Magic numbers: statfs(2)'s f_type, compared as 32 bits (f_type is a long, and some have the top bit set).
// Sources: linux/magic.h; lustre_user.h (LL_SUPER_MAGIC); BeeGFS FhgfsOpsSuper.h; ROMIO ad_fstype.c (GPFS,
// PanFS); orangefs pvfs2-types.h; DAOS daos_fs.h (returned by its interception library only).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/table_text.h"

namespace toto {

struct KnownFileSystem {
  TableText<8> name;                         // as reports call it
  std::array<TableText<14>, 3> mount_types;  // mountinfo's type; a FUSE client is "fuse.<subtype>"
  std::uint32_t magic;                       // 0: cannot be told by f_type
  bool parallel;                             // watched by default, and by TOTO_PFS_PATHS
};

inline constexpr std::uint32_t kFuseMagic = 0x65735546;

inline constexpr auto kKnownFileSystems = std::to_array<KnownFileSystem>({
    KnownFileSystem{"lustre", {"lustre", "fuse.lustre", ""}, 0x0BD00BD0, true},
    KnownFileSystem{"beegfs", {"beegfs", "fuse.beegfs", ""}, 0x19830326, true},
    KnownFileSystem{"ceph", {"ceph", "fuse.ceph-fuse", "fuse.ceph"}, 0x00C36400, true},
    KnownFileSystem{"gpfs", {"gpfs", "", ""}, 0x47504653, true},
    KnownFileSystem{"daos", {"fuse.daos", "fuse.dfuse", ""}, 0xDA05AD10, true},
    KnownFileSystem{"orangefs", {"pvfs2", "orangefs", ""}, 0x20030528, true},
    KnownFileSystem{"panfs", {"panfs", "", ""}, 0xAAD7AAEA, true},
    KnownFileSystem{"nfs", {"nfs", "nfs4", ""}, 0x00006969, false},
    KnownFileSystem{"tmpfs", {"tmpfs", "", ""}, 0x01021994, false},
    KnownFileSystem{"overlay", {"overlay", "", ""}, 0x794C7630, false},
    KnownFileSystem{"proc", {"proc", "", ""}, 0x00009FA0, false},
    KnownFileSystem{"sysfs", {"sysfs", "", ""}, 0x62656572, false},
    KnownFileSystem{"devpts", {"devpts", "", ""}, 0x00001CD1, false},
    KnownFileSystem{"btrfs", {"btrfs", "", ""}, 0x9123683E, false},
    KnownFileSystem{"ext4", {"ext4", "ext3", "ext2"}, 0x0000EF53, false},
    KnownFileSystem{"xfs", {"xfs", "", ""}, 0x58465342, false},
    KnownFileSystem{"smb", {"smb3", "", ""}, 0xFE534D42, false},
    KnownFileSystem{"cifs", {"cifs", "", ""}, 0xFF534D42, false},
    // A place where something will be mounted: what lies below is never on it.
    KnownFileSystem{"autofs", {"autofs", "", ""}, 0x00000187, false},
});

[[nodiscard]] constexpr const KnownFileSystem* file_system_by_type(std::string_view mount_type) {
  for (const KnownFileSystem& known : kKnownFileSystems) {
    for (const TableText<14>& type : known.mount_types) {
      if (!type.empty() && type == mount_type) return &known;
    }
  }
  return nullptr;
}

// A FUSE mount cannot be told by its magic number: nullptr, and the mount table must be asked.
[[nodiscard]] constexpr const KnownFileSystem* file_system_by_magic(std::uint32_t magic) {
  for (const KnownFileSystem& known : kKnownFileSystems) {
    if (known.magic != 0 && known.magic == magic) return &known;
  }
  return nullptr;
}

[[nodiscard]] constexpr const KnownFileSystem* file_system_by_name(std::string_view name) {
  for (const KnownFileSystem& known : kKnownFileSystems) {
    if (known.name == name) return &known;
  }
  return nullptr;
}

}  // namespace toto
