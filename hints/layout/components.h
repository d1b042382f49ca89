// SPDX-License-Identifier: BSD-3-Clause
// A layout that changes with the file's size (Lustre's progressive layouts), as text:
//   COUNT[xSIZE]@END+COUNT[xSIZE]@END+...     "1@64M+8x4M@10G+all@eof"
// COUNT stripes ("all": one on every target) of SIZE bytes (left out: the file system's default) up to the
// byte END of the file, the last END being "eof". Read back, data on the metadata server have the COUNT
// "mdt".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/fixed_string.h"
#include "core/outcome.h"

namespace toto::layout {

struct Component {
  std::uint64_t end = 0;  // first byte that is no longer its; kEof
  std::uint64_t size = 0;
  std::uint32_t count = 0;  // 0: on the metadata server
  bool operator==(const Component&) const = default;
};
inline constexpr std::uint64_t kEof = ~std::uint64_t{0};

struct Components {
  static constexpr std::size_t kMost = 5;
  std::uint32_t used = 0;
  std::array<Component, kMost> list{};

  [[nodiscard]] std::span<const Component> all() const { return {list.data(), used}; }
  bool add(const Component& one);  // false: no room
  bool operator==(const Components&) const = default;
};

// Pure. Nothing when the text is malformed or Lustre would not take it (lod/lod_lov.c: sizes and ends are
// multiples of 64 KiB, an end is a multiple of its component's size, ends grow, the last one is "eof").
[[nodiscard]] std::optional<Components> parse_components(std::string_view text);

// Pure. The same as text, in the shortest units.
[[nodiscard]] decltype(Layout::components) format_components(const Components& components);

// Pure. Whether a file got them: sizes that were left out are not looked at, "all" is any number, and a
// bounded component may have as many stripes fewer as it has no room for (lod/lod_qos.c).
[[nodiscard]] bool satisfies(const Components& asked, const Components& obtained);

}  // namespace toto::layout
