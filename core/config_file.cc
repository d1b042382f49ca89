// SPDX-License-Identifier: BSD-3-Clause
#include "core/config_file.h"

#include <cstring>

#include "core/log.h"
#include "core/read_file.h"
#include "core/toml.h"

namespace toto::config {
namespace {

// A file with an error anywhere counts for nothing: first looked through, then taken.
void ignore(const toml::Entry&, void*) {}

struct Taking {
  std::string_view path;
  void (*take)(std::string_view name, std::string_view text);
};
void take_entry(const toml::Entry& entry, void* context) {
  const auto& taking = *static_cast<const Taking*>(context);
  if (entry.kind == toml::Kind::kOther) {
    log::warn(log::Line("TOTO_CONFIG=\"")
                  .add(taking.path)
                  .add("\": the value of ")
                  .add(entry.key)
                  .add(" is neither text, whole number nor true/false: it is left out"));
    return;
  }
  taking.take(entry.key, entry.value);
}

}  // namespace

void read_config_file(std::string_view path, void (*take)(std::string_view name, std::string_view text)) {
  std::string_view text;
  if (const int error = read_file(path, text); error != 0) {
    log::warn(log::Line("TOTO_CONFIG=\"")
                  .add(path)
                  .add("\" cannot be read (")
                  .add(strerrordesc_np(error))
                  .add("): the environment and the defaults are used"));
    return;
  }
  if (const toml::Error error = toml::parse(text, ignore, nullptr); !error.what.empty()) {
    log::warn(log::Line("TOTO_CONFIG=\"")
                  .add(path)
                  .add("\" is no valid TOML (line ")
                  .add(error.line)
                  .add(": ")
                  .add(error.what)
                  .add("): the environment and the defaults are used"));
    return;
  }
  Taking taking{.path = path, .take = take};
  toml::parse(text, take_entry, &taking);
}

}  // namespace toto::config
