// SPDX-License-Identifier: BSD-3-Clause
// Any text as TOTO_HINTS; then the rules are asked for paths.
#include "hints/rules.h"

#include <memory>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto rules = std::make_unique<toto::hints::Rules>();
  rules->parse("TOTO_HINTS", {reinterpret_cast<const char*>(data), size}, [](std::string_view message) {
    if (message.empty()) __builtin_trap();  // a warning says something
  });
  std::size_t letters = 0;
  for (const char* path : {"/scratch/dump.0100.bin", "/a", "/", "/scratch/x.h5"}) {
    rules->for_each(
        path, [&](std::string_view key, std::string_view value) { letters += key.size() + value.size(); });
    letters += rules->find(path, "striping_factor").size();
  }
  return letters == static_cast<std::size_t>(-1) ? 1 : 0;
}
