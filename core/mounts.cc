// SPDX-License-Identifier: BSD-3-Clause
#include "core/mounts.h"

#include <array>
#include <limits>

#include "core/path.h"
#include "core/sys.h"

namespace toto::mounts {
namespace {

// A line, byte by byte, so that it need not be held anywhere:
//   36 35 98:0 /root /mnt/point rw,noatime shared:1 master:2 - ext3 /dev/source rw,errors=continue
class LineParser {
 public:
  void feed(char c) {
    if (c == ' ') {
      end_field();
    } else {
      ++state_.length;
      take(c);
    }
  }

  // The line is over: true when it was a mount. clear() makes ready for the next line.
  bool end() {
    end_field();
    return state_.field > kSource && !state_.bad && !mount_.point.truncated() && !mount_.type.truncated();
  }
  [[nodiscard]] const Mount& mount() const { return mount_; }
  void clear() {
    mount_.point.clear();
    mount_.type.clear();
    mount_.source.clear();
    state_ = State();
  }

 private:
  enum Field : std::uint8_t {
    kId,
    kParent,
    kDevice,
    kRoot,
    kPoint,
    kOptions,
    kOptional,
    kType,
    kSource,
    kRest
  };

  void take(char c) {
    switch (state_.field) {
      case kId:
      case kParent:
        state_.bad = state_.bad || !is_digit(c);
        break;
      case kDevice:
        take_device(c);
        break;
      case kPoint:
        state_.bad = state_.bad || (state_.length == 1 && c != '/');
        unescape(c, mount_.point);
        break;
      case kOptional:
        // Any number of optional fields; a lone '-' ends them.
        state_.dash = state_.length == 1 && c == '-';
        break;
      case kType:
        unescape(c, mount_.type);
        break;
      case kSource:
        unescape(c, mount_.source);
        break;
      default:
        break;
    }
  }

  void end_field() {
    switch (state_.field) {
      case kDevice:
        state_.bad = state_.bad || !state_.colon || state_.digits == 0;
        mount_.device = device_key(state_.major, state_.number);
        break;
      case kPoint:
        flush_escape(mount_.point);
        break;
      case kType:
        flush_escape(mount_.type);
        break;
      case kSource:
        flush_escape(mount_.source);
        break;
      default:
        break;
    }
    // Only a source may be empty.
    state_.bad = state_.bad || (state_.length == 0 && state_.field < kSource && state_.field != kOptional);
    const bool stays = state_.field == kRest || (state_.field == kOptional && !state_.dash);
    if (!stays) state_.field = static_cast<Field>(state_.field + 1);
    state_.length = 0;
    state_.dash = false;
  }

  void take_device(char c) {
    if (c == ':' && !state_.colon && state_.digits > 0) {
      state_.colon = true;
      state_.major = state_.number;
      state_.number = 0;
      state_.digits = 0;
    } else if (is_digit(c) && ++state_.digits <= 9) {
      state_.number = state_.number * 10 + static_cast<std::uint32_t>(c - '0');
    } else {
      state_.bad = true;
    }
  }

  // The kernel writes blanks, line ends, '\' and '#' as a backslash and three octal digits.
  template <std::size_t N>
  void unescape(char c, FixedString<N>& out) {
    const bool octal = c >= '0' && c <= '7' && (state_.escaped != 1 || c <= '3');
    if (state_.escaped > 0 && octal) {
      state_.escape[state_.escaped++] = c;
      if (state_.escaped == state_.escape.size()) {
        const int value =
            (state_.escape[1] - '0') * 64 + (state_.escape[2] - '0') * 8 + (state_.escape[3] - '0');
        out.add(static_cast<char>(value));
        state_.escaped = 0;
      }
      return;
    }
    flush_escape(out);
    if (c == '\\') {
      state_.escape[state_.escaped++] = c;
    } else {
      out.add(c);
    }
  }
  // What began like an escape and is none stands for itself.
  template <std::size_t N>
  void flush_escape(FixedString<N>& out) {
    out.add(std::string_view(state_.escape.data(), state_.escaped));
    state_.escaped = 0;
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  struct State {
    Field field = kId;
    bool bad = false;
    bool dash = false;
    bool colon = false;
    std::uint32_t length = 0;  // of the field so far
    std::uint32_t digits = 0;  // of a device number
    std::uint32_t major = 0;
    std::uint32_t number = 0;
    std::uint32_t escaped = 0;  // bytes in `escape`
    std::array<char, 4> escape{};
  };

  Mount mount_;
  State state_;
};

struct Search {
  std::string_view path;
  std::uint64_t device = 0;
  std::optional<Mount> best;
  bool best_covers = false;
};

}  // namespace

std::optional<Mount> parse_line(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  LineParser parser;
  for (const char c : line) parser.feed(c);
  if (!parser.end()) return std::nullopt;
  return parser.mount();
}

bool for_each(Visitor visit, void* context, const char* table) {
  const sys::KeepErrno keep_errno;
  const sys::Fd fd(sys::open(table, O_RDONLY | O_CLOEXEC));
  if (!fd.ok()) return false;
  LineParser parser;
  bool inside = false;  // a line
  const auto end_line = [&] {
    if (parser.end()) visit(parser.mount(), context);
    parser.clear();
    inside = false;
  };
  std::array<char, 1024> chunk;
  for (;;) {
    const ssize_t size = sys::read(fd.get(), chunk.data(), chunk.size());
    if (size < 0) return false;
    if (size == 0) break;
    for (const char c : std::string_view(chunk.data(), static_cast<std::size_t>(size))) {
      if (c == '\n') {
        end_line();
      } else {
        parser.feed(c);
        inside = true;
      }
    }
  }
  if (inside) end_line();
  return true;
}

std::optional<Mount> of_device(std::uint64_t device, std::string_view path, const char* table) {
  Search search{.path = path, .device = device, .best = {}};
  const auto visit = [](const Mount& mount, void* context) {
    auto& found = *static_cast<Search*>(context);
    if (mount.device != found.device) return;
    const bool covers = path::is_below(found.path, mount.point);
    if (!covers && found.best_covers) return;
    found.best = mount;
    found.best_covers = covers;
  };
  for_each(visit, &search, table);
  return search.best;
}

std::optional<Mount> of_path(std::string_view path, const char* table) {
  Search search{.path = path, .device = 0, .best = {}};
  const auto visit = [](const Mount& mount, void* context) {
    auto& found = *static_cast<Search*>(context);
    if (!path::is_below(found.path, mount.point)) return;
    if (found.best && mount.point.size() < found.best->point.size()) return;
    found.best = mount;
  };
  for_each(visit, &search, table);
  return search.best;
}

}  // namespace toto::mounts
