// SPDX-License-Identifier: BSD-3-Clause
// Numbers as people read them, and texts from files made safe for a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace toto::tools {

[[nodiscard]] std::string bytes_text(std::uint64_t bytes);          // "30 MiB", "1.5 GiB", "512 B"
[[nodiscard]] std::string rate_text(double bytes, double seconds);  // "240 MiB/s"; "-" where there is none
[[nodiscard]] std::string seconds_text(double seconds);             // "12.3 s", "4.2 ms", "1 h 02 min"
[[nodiscard]] std::string plural(std::uint64_t count, std::string_view one);  // "1 rank", "4 ranks"

// Control characters (a path may hold any) as \xNN, so that they cannot steer the terminal.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace toto::tools
