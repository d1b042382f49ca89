// SPDX-License-Identifier: BSD-3-Clause
#include "core/path.h"

#include "core/start_up.h"
#include "core/sys.h"

namespace toto::path {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Appends the parts of `text` to `out`, folding "//", "." and "..".
TOTO_AT_START void add_parts(std::string_view text, Path& out) {
  while (!text.empty()) {
    const std::size_t slash = text.find('/');
    const std::string_view part = text.substr(0, slash);
    text.remove_prefix(slash == std::string_view::npos ? text.size() : slash + 1);
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      const std::size_t cut = out.view().rfind('/');
      out.resize_down(cut == std::string_view::npos ? 0 : cut);
      continue;
    }
    out.add('/').add(part);
  }
}

// One bracket expression "[a-z]" or "[!a-z]" at the start of `pattern`; its length, or 0 when unfinished.
std::size_t bracket(std::string_view pattern, char c, bool& matches) {
  std::size_t i = 1;
  const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  bool found = false;
  for (bool first = true; i < pattern.size(); first = false) {
    if (pattern[i] == ']' && !first) {
      matches = found != negated;
      return i + 1;
    }
    char last = pattern[i];
    if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
      last = pattern[i + 2];
      found = found || (pattern[i] <= c && c <= last);
      i += 3;
    } else {
      found = found || last == c;
      ++i;
    }
  }
  return 0;
}

// Iterative with one point of return, so that many '*' cost at most pattern x text.
bool match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0;
  std::size_t star = std::string_view::npos, star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
      continue;
    }
    bool same = false;
    std::size_t width = 1;
    if (p < pattern.size()) {
      if (pattern[p] == '?') {
        same = true;
      } else if (pattern[p] == '[') {
        width = bracket(pattern.substr(p), text[t], same);
        if (width == 0) {  // no closing bracket: an ordinary character
          width = 1;
          same = text[t] == '[';
        }
      } else {
        same = pattern[p] == text[t];
      }
    }
    if (same) {
      p += width;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view folder(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return slash == 0 ? path.substr(0, 1) : path.substr(0, slash);
}

TOTO_AT_START bool absolute(int dir, std::string_view path, Path& out) {
  if (is_plain(path)) {
    out = path;
    return true;
  }
  out.clear();
  if (path.empty()) return false;
  if (path.front() != '/') {
    const sys::KeepErrno keep;
    std::array<char, kMaxPath + 1> buffer;
    ssize_t length;
    if (dir == AT_FDCWD) {
      length = sys::getcwd(buffer.data(), buffer.size());
    } else {
      FixedString<40> link("/proc/self/fd/");
      link.add(dir);
      length = sys::readlinkat(AT_FDCWD, link.c_str(), buffer.data(), buffer.size());
    }
    // A working directory out of reach reads "(unreachable)/..."; one that is gone ends in " (deleted)".
    if (length <= 0 || buffer[0] != '/') return false;
    out.add(std::string_view(buffer.data(), static_cast<std::size_t>(length)));
    if (out.size() == 1) out.clear();
  }
  add_parts(path, out);
  if (out.empty()) out.add('/');
  return !out.truncated();
}

bool is_only_lexical(std::string_view path) {
  if (path.ends_with('/') || path.ends_with("/.") || path == ".") return true;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    if (path.substr(0, slash) == "..") return true;
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  }
  return false;
}

bool is_below(std::string_view path, std::string_view prefix) {
  while (prefix.size() > 1 && prefix.back() == '/') prefix.remove_suffix(1);
  if (prefix == "/") return path.starts_with('/');
  return path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '/');
}

Family family(std::string_view path) {
  // The end of a long path tells more than its start: `skip` is what goes of the start. (No buffer for a
  // whole path: this is called at the end of threads with small stacks, too.)
  constexpr std::size_t kMost = 255;
  std::size_t skip = 0;
  bool in_digits = false;
  if (path.size() > kMost) {
    std::size_t length = 0;
    for (const char c : path) {
      length += is_digit(c) && in_digits ? 0U : 1U;
      in_digits = is_digit(c);
    }
    skip = length > kMost ? length - kMost : 0;
    in_digits = false;
  }
  std::array<char, kMost + 1> text;  // NOLINT: only what is written is read
  std::size_t length = 0;
  // Almost without a branch: names are no pattern that a processor could learn.
  for (const char c : path) {
    const bool digit = is_digit(c);
    const bool repeated = digit && in_digits;
    in_digits = digit;
    if (skip > 0) [[unlikely]] {
      skip -= repeated ? 0 : 1;
      continue;
    }
    text[length] = digit ? '#' : c;
    length += repeated ? 0 : 1;
  }
  return Family(std::string_view(text.data(), length));
}

std::string_view romio_prefix(std::string_view path) {
  // ROMIO takes a prefix only when the ':' comes after the second character (so "c:" is none), and a '/'
  // before it means that it is part of a file's name.
  const std::size_t colon = path.find(':');
  if (colon == std::string_view::npos || colon < 2 || path.find('/') < colon) return {};
  for (const char c : path.substr(0, colon)) {
    if (c < 'a' || c > 'z') return {};
  }
  return path.substr(0, colon + 1);
}

bool is_mpi_scratch(std::string_view path) {
  const std::string_view base = base_name(path);
  const auto all_digits = [](std::string_view text) {
    if (text.empty()) return false;
    for (const char c : text) {
      if (!is_digit(c)) return false;
    }
    return true;
  };
  if (const std::size_t lock = base.rfind(".locktest."); lock != std::string_view::npos) {
    return all_digits(base.substr(lock + 10));
  }
  if (base.starts_with(".commonfstest.")) return true;
  if (base.starts_with('.') && base.find(".shfp.") != std::string_view::npos) return true;
  return base.find("_cid-") != std::string_view::npos && base.ends_with(".sm");
}

bool glob_matches(std::string_view pattern, std::string_view path) {
  if (pattern.find('/') == std::string_view::npos) return match(pattern, base_name(path));
  return match(pattern, path);
}

std::uint64_t hash(std::string_view text) {
  // Eight bytes at a time, as wyhash mixes them: the product's upper half folded into its lower.
  constexpr std::uint64_t kOdd = 0x9e37'79b9'7f4a'7c15, kOther = 0xd6e8'feb8'6659'fd93;
  __extension__ using Wide = unsigned __int128;
  const auto mix = [](std::uint64_t a, std::uint64_t b) {
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  };
  std::uint64_t h = kOdd ^ text.size();
  while (!text.empty()) {
    std::uint64_t word = 0;
    const std::size_t taken = std::min(text.size(), sizeof word);
    std::memcpy(&word, text.data(), taken);
    h = mix(h ^ word, kOther);
    text.remove_prefix(taken);
  }
  h = mix(h, kOdd);
  return h == 0 ? 1 : h;
}

}  // namespace toto::path
