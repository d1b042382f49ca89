// SPDX-License-Identifier: BSD-3-Clause
// TableText<N>: text of at most N bytes inside an entry of a constant table.
// A table of pointers to its texts has to be filled in by the dynamic linker at every start of every program,
// and so becomes memory of each process; one of these is part of the file, and not touched until it is read.
//
//   struct Colour { TableText<7> name; int value; };
//   constexpr auto kColours = std::to_array<Colour>({{"red", 1}, {"green", 2}});
//
// (Not "constexpr std::array kColours{...}": g++ 12 puts such a constant among the variables.)
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace toto {

template <std::size_t N>
class TableText {
 public:
  constexpr TableText() = default;
  template <std::size_t M>
  requires(M <= N + 1) constexpr TableText(const char (&text)[M])  // NOLINT(google-explicit-constructor)
      : size_(M - 1) {
    std::copy_n(text, M, data_.data());
  }

  [[nodiscard]] constexpr std::string_view view() const { return {data_.data(), size_}; }
  constexpr operator std::string_view() const { return view(); }  // NOLINT(google-explicit-constructor)
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }

  friend constexpr bool operator==(const TableText& a, std::string_view b) { return a.view() == b; }

 private:
  static_assert(N < 256);
  std::array<char, N + 1> data_{};
  std::uint8_t size_ = 0;
};

}  // namespace toto
