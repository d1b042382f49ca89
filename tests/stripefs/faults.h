// SPDX-License-Identifier: BSD-3-Clause
//
// Faults on demand, so that a client library's reactions can be tested: the text of the root's attribute
// "stripefs.fail", a list such as "setlayout=EACCES,create=EDQUOT,clip=2".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace toto::stripefs {

class Faults {
 public:
  // Replaces all faults; an empty text means none. 0, or EINVAL and nothing is changed.
  int Set(std::string_view text);

  const std::string& text() const { return text_; }

  // What to answer instead of doing the operation: an errno, or 0 for NOOP (claim success, do nothing).
  // Operations: create, open, write, link, setlayout, getlayout, attribute (layouts by attribute only).
  std::optional<int> Check(std::string_view operation) const;

  // The most stripes that any layout gets; 0: no limit.
  std::uint32_t clip() const { return clip_; }

 private:
  std::string text_;
  std::map<std::string, int, std::less<>> answers_;
  std::uint32_t clip_ = 0;
};

}  // namespace toto::stripefs
