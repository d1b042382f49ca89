// SPDX-License-Identifier: BSD-3-Clause
// Any text as a mount table.
#include "core/mounts.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  std::string_view text{reinterpret_cast<const char*>(data), size};
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const auto mount = toto::mounts::parse_line(text.substr(0, end));
    if (mount && mount->point.view().empty()) __builtin_trap();
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return 0;
}
