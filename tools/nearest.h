// SPDX-License-Identifier: BSD-3-Clause
// "Did you mean": the candidate that a mistyped word is nearest to.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace toto::tools {

// The nearest by edits (insert, delete, change, swap of neighbours); empty when none is near.
[[nodiscard]] std::string nearest(std::string_view word, std::span<const std::string> candidates);

// " (did you mean X?)", or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace toto::tools
