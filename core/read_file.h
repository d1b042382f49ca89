// SPDX-License-Identifier: BSD-3-Clause
// A small text file as a whole, by system calls of ours, into memory that stays (core/keep.h).
#pragma once

#include <string_view>

namespace toto {

inline constexpr std::size_t kMostFileBytes = 4U << 20;

// 0 or an errno (EFBIG above kMostFileBytes, EINVAL for a path too long). Our descriptor is closed again.
int read_file(std::string_view path, std::string_view& text);

}  // namespace toto
