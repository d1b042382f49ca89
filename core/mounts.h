// SPDX-License-Identifier: BSD-3-Clause
// The mount table of this process, from /proc/self/mountinfo: text only, no mount is touched.
// parse_line() is pure, so that recorded tables can be tested.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/fixed_string.h"

namespace toto::mounts {

struct Mount {
  std::uint64_t device = 0;   // makedev-like key of major:minor, see device_key()
  FixedString<255> point;     // mount point, octal escapes undone
  FixedString<39> type;       // "lustre", "fuse.ceph-fuse", ...
  FixedString<127> source;    // "10.0.0.1@tcp:/scratch", ...
};

[[nodiscard]] constexpr std::uint64_t device_key(std::uint32_t major, std::uint32_t minor) {
  return (static_cast<std::uint64_t>(major) << 32) | minor;
}

// One line of mountinfo; nothing when it is malformed or the mount point does not fit.
[[nodiscard]] std::optional<Mount> parse_line(std::string_view line);

// Calls `visit(const Mount&)` for each mount of the table; later lines cover earlier ones.
// False when the table cannot be read.
using Visitor = void (*)(const Mount&, void* context);
bool for_each(Visitor visit, void* context);

// The mount of a device; of several (bind mounts) the last whose point is a prefix of `path`, else the last.
[[nodiscard]] std::optional<Mount> of_device(std::uint64_t device, std::string_view path);

// The mount that covers an absolute path, lexically (longest prefix, the last of equals).
[[nodiscard]] std::optional<Mount> of_path(std::string_view path);

}  // namespace toto::mounts
