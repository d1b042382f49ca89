// SPDX-License-Identifier: BSD-3-Clause
// Numbers for people: sizes with a unit, times with the digits that count.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/fixed_string.h"

namespace toto {

// "512 B", "1.5 MiB"
[[nodiscard]] inline FixedString<40> human_bytes(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 6> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  std::uint64_t tenths = bytes * (bytes < (std::uint64_t{1} << 59) ? 10 : 1);
  while (tenths >= 10240 && unit + 1 < kUnits.size()) {
    tenths /= 1024;
    ++unit;
  }
  FixedString<40> out;
  out.add(tenths / 10);
  if (unit > 0) out.add('.').add(tenths % 10);
  return out.add(' ').add(kUnits[unit]);
}

// "250 s", "2.5 s", "0.04 s"; below a hundredth of a second, milliseconds.
[[nodiscard]] inline FixedString<40> human_seconds(std::uint64_t ns) {
  FixedString<40> out;
  const std::uint64_t hundredths = ns / 10'000'000;
  if (hundredths >= 1000) return out.add(hundredths / 100).add(" s");
  if (hundredths == 0) return out.add(ns / 1'000'000).add('.').add(ns / 100'000 % 10).add(" ms");
  return out.add(hundredths / 100).add('.').add(hundredths / 10 % 10).add(hundredths % 10).add(" s");
}

}  // namespace toto
