// SPDX-License-Identifier: BSD-3-Clause
// Any text as a settings file.
#include "core/toml.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  std::size_t letters = 0;
  toto::toml::parse(
      {reinterpret_cast<const char*>(data), size},
      [](const toto::toml::Entry& entry, void* sum) {
        *static_cast<std::size_t*>(sum) += entry.key.view().size() + entry.value.view().size();
      },
      &letters);
  return 0;
}
