// SPDX-License-Identifier: BSD-3-Clause
// Any text as a report: read, or refused by an exception with a message.
#include "tools/report/read.h"

#include <exception>
#include <nlohmann/json.hpp>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto document = nlohmann::ordered_json::parse(data, data + size, nullptr, false);
  if (document.is_discarded()) return 0;
  try {
    [[maybe_unused]] const auto report = toto::tools::report::read(document, "report.json");
  } catch (const std::exception& error) {
    if (std::string(error.what()).empty()) __builtin_trap();
  }
  return 0;
}
