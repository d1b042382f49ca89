// SPDX-License-Identifier: BSD-3-Clause
#include "tools/units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace toto::tools {
namespace {

constexpr std::array<std::string_view, 7> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

std::string scaled(double value) {
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  const bool whole = std::abs(value - std::round(value)) < 0.005 || value >= 100;
  return whole ? fmt::format("{:.0f} {}", value, kUnits[unit])
               : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

}  // namespace

std::string bytes_text(std::uint64_t bytes) { return scaled(static_cast<double>(bytes)); }

std::string rate_text(double bytes, double seconds) {
  if (bytes <= 0 || seconds <= 0) return "-";
  return scaled(bytes / seconds) + "/s";
}

std::string seconds_text(double seconds) {
  if (!(seconds > 0)) return "0 s";
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1e3);
  if (seconds < 600) return fmt::format("{:.1f} s", seconds);
  if (seconds > 1e9) return fmt::format("{:.3g} s", seconds);
  const auto minutes = static_cast<std::uint64_t>(seconds / 60);
  return minutes < 60 ? fmt::format("{} min {:02.0f} s", minutes,
                                    std::floor(seconds - 60.0 * static_cast<double>(minutes)))
                      : fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

std::string plural(std::uint64_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080..U+009F are control characters too; in UTF-8 they are C2 80 .. C2 9F.
    const bool c1 = byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (c1) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++i]));
    } else if (byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace toto::tools
