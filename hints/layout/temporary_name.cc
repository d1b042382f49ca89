// SPDX-License-Identifier: BSD-3-Clause
#include "hints/layout/temporary_name.h"

#include <time.h>

#include <algorithm>
#include <climits>
#include <cstdint>

#include "core/sys.h"

namespace toto::layout {

bool temporary_name(std::string_view path, path::Path& out) {
  constexpr std::string_view kTag = ".toto-";
  constexpr std::size_t kLongestTail = kTag.size() + 10 + 1 + 16;  // a thread's number, '-', 64 bits
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const std::uint64_t time =
      static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);

  const std::string_view base = path::base_name(path);
  std::size_t kept = std::min<std::size_t>(base.size(), NAME_MAX - 1 - kLongestTail);
  // Not cut in the middle of a character of UTF-8, which some file systems refuse.
  const auto inside_character = [&] {
    return kept < base.size() && (static_cast<unsigned char>(base[kept]) & 0xC0) == 0x80;
  };
  while (kept > 0 && inside_character()) --kept;

  out = path.substr(0, path.size() - base.size());
  out.add('.').add(base.substr(0, kept)).add(kTag).add(sys::gettid()).add('-').add(time, 16);
  return !out.truncated();
}

}  // namespace toto::layout
