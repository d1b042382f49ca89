// SPDX-License-Identifier: BSD-3-Clause
// The mount table of this process, from /proc/self/mountinfo: text only, no mount is touched.
// parse_line() is pure, and every function can be given another table, so that recorded tables can be tested.
// Nothing is allocated and lines may be of any length: what is not needed of them is never kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/fixed_string.h"

namespace toto::mounts {

struct Mount {
  std::uint64_t device = 0;  // makedev-like key of major:minor, see device_key()
  FixedString<255> point;    // mount point, octal escapes undone
  FixedString<39> type;      // "lustre", "fuse.ceph-fuse", ...
  FixedString<127> source;   // "10.0.0.1@tcp:/scratch", ...; cut where it is longer
};

[[nodiscard]] constexpr std::uint64_t device_key(std::uint32_t major, std::uint32_t minor) {
  return (static_cast<std::uint64_t>(major) << 32) | minor;
}

inline constexpr const char* kOwnTable = "/proc/self/mountinfo";

// One line of mountinfo (format: proc(5)); nothing when it is malformed or the mount point does not fit.
[[nodiscard]] std::optional<Mount> parse_line(std::string_view line);

// Calls `visit(const Mount&)` for each mount of the table; later lines cover earlier ones.
// False when the table cannot be read. errno is kept.
using Visitor = void (*)(const Mount&, void* context);
bool for_each(Visitor visit, void* context, const char* table = kOwnTable);

// The mount of a device; of several (bind mounts) the last whose point is a prefix of `path`, else the last.
[[nodiscard]] std::optional<Mount> of_device(std::uint64_t device, std::string_view path,
                                             const char* table = kOwnTable);

// The mount that covers an absolute path, lexically (longest prefix, the last of equals).
[[nodiscard]] std::optional<Mount> of_path(std::string_view path, const char* table = kOwnTable);

}  // namespace toto::mounts
