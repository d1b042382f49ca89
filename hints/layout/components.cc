// SPDX-License-Identifier: BSD-3-Clause
#include "hints/layout/components.h"

#include <algorithm>
#include <charconv>

namespace toto::layout {
namespace {

constexpr std::uint64_t kGrain = 65536;
constexpr std::uint64_t kLargestSize = 0xffff'0000;  // 32 bits on the wire
constexpr std::uint32_t kMostStripes = 2000;         // LOV_MAX_STRIPE_COUNT
constexpr std::string_view kUnits = "KMGTP";

bool number(std::string_view text, std::uint64_t& out, std::string_view& rest) {
  const char* const stop = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), stop, out);
  rest = std::string_view(end, static_cast<std::size_t>(stop - end));
  return error == std::errc{};
}

// "64K", "1M", "65536".
bool bytes(std::string_view text, std::uint64_t& out) {
  std::string_view unit;
  if (!number(text, out, unit)) return false;
  if (unit.empty()) return true;
  const char letter = unit[0] >= 'a' && unit[0] <= 'z' ? static_cast<char>(unit[0] - 'a' + 'A') : unit[0];
  const std::size_t index = kUnits.find(letter);
  if (unit.size() != 1 || index == kUnits.npos) return false;
  const auto shift = 10 * (index + 1);
  if (out > (~std::uint64_t{0} >> shift)) return false;
  out <<= shift;
  return true;
}

bool parse_one(std::string_view text, std::uint64_t start, bool last, Component& out) {
  const std::size_t at = text.find('@');
  if (at == text.npos) return false;
  std::string_view stripes = text.substr(0, at);
  const std::string_view end = text.substr(at + 1);
  if (const std::size_t x = stripes.find('x'); x != stripes.npos) {
    if (!bytes(stripes.substr(x + 1), out.size) || out.size == 0) return false;
    stripes = stripes.substr(0, x);
  }
  if (stripes == "all") {
    out.count = kAllTargets;
  } else {
    std::uint64_t count = 0;
    std::string_view rest;
    if (!number(stripes, count, rest) || !rest.empty() || count == 0 || count > kMostStripes) return false;
    out.count = static_cast<std::uint32_t>(count);
  }
  if (out.size % kGrain != 0 || out.size > kLargestSize) return false;
  if (last != (end == "eof")) return false;
  if (last) {
    out.end = kEof;
    return true;
  }
  return bytes(end, out.end) && out.end > start && out.end % kGrain == 0 &&
         (out.size == 0 || out.end % out.size == 0);
}

template <class Text>
void add_bytes(Text& text, std::uint64_t number) {
  std::size_t unit = 0;
  while (unit < kUnits.size() && number != 0 && number % 1024 == 0) {
    number /= 1024;
    ++unit;
  }
  text.add(number);
  if (unit > 0) text.add(kUnits[unit - 1]);
}

}  // namespace

bool Components::add(const Component& one) {
  if (used == list.size()) return false;
  list[used++] = one;
  return true;
}

std::optional<Components> parse_components(std::string_view text) {
  Components out;
  std::uint64_t start = 0;
  for (;;) {
    const std::size_t plus = text.find('+');
    const bool last = plus == text.npos;
    Component one;
    if (!parse_one(text.substr(0, plus), start, last, one) || !out.add(one)) return std::nullopt;
    if (last) return out;
    start = one.end;
    text.remove_prefix(plus + 1);
  }
}

decltype(Layout::components) format_components(const Components& components) {
  decltype(Layout::components) text;
  for (const Component& one : components.all()) {
    if (!text.empty()) text.add('+');
    if (one.count == 0) {
      text.add("mdt");
    } else if (one.count == kAllTargets) {
      text.add("all");
    } else {
      text.add(one.count);
    }
    if (one.size != 0 && one.count != 0) add_bytes(text.add('x'), one.size);
    text.add('@');
    if (one.end == kEof) {
      text.add("eof");
    } else {
      add_bytes(text, one.end);
    }
  }
  return text;
}

bool satisfies(const Components& asked, const Components& obtained) {
  if (asked.used != obtained.used) return false;
  std::uint64_t start = 0;
  for (std::uint32_t i = 0; i < asked.used; ++i) {
    const Component& wish = asked.list[i];
    const Component& got = obtained.list[i];
    if (got.end != wish.end || (wish.size != 0 && got.size != wish.size)) return false;
    const std::uint64_t room = wish.end == kEof || got.size == 0 ? ~0U : (wish.end - start) / got.size;
    const bool count = got.count == wish.count || (wish.count == kAllTargets && got.count != 0) ||
                       (wish.count > room && got.count == room);
    if (!count) return false;
    start = wish.end;
  }
  return true;
}

}  // namespace toto::layout
