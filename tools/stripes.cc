// SPDX-License-Identifier: BSD-3-Clause
#include "tools/stripes.h"

#include <fmt/format.h>

#include "core/outcome.h"
#include "tools/units.h"

namespace toto::tools {

std::string stripe_count_text(std::uint32_t count) {
  if (count == 0) return "-";
  return count == kAllTargets ? "all" : fmt::format("{}", count);
}

std::string stripes_text(std::uint32_t count, std::uint64_t size, std::string_view pool) {
  std::string text;
  if (count == kAllTargets) {
    text = "stripes on all targets";
  } else if (count != 0) {
    text = plural(count, "stripe");
  }
  if (size != 0) text += fmt::format("{} of {}", text.empty() ? "stripes" : "", bytes_text(size));
  if (!pool.empty()) text += fmt::format("{}in pool {}", text.empty() ? "" : " ", printable(pool));
  return text.empty() ? "-" : text;
}

}  // namespace toto::tools
