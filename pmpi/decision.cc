// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/decision.h"

#include <algorithm>

namespace toto::pmpi {

bool Decision::add(std::string_view key, std::string_view value) {
  if (used_ + key.size() + value.size() + 2 > text.size()) return false;
  char* at = text.data() + used_;
  at = std::copy(key.begin(), key.end(), at);
  *at++ = '\0';
  at = std::copy(value.begin(), value.end(), at);
  *at = '\0';
  used_ += static_cast<std::uint32_t>(key.size() + value.size() + 2);
  ++hints;
  return true;
}

}  // namespace toto::pmpi
