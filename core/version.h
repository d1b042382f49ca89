// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace toto {
inline constexpr std::string_view kVersion = TOTO_VERSION;  // from CMakeLists.txt
}
