// SPDX-License-Identifier: BSD-3-Clause
// What a report can say to the person who reads it: found by the rules of hints/advise.h, which core/ does
// not know. Of a fixed size, without the heap: it is made while a process ends.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/fixed_string.h"

namespace toto {

enum class Severity : std::uint8_t { kHigh, kMedium, kLow };
[[nodiscard]] constexpr std::string_view name(Severity severity) {
  constexpr std::array<std::string_view, 3> kNames{"high", "medium", "low"};
  return kNames[static_cast<std::size_t>(severity)];
}

struct Advice {
  // A measured count that the advice rests on; an empty name: no more.
  struct Count {
    std::string_view name;
    std::uint64_t value = 0;
  };

  std::string_view rule;
  Severity severity = Severity::kLow;
  FixedString<256> family;
  std::array<Count, 4> counts{};
  std::uint64_t ns = 0;     // what it cost, summed over all ranks
  FixedString<440> remedy;  // one or two sentences, with the numbers in them
};

// The most severe ones, by severity, then by time, then by family and rule.
class AdviceList {
 public:
  static constexpr std::size_t kMost = 12;

  void add(const Advice& advice);
  [[nodiscard]] const Advice* begin() const { return list_.data(); }
  [[nodiscard]] const Advice* end() const { return list_.data() + count_; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] std::size_t omitted() const { return omitted_; }  // pieces that found no room
  void clear() { count_ = omitted_ = 0; }

 private:
  std::size_t count_ = 0;
  std::size_t omitted_ = 0;
  std::array<Advice, kMost> list_{};
};

}  // namespace toto
