// SPDX-License-Identifier: BSD-3-Clause
// The name of a wrapped call as a template argument: so it is in the code, and no pointer to it has to be
// filled in at the start of every program.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace toto {

template <std::size_t N>
struct CallName {
  char text[N];
  constexpr CallName(const char (&from)[N]) { std::copy_n(from, N, text); }  // NOLINT: "write" is a CallName
};

// The hash by which a dynamic object's table (DT_GNU_HASH) is asked for a symbol.
[[nodiscard]] constexpr std::uint32_t symbol_hash(std::string_view name) {
  std::uint32_t hash = 5381;
  for (const char c : name) hash = hash * 33 + static_cast<unsigned char>(c);
  return hash;
}

template <CallName name>
inline constexpr std::uint32_t kHash = symbol_hash(name.text);

}  // namespace toto
