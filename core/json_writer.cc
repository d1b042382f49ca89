// SPDX-License-Identifier: BSD-3-Clause
#include "core/json_writer.h"

namespace toto {
namespace {

// Length of the UTF-8 sequence at the start of `text`, 0 when it is not valid.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : (lead & 0xF0) == 0xE0       ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Overlong forms, surrogates, and what lies beyond U+10FFFF.
  if (lead == 0xE0 && byte(1) < 0xA0) return 0;
  if (lead == 0xED && byte(1) >= 0xA0) return 0;
  if (lead == 0xF0 && byte(1) < 0x90) return 0;
  if (lead == 0xF4 && byte(1) >= 0x90) return 0;
  return length;
}

}  // namespace

void JsonWriter::quoted(std::string_view value) {
  constexpr std::string_view kHex = "0123456789abcdef";
  raw("\"");
  while (!value.empty()) {
    const auto c = static_cast<unsigned char>(value.front());
    const std::size_t length = utf8_length(value);
    if (length == 0) {
      raw("\\ufffd");
      value.remove_prefix(1);
      continue;
    }
    if (c == '"' || c == '\\') {
      raw("\\");
      raw(value.substr(0, 1));
    } else if (c < 0x20) {
      raw("\\u00");
      raw(kHex.substr(c >> 4, 1));
      raw(kHex.substr(c & 15, 1));
    } else {
      raw(value.substr(0, length));
    }
    value.remove_prefix(length);
  }
  raw("\"");
}

}  // namespace toto
