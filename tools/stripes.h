// SPDX-License-Identifier: BSD-3-Clause
// A layout in words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace toto::tools {

[[nodiscard]] std::string stripe_count_text(std::uint32_t count);  // "8", "all", "-" for the folder's default

// "8 stripes of 1 MiB in pool ssd"; "-" when nothing is chosen.
[[nodiscard]] std::string stripes_text(std::uint32_t count, std::uint64_t size, std::string_view pool);

}  // namespace toto::tools
