// SPDX-License-Identifier: BSD-3-Clause
#include "hints/rules.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "core/path.h"
#include "hints/layout/components.h"
#include "hints/mpi_keys.h"

namespace toto::hints {
namespace {

using Message = FixedString<420>;

// A part as it was written, long ones cut so that what follows is still read.
class Quoted : public FixedString<96> {
 public:
  explicit Quoted(std::string_view part) {
    constexpr std::size_t kMostShown = 80;
    add('"').add(part.substr(0, kMostShown)).add(part.size() > kMostShown ? "...\"" : "\"");
  }
};

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// A '#' inside a word belongs to a file's name.
std::string_view without_comment(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t')) return line.substr(0, i);
  }
  return line;
}

// Calls visit(part) for the parts of `text` between separators; an empty text has one empty part.
template <class Visit>
void split(std::string_view text, char separator, Visit visit) {
  for (;;) {
    const std::size_t end = text.find(separator);
    visit(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

template <class Number>
bool parse_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

// What is expected of a value, for the warning; empty: the value is good.
std::string_view complaint(ValueKind kind, std::string_view value) {
  std::uint64_t bytes = 0;
  std::uint32_t count = 0;
  switch (kind) {
    case ValueKind::kText:
      return {};
    case ValueKind::kCount:
      return parse_number(value, count) && count > 0 ? "" : "a number above 0 is expected";
    case ValueKind::kStripeCount:
      return parse_stripe_count(value, count) ? ""
                                              : "a number, or -1 or \"all\" for every target, is expected";
    case ValueKind::kSize:
      return parse_size(value, bytes) && bytes > 0 ? "" : "a size is expected, such as 1048576 or 4M";
    case ValueKind::kStripeSize:
      return parse_size(value, bytes) ? "" : "a size is expected, such as 1048576 or 4M";
    case ValueKind::kSwitch:
      return same_word(value, "enable") || same_word(value, "disable") || same_word(value, "automatic")
                 ? ""
                 : "enable, disable or automatic is expected";
    case ValueKind::kBoolean:
      return same_word(value, "true") || same_word(value, "false") ? "" : "true or false is expected";
    case ValueKind::kComponents:
      return layout::parse_components(value)
                 ? ""
                 : "components are expected, such as 1@64M+8x4M@10G+all@eof (stripes x size @ end)";
  }
  return {};
}

// Edits (insert, delete, replace a letter) between two words, letters of either case being the same.
std::size_t distance(std::string_view a, std::string_view b) {
  constexpr std::size_t kLongest = 48;
  if (a.size() > kLongest || b.size() > kLongest) return kLongest;
  std::array<std::size_t, kLongest + 1> row{};
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

struct Rules::Input {
  std::string_view setting;
  Warn warn;

  void complain(std::string_view part, std::string_view what) const {
    if (warn != nullptr) warn(Message(setting).add(": ").add(Quoted(part)).add(": ").add(what));
  }
  void complain(std::string_view glob, std::string_view part, std::string_view what) const {
    if (warn == nullptr) return;
    warn(Message(setting)
             .add(": ")
             .add(Quoted(part))
             .add(" of the rule for ")
             .add(Quoted(glob))
             .add(": ")
             .add(what));
  }
};

void Rules::parse(std::string_view setting, std::string_view text, Warn warn) {
  count_ = 0;
  const Input input{setting, warn};
  split(text, '\n', [&](std::string_view raw) {
    const std::string_view line = trim(without_comment(raw));
    if (!line.empty()) parse_line(input, line);
  });
}

void Rules::parse_line(const Input& input, std::string_view line) {
  split(line, ',', [&](std::string_view raw) {
    const std::string_view rule = trim(raw);
    if (rule.empty()) {
      input.complain(line, "nothing between two commas or at an end; the empty part is left out");
    } else {
      parse_rule(input, rule);
    }
  });
}

void Rules::parse_rule(const Input& input, std::string_view rule) {
  const std::size_t colon = rule.find(':');
  const std::string_view glob = trim(rule.substr(0, colon));
  if (colon == std::string_view::npos) {
    input.complain(rule,
                   rule.find('=') == std::string_view::npos
                       ? "a pattern without hints (pattern:key=value); it is left out"
                       : "a hint without a pattern (pattern:key=value; hints of one pattern are separated "
                         "by ':', rules by ','); it is left out");
    return;
  }
  if (glob.empty()) {
    input.complain(rule, "no pattern before the first ':' ('*' is for every file); the rule is left out");
    return;
  }
  split(rule.substr(colon + 1), ':', [&](std::string_view raw) { parse_hint(input, glob, trim(raw)); });
}

void Rules::parse_hint(const Input& input, std::string_view glob, std::string_view part) {
  const std::size_t equals = part.find('=');
  if (part.empty()) {
    input.complain(glob, part, "nothing where key=value is expected; it is left out");
    return;
  }
  if (equals == std::string_view::npos) {
    // The one value with a ':' of its own: cb_config_list=*:4.
    RuleHint* last = count_ > 0 ? &hints_[count_ - 1] : nullptr;
    if (last != nullptr && last->glob.data() == glob.data() && last->key == "cb_config_list" &&
        last->value.data() + last->value.size() + 1 == part.data()) {
      last->value = {last->value.data(), last->value.size() + 1 + part.size()};
    } else if (part != glob) {  // some repeat the pattern before each hint
      input.complain(glob, part, "no '=' where key=value is expected; it is left out");
    }
    return;
  }
  const std::string_view key = trim(part.substr(0, equals));
  const std::string_view value = trim(part.substr(equals + 1));
  if (key.empty() || value.empty()) {
    input.complain(glob, part,
                   key.empty() ? "no key before '='; it is left out" : "no value after '='; it is left out");
    return;
  }
  if (value.find_first_of(";=") != std::string_view::npos) {
    input.complain(glob, part,
                   "';' or '=' in a value (rules are separated by ',', hints by ':'); it is left out");
    return;
  }
  const MpiKey* known = find_key(key);
  if (known != nullptr) {
    const std::string_view wrong = complaint(known->kind, value);
    if (!wrong.empty()) {
      input.complain(glob, part, Message(wrong).add(", not ").add(Quoted(value)).add("; it is left out"));
      return;
    }
  } else {
    Message what("no MPI-IO library is known to read this key; it is passed on as it is");
    const std::string_view near = nearest_known_key(key);
    if (!near.empty()) what.add("; did you mean \"").add(near).add("\"?");
    input.complain(glob, part, what);
  }
  if (count_ == kMost) {
    input.complain(glob, part, Message("more than ").add(kMost).add(" hints; it is left out"));
    return;
  }
  hints_[count_++] = {.glob = glob, .key = known != nullptr ? known->key.view() : key, .value = value};
}

void Rules::parse_romio_file(std::string_view text) {
  constexpr std::size_t kMostRead = 4096;  // ROMIO's HINTFILE_MAX
  constexpr std::string_view kBlank = " \t\r";
  count_ = 0;
  split(text.substr(0, kMostRead), '\n', [&](std::string_view line) {
    if (line.starts_with('#')) return;
    const std::string_view words = trim(line);
    const std::size_t end = words.find_first_of(kBlank);
    if (end == std::string_view::npos) return;
    const std::string_view key = canonical(words.substr(0, end));
    const std::string_view value = trim(words.substr(end));
    if (value.find_first_of(kBlank) != std::string_view::npos) return;
    const bool seen = std::any_of(hints_.begin(), hints_.begin() + static_cast<std::ptrdiff_t>(count_),
                                  [&](const RuleHint& hint) { return hint.key == key; });
    if (!seen && count_ < kMost) hints_[count_++] = {.glob = "*", .key = key, .value = value};
  });
}

std::string_view Rules::find(std::string_view path, std::string_view key) const {
  const std::string_view wanted = canonical(key);
  for (std::size_t i = count_; i-- > 0;) {
    if (hints_[i].key == wanted && path::glob_matches(hints_[i].glob, path)) return hints_[i].value;
  }
  return {};
}

bool Rules::is_last_match(std::size_t index, std::string_view path) const {
  if (!path::glob_matches(hints_[index].glob, path)) return false;
  for (std::size_t i = index + 1; i < count_; ++i) {
    if (hints_[i].key == hints_[index].key && path::glob_matches(hints_[i].glob, path)) return false;
  }
  return true;
}

bool is_known_key(std::string_view key) { return find_key(key) != nullptr; }

std::string_view nearest_known_key(std::string_view key) {
  // More than a third of the letters wrong is no slip of the finger.
  std::size_t best = std::min<std::size_t>(3, key.size() / 3) + 1;
  std::string_view nearest;
  for (const MpiKey& known : known_keys()) {
    for (const std::string_view spelling : known.spellings()) {
      if (spelling.empty()) continue;
      const std::size_t edits = distance(key, spelling);
      if (edits < best) {
        best = edits;
        nearest = spelling;
      }
    }
  }
  return nearest;
}

bool parse_size(std::string_view text, std::uint64_t& bytes) {
  std::uint64_t number = 0;
  const char* const stop = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), stop, number);
  if (error != std::errc{}) return false;
  std::string_view unit(end, static_cast<std::size_t>(stop - end));

  int shift = 0;
  if (!unit.empty() && lower(unit.front()) != 'b') {
    constexpr std::string_view kUnits = "kmgtp";
    const std::size_t index = kUnits.find(lower(unit.front()));
    if (index == std::string_view::npos) return false;
    shift = 10 * static_cast<int>(index + 1);
    unit.remove_prefix(1);
    if (!unit.empty() && lower(unit.front()) == 'i') unit.remove_prefix(1);
  }
  if (!unit.empty() && !same_word(unit, "b")) return false;
  if (number > std::numeric_limits<std::uint64_t>::max() >> shift) return false;
  bytes = number << shift;
  return true;
}

bool parse_stripe_count(std::string_view text, std::uint32_t& count) {
  if (text == "-1" || same_word(text, "all")) {
    count = kAllTargets;
    return true;
  }
  // Lustre keeps the count in 16 bits, where 0xffff stands for "all".
  std::uint32_t number = 0;
  if (!parse_number(text, number) || number >= 0xffff) return false;
  count = number;
  return true;
}

}  // namespace toto::hints
