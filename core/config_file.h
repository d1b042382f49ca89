// SPDX-License-Identifier: BSD-3-Clause
// The TOML file of TOTO_CONFIG: top-level keys with the settings' names, strings, whole numbers or booleans.
#pragma once

#include <string_view>

namespace toto::config {

// Calls take(name, value as text) for each key, in the file's order. A file that cannot be read or parsed is
// one warning, and none of its values are taken.
void read_config_file(std::string_view path, void (*take)(std::string_view name, std::string_view text));

}  // namespace toto::config
