// SPDX-License-Identifier: BSD-3-Clause
#include "core/config_file.h"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
#include <toml++/toml.h>

#include <cstring>

#include "core/fixed_string.h"
#include "core/keep.h"
#include "core/log.h"
#include "core/read_file.h"

namespace toto::config {

void read_config_file(std::string_view path, void (*take)(std::string_view name, std::string_view text)) {
  std::string_view text;
  if (const int error = read_file(path, text); error != 0) {
    log::warn(log::Line("TOTO_CONFIG=\"").add(path).add("\" cannot be read (").add(strerrordesc_np(error)).add(
        "): the environment and the defaults are used"));
    return;
  }
  const toml::parse_result result = toml::parse(text);
  if (!result) {
    log::warn(log::Line("TOTO_CONFIG=\"").add(path).add("\" is no valid TOML (line ")
                  .add(result.error().source().begin.line).add(": ").add(result.error().description())
                  .add("): the environment and the defaults are used"));
    return;
  }
  for (const auto& [key, node] : result.table()) {
    FixedString<2048> value;
    if (const auto* string = node.as_string()) {
      value.add(string->get());
    } else if (const auto* number = node.as_integer()) {
      value.add(number->get());
    } else if (const auto* flag = node.as_boolean()) {
      value.add(flag->get() ? '1' : '0');
    } else {
      log::warn(log::Line("TOTO_CONFIG=\"").add(path).add("\": the value of ").add(key.str()).add(
          " is neither text, whole number nor true/false: it is left out"));
      continue;
    }
    take(key.str(), value);
  }
}

}  // namespace toto::config
