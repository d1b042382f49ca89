// SPDX-License-Identifier: BSD-3-Clause
#include "faults.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <utility>

namespace toto::stripefs {

namespace {

constexpr std::array<std::string_view, 7> kOperations = {"create",    "open",      "write",    "link",
                                                         "setlayout", "getlayout", "attribute"};

constexpr std::array<std::pair<std::string_view, int>, 18> kAnswers = {{
    {"NOOP", 0},
    {"EACCES", EACCES},
    {"EBUSY", EBUSY},
    {"EDQUOT", EDQUOT},
    {"EEXIST", EEXIST},
    {"EFBIG", EFBIG},
    {"EINVAL", EINVAL},
    {"EIO", EIO},
    {"EMLINK", EMLINK},
    {"ENODATA", ENODATA},
    {"ENOMEM", ENOMEM},
    {"ENOSPC", ENOSPC},
    {"ENOTTY", ENOTTY},
    {"EOPNOTSUPP", EOPNOTSUPP},
    {"EPERM", EPERM},
    {"ERANGE", ERANGE},
    {"EREMOTEIO", EREMOTEIO},
    {"EROFS", EROFS},
}};

}  // namespace

int Faults::Set(std::string_view text) {
  Faults wanted;
  wanted.text_ = text;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) return EINVAL;
    const std::string_view key = item.substr(0, equals);
    const std::string_view value = item.substr(equals + 1);
    if (key == "clip") {
      const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), wanted.clip_);
      if (error != std::errc() || stop != value.data() + value.size()) return EINVAL;
      continue;
    }
    const auto* const answer = std::find_if(kAnswers.begin(), kAnswers.end(),
                                            [&](const auto& known) { return known.first == value; });
    if (answer == kAnswers.end()) return EINVAL;
    if (std::find(kOperations.begin(), kOperations.end(), key) == kOperations.end()) return EINVAL;
    // Only a layout can be left out and nobody would notice at once.
    if (answer->second == 0 && key != "setlayout") return EINVAL;
    wanted.answers_.insert_or_assign(std::string(key), answer->second);
  }
  *this = std::move(wanted);
  return 0;
}

std::optional<int> Faults::Check(std::string_view operation) const {
  const auto found = answers_.find(operation);
  if (found == answers_.end()) return std::nullopt;
  return found->second;
}

}  // namespace toto::stripefs
