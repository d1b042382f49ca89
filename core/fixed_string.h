// SPDX-License-Identifier: BSD-3-Clause
// FixedString<N>: text of at most N bytes inside the object itself, always NUL-terminated.
// For code that may run in a signal handler or a vfork child: no allocation, no locale, no stdio.
// What does not fit is cut; truncated() then stays true, so that a caller can say so.
//
//   FixedString<64> text;
//   text.add("rank ").add(rank);
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace toto {

template <std::size_t N>
class FixedString {
 public:
  constexpr FixedString() : data_{} {}
  constexpr FixedString(std::string_view text) : data_{} {
    add(text);
  }  // NOLINT(google-explicit-constructor)
  // Empty, and the bytes behind the end not cleared: for a long one that may never be used.
  struct Unfilled {};
  explicit FixedString(Unfilled) { data_[0] = '\0'; }

  constexpr FixedString& operator=(std::string_view text) {
    clear();
    return add(text);
  }

  constexpr FixedString& add(std::string_view text) {
    const std::size_t room = N - size_;
    const std::size_t taken = std::min(room, text.size());
    std::copy_n(text.data(), taken, data_.data() + size_);
    size_ = static_cast<std::uint32_t>(size_ + taken);
    data_[size_] = '\0';
    truncated_ = truncated_ || taken < text.size();
    return *this;
  }
  // nullptr (a name that is not known) reads "?".
  constexpr FixedString& add(const char* text) { return add(std::string_view(text != nullptr ? text : "?")); }
  constexpr FixedString& add(char c) { return add(std::string_view(&c, 1)); }

  template <std::integral T>
  requires(!std::same_as<T, char> && !std::same_as<T, bool>) FixedString& add(T number, int base = 10) {
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, base).ptr;
    // The bound is always true, see view().
    return add(std::string_view(
        digits.data(), std::min<std::size_t>(digits.size(), static_cast<std::size_t>(end - digits.data()))));
  }

  constexpr void clear() {
    size_ = 0;
    truncated_ = false;
    data_[0] = '\0';
  }
  constexpr void resize_down(std::size_t size) {
    size_ = static_cast<std::uint32_t>(std::min<std::size_t>(size, size_));
    data_[size_] = '\0';
  }

  // The bound is always true; it lets the compiler know so where it looks at copies.
  [[nodiscard]] constexpr std::string_view view() const {
    return {data_.data(), std::min<std::size_t>(size_, N)};
  }
  constexpr operator std::string_view() const { return view(); }  // NOLINT(google-explicit-constructor)
  [[nodiscard]] constexpr const char* c_str() const { return data_.data(); }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr bool truncated() const { return truncated_; }

  friend constexpr bool operator==(const FixedString& a, std::string_view b) { return a.view() == b; }

 private:
  std::uint32_t size_ = 0;
  bool truncated_ = false;
  std::array<char, N + 1> data_;
};

}  // namespace toto
