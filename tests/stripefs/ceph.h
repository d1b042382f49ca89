// SPDX-License-Identifier: BSD-3-Clause
//
// The CephFS dialect: the text of the virtual attributes ceph.file.layout* and ceph.dir.layout*.
// Translation and Ceph's own checks only, no file system.
#pragma once

#include <string>
#include <string_view>

#include "layout.h"

namespace toto::stripefs::ceph {

inline constexpr std::string_view kFilePrefix = "ceph.file.layout";
inline constexpr std::string_view kDirectoryPrefix = "ceph.dir.layout";

inline constexpr std::uint64_t kDefaultObjectSize = 4 << 20;

// A file's layout in Ceph's terms.
struct Fields {
  std::uint64_t stripe_unit = kDefaultObjectSize;
  std::uint64_t stripe_count = 1;
  std::uint64_t object_size = kDefaultObjectSize;
  std::string pool = "data";
};

// The smallest multiple of the unit that holds an object of Ceph's default size.
std::uint64_t ObjectSizeFor(std::uint64_t unit);

Fields FromLayout(const FileLayout& layout, const Placer& defaults);
FileLayout ToLayout(const Fields& fields);

// `field` is what follows the prefix: "" for the whole or ".stripe_unit" and so on.
// 0, ENODATA (no such field) or EINVAL.
int Set(std::string_view field, std::string_view value, Fields* fields);
int Get(std::string_view field, const Fields& fields, std::string* value);

}  // namespace toto::stripefs::ceph
