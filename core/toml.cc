// SPDX-License-Identifier: BSD-3-Clause
#include "core/toml.h"

#include <algorithm>
#include <charconv>

namespace toto::toml {
namespace {

constexpr bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  }

  Error run(Take give, void* context) {
    bool top = true;  // keys of a table are not ours
    for (;;) {
      skip_blank_lines();
      if (rest_.empty()) return error_;
      if (rest_.front() == '[') {
        top = false;
        if (!skip_table_header()) return error_;
        continue;
      }
      Entry entry;
      if (!read_key(entry.key) || !read_value(entry) || !end_of_line()) return error_;
      if (top) give(entry, context);
    }
  }

 private:
  bool fail(std::string_view what) {
    if (error_.what.empty()) error_ = Error{.line = line_, .what = what};
    return false;
  }
  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  char next() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    if (c == '\n') ++line_;
    return c;
  }
  void skip_spaces() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
  }
  void skip_comment() {
    if (rest_.empty() || rest_.front() != '#') return;
    rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
  }
  void skip_blank_lines() {
    for (;;) {
      skip_spaces();
      skip_comment();
      if (!take_newline()) return;
    }
  }
  bool take_newline() {
    if (!take("\n") && !take("\r\n")) return false;
    ++line_;
    return true;
  }
  bool end_of_line() {
    skip_spaces();
    skip_comment();
    return rest_.empty() || take_newline() || fail("something follows the value");
  }
  bool skip_table_header() {
    const std::string_view head = rest_.substr(0, rest_.find('\n'));
    if (head.find(']') == std::string_view::npos) return fail("a table's name without its end");
    rest_.remove_prefix(head.size());
    return true;
  }

  bool read_key(FixedString<128>& key) {
    for (;;) {  // dotted keys become "a.b": no setting is called so
      Value part;
      if (!rest_.empty() && (rest_.front() == '"' || rest_.front() == '\'')) {
        if (!read_string(part)) return false;
        key.add(part);
      } else {
        std::size_t length = 0;
        while (length < rest_.size() && is_bare(rest_[length])) ++length;
        if (length == 0) return fail("no key");
        key.add(rest_.substr(0, length));
        rest_.remove_prefix(length);
      }
      skip_spaces();
      if (!take(".")) break;
      key.add('.');
      skip_spaces();
    }
    if (!take("=")) return fail("no \"=\" after the key");
    skip_spaces();
    return true;
  }

  bool read_value(Entry& entry) {
    if (rest_.empty() || rest_.front() == '\n' || rest_.front() == '\r') return fail("no value");
    const char c = rest_.front();
    if (c == '"' || c == '\'') {
      entry.kind = Kind::kString;
      return read_string(entry.value);
    }
    if (c == '[' || c == '{') return skip_brackets();
    std::size_t length = 0;
    while (length < rest_.size() &&
           std::string_view(" \t\r\n#").find(rest_[length]) == std::string_view::npos)
      ++length;
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    if (word == "true" || word == "false") {
      entry.kind = Kind::kBoolean;
      entry.value = word;
      return true;
    }
    return read_integer(word, entry) || is_other(word) ||
           fail("a value that is no string, number, true or false");
  }

  // Decimal, with a sign and '_' between digits; no leading zeros.
  static bool read_integer(std::string_view word, Entry& entry) {
    std::string_view digits = word;
    if (digits.starts_with('+') || digits.starts_with('-')) digits.remove_prefix(1);
    if (digits.empty() || (digits.size() > 1 && digits.front() == '0')) return false;
    if (word.front() == '-') entry.value.add('-');
    bool digit_before = false;
    for (const char c : digits) {
      if (c != '_' && !is_digit(c)) return false;
      if (c == '_' && !digit_before) return false;
      digit_before = is_digit(c);
      if (digit_before) entry.value.add(c);
    }
    if (!digit_before) return false;
    entry.kind = Kind::kInteger;
    return true;
  }
  // Floats, dates, hexadecimal numbers: TOML, but no setting has such a value.
  static bool is_other(std::string_view word) {
    if (word.starts_with('+') || word.starts_with('-')) word.remove_prefix(1);
    if (word == "inf" || word == "nan") return true;
    // Digits and '_' alone would be a decimal integer, and were not a good one.
    return !word.empty() && is_digit(word.front()) &&
           word.find_first_not_of("0123456789_") != std::string_view::npos;
  }
  bool skip_brackets() {
    int depth = 0;
    do {
      if (rest_.empty()) return fail("a list or table without its end");
      if (rest_.front() == '"' || rest_.front() == '\'') {
        Value ignored;
        if (!read_string(ignored)) return false;
        continue;
      }
      if (rest_.front() == '#') {
        skip_comment();
        continue;
      }
      const char c = next();
      if (c == '[' || c == '{') ++depth;
      if (c == ']' || c == '}') --depth;
    } while (depth > 0);
    return true;
  }

  bool read_string(Value& out) {
    const bool literal = rest_.front() == '\'';
    const std::string_view triple = literal ? "'''" : "\"\"\"";
    const bool long_form = take(triple);
    if (!long_form) rest_.remove_prefix(1);
    if (long_form) take_newline();  // the first one is not part of the text
    const char quote = literal ? '\'' : '"';
    for (;;) {
      if (rest_.empty() || (!long_form && rest_.front() == '\n')) return fail("a string without its end");
      if (long_form ? rest_.starts_with(triple) : rest_.front() == quote) {
        rest_.remove_prefix(long_form ? 3 : 1);
        // Up to two quotes may stand right before the closing three.
        for (int i = 0; long_form && i < 2 && rest_.starts_with(quote); ++i) out.add(next());
        break;
      }
      if (!literal && rest_.front() == '\\') {
        rest_.remove_prefix(1);
        if (!read_escape(out, long_form)) return false;
        continue;
      }
      out.add(next());
    }
    return !out.truncated() || fail("a string of more than 4096 bytes");
  }

  bool read_escape(Value& out, bool long_form) {
    if (rest_.empty()) return fail("a string without its end");
    constexpr std::string_view kNames = "btnfr\"\\";
    constexpr std::string_view kBytes = "\b\t\n\f\r\"\\";
    const char c = rest_.front();
    if (const std::size_t at = kNames.find(c); at != std::string_view::npos) {
      rest_.remove_prefix(1);
      out.add(kBytes[at]);
      return true;
    }
    if (c == 'u' || c == 'U') return read_code_point(out, c == 'u' ? 4 : 8);
    // A backslash at the end of a line swallows the white space up to the next text.
    std::string_view ahead = rest_;
    while (!ahead.empty() && (ahead.front() == ' ' || ahead.front() == '\t' || ahead.front() == '\r'))
      ahead.remove_prefix(1);
    if (long_form && ahead.starts_with('\n')) {
      while (!rest_.empty() && std::string_view(" \t\r\n").find(rest_.front()) != std::string_view::npos)
        next();
      return true;
    }
    return fail("an unknown escape in a string");
  }

  bool read_code_point(Value& out, std::size_t digits) {
    rest_.remove_prefix(1);
    if (rest_.size() < digits) return fail("an unfinished \\u in a string");
    std::uint32_t code = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + digits, code, 16);
    if (error != std::errc() || end != rest_.data() + digits || code > 0x10FFFF ||
        (code >= 0xD800 && code < 0xE000)) {
      return fail("a \\u in a string that is no character");
    }
    rest_.remove_prefix(digits);
    const auto byte = [&](std::uint32_t value) {
      out.add(static_cast<char>(static_cast<unsigned char>(value)));
    };
    if (code < 0x80) {
      byte(code);
    } else if (code < 0x800) {
      byte(0xC0 | code >> 6);
      byte(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
      byte(0xE0 | code >> 12);
      byte(0x80 | (code >> 6 & 0x3F));
      byte(0x80 | (code & 0x3F));
    } else {
      byte(0xF0 | code >> 18);
      byte(0x80 | (code >> 12 & 0x3F));
      byte(0x80 | (code >> 6 & 0x3F));
      byte(0x80 | (code & 0x3F));
    }
    return true;
  }

  std::string_view rest_;
  int line_ = 1;
  Error error_;
};

}  // namespace

Error parse(std::string_view text, Take take, void* context) { return Reader(text).run(take, context); }

}  // namespace toto::toml
