// SPDX-License-Identifier: BSD-3-Clause
// The user's own hint rules: TOTO_HINTS in the syntax that Cray's users know,
//   glob:key=value[:key=value...][,glob:key=value...]       or      @file
// (one rule a line in the file, '#' at the start of a line or after a blank starts a comment). Every
// matching rule counts, in order, a later one wins key by key, as with Cray's. Keys: striping_factor,
// striping_unit (or stripe_count, stripe_size), every MPI-IO hint, and "pool". Sizes may have a unit
// ("4M"); striping_factor may be "all". Bad parts give one warning each and are left out; the rest holds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/outcome.h"

namespace toto::hints {

enum class RuleMode : std::uint8_t { kFill, kOverride };

// One key of one rule, as views into the text that was parsed (which must stay). The key is canonical
// (mpi_keys.h), whatever its spelling in the text, so that "stripe_count" and "striping_factor" are one.
struct RuleHint {
  std::string_view glob;
  std::string_view key;
  std::string_view value;
};

class Rules {
 public:
  static constexpr std::size_t kMost = 512;

  // Parses `text` (not "@file"; the caller has read the file). `warn` is called once for each bad part,
  // with one clear message that names the setting, the part and what happens instead.
  using Warn = void (*)(std::string_view message);
  void parse(std::string_view setting, std::string_view text, Warn warn);

  // The text of ROMIO's hint file, a rule for every file: lines "key value", '#' in the first column starts a
  // comment, lines of more or fewer words are skipped, of a key that comes twice the first line counts, and
  // nothing is complained of: all as ROMIO reads it (adio/common/system_hints.c).
  void parse_romio_file(std::string_view text);

  [[nodiscard]] bool empty() const { return count_ == 0; }

  // The value of `key` (in any spelling) for `path`; empty: no rule.
  [[nodiscard]] std::string_view find(std::string_view path, std::string_view key) const;

  // Calls visit(key, value) for every key that some rule sets for `path`, the last value of each.
  template <class Visit>
  void for_each(std::string_view path, Visit visit) const {
    for (std::size_t i = 0; i < count_; ++i) {
      if (is_last_match(i, path)) visit(hints_[i].key, hints_[i].value);
    }
  }

 private:
  struct Input;  // what is being parsed, for the warnings
  void parse_line(const Input& input, std::string_view line);
  void parse_rule(const Input& input, std::string_view rule);
  void parse_hint(const Input& input, std::string_view glob, std::string_view part);
  [[nodiscard]] bool is_last_match(std::size_t index, std::string_view path) const;

  std::size_t count_ = 0;
  std::array<RuleHint, kMost> hints_;
};

// Keys that some MPI-IO library is known to read; others are passed on with a warning (they may be right
// for a library that we do not know).
[[nodiscard]] bool is_known_key(std::string_view key);
[[nodiscard]] std::string_view nearest_known_key(std::string_view key);  // for "did you mean"; may be empty

// "4M", "1MiB", "65536" -> bytes (units are powers of 1024); false when it is no size.
bool parse_size(std::string_view text, std::uint64_t& bytes);

// "8", "-1", "all" -> a stripe count (kAllTargets for the last two); false when it is none.
bool parse_stripe_count(std::string_view text, std::uint32_t& count);

}  // namespace toto::hints
