// SPDX-License-Identifier: BSD-3-Clause
#include "core/config.h"

#include <charconv>

#include "core/config_file.h"
#include "core/fixed_string.h"
#include "core/keep.h"
#include "core/log.h"
#include "core/start_up.h"

extern char** environ;

namespace toto::config {
namespace {

struct Value {
  std::string_view text;
  SettingOrigin origin = SettingOrigin::kDefault;
};
constinit Settings current;
TOTO_SET_AT_START(values) constinit std::array<Value, kSettings.size()> values{};

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
TOTO_AT_START bool same_word(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

TOTO_AT_START bool parse_switch(std::string_view text, bool& out) {
  for (const std::string_view yes : {"1", "on", "yes", "true"}) {
    if (same_word(text, yes)) return out = true, true;
  }
  for (const std::string_view no : {"0", "off", "no", "false"}) {
    if (same_word(text, no)) return out = false, true;
  }
  return false;
}

TOTO_AT_START bool parse_number(std::string_view text, std::string_view range, std::int64_t& out) {
  const auto number = [](std::string_view digits, std::int64_t& value) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size() && !digits.empty();
  };
  std::int64_t least = 0, most = 0, value = 0;
  const std::size_t dots = range.find("..");
  if (!number(range.substr(0, dots), least) || !number(range.substr(dots + 2), most)) return false;
  if (!number(text, value) || value < least || value > most) return false;
  out = value;
  return true;
}

// The allowed word itself, so that "WARNING" is kept as "warning"; empty: none of them. The published
// tool's level name "WARN" is taken too.
TOTO_AT_START std::string_view parse_choice(std::string_view text, std::string_view allowed) {
  if (same_word(text, "warn")) text = "warning";
  while (!allowed.empty()) {
    const std::size_t bar = allowed.find('|');
    const std::string_view word = allowed.substr(0, bar);
    if (same_word(text, word)) return word;
    allowed.remove_prefix(bar == std::string_view::npos ? allowed.size() : bar + 1);
  }
  return {};
}

void store(const SettingInfo& info, std::string_view text, bool& member) {
  (void)info;
  parse_switch(text, member);
}
void store(const SettingInfo& info, std::string_view text, std::int64_t& member) {
  parse_number(text, info.allowed, member);
}
void store(const SettingInfo& info, std::string_view text, std::string_view& member) {
  member = info.kind == SettingKind::kChoice ? parse_choice(text, info.allowed) : text;
}

TOTO_AT_START void set(std::size_t index, std::string_view text) {
  std::size_t i = 0;
#define TOTO_X(member, kind, name, fallback, allowed, help) \
  if (i++ == index) store(kSettings[index], text, current.member);
  TOTO_SETTINGS(TOTO_X)
#undef TOTO_X
}

TOTO_AT_START void take(std::size_t index, std::string_view text, SettingOrigin origin) {
  const SettingInfo& info = kSettings[index];
  if (!accepts(info, text)) {
    log::Line line;
    line.add(info.name).add("=\"").add(text.substr(0, 120)).add("\" is not ");
    if (info.kind == SettingKind::kSwitch) line.add("0 or 1");
    if (info.kind == SettingKind::kNumber) line.add("a whole number in ").add(info.allowed);
    if (info.kind == SettingKind::kChoice) line.add("one of ").add(info.allowed);
    line.add(": ");
    if (values[index].origin == SettingOrigin::kDefault) {
      line.add("the default \"").add(info.fallback).add("\" is used");
    } else {
      line.add("\"").add(values[index].text).add("\" of the configuration file is used");
    }
    log::warn(line);
    return;
  }
  values[index] = Value{.text = keep_text(text), .origin = origin};
  set(index, values[index].text);
}

TOTO_AT_START std::size_t index_of(std::string_view name) {
  for (std::size_t i = 0; i < kSettings.size(); ++i) {
    if (kSettings[i].name == name) return i;
  }
  return kSettings.size();
}

void take_from_file(std::string_view name, std::string_view text) {
  if (const std::size_t index = index_of(name); index < kSettings.size()) {
    take(index, text, SettingOrigin::kFile);
    return;
  }
  log::warn(log::Line("TOTO_CONFIG: unknown name \"").add(name).add("\" in the file: it is left out"));
}

TOTO_AT_START void take_environment() {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (!text.starts_with("TOTO_")) continue;
    const std::size_t equal = text.find('=');
    if (equal == std::string_view::npos) continue;
    const std::size_t index = index_of(text.substr(0, equal));
    const std::string_view value = text.substr(equal + 1);
    if (index < kSettings.size() && !value.empty()) take(index, value, SettingOrigin::kEnvironment);
  }
}

TOTO_AT_START bool any_in_environment() {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    if (std::string_view(*entry).starts_with("TOTO_")) return true;
  }
  return false;
}

TOTO_AT_START void apply_log_settings() {
  constexpr std::array<std::string_view, 5> kLevels{"off", "error", "warning", "info", "debug"};
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    if (current.log_level == kLevels[i]) log::set_level(static_cast<log::Level>(i));
  }
  log::set_target(current.logs_folder, current.log_to_stdout);
}

}  // namespace

TOTO_AT_START bool accepts(const SettingInfo& info, std::string_view text) {
  bool flag = false;
  std::int64_t number = 0;
  switch (info.kind) {
    case SettingKind::kSwitch:
      return parse_switch(text, flag);
    case SettingKind::kNumber:
      return parse_number(text, info.allowed, number);
    case SettingKind::kChoice:
      return !parse_choice(text, info.allowed).empty();
    case SettingKind::kText:
      return true;
  }
  return false;
}

namespace {
TOTO_AT_START void load_all() {
  // Where messages go must be known before the first one: these come first, without a word.
  for (const std::string_view name :
       {"TOTO_LOG_LEVEL", "TOTO_LOGS_FOLDER", "TOTO_LOG_TO_STDOUT", "TOTO_CONFIG"}) {
    for (char** entry = environ; *entry != nullptr; ++entry) {
      const std::string_view text(*entry);
      if (!text.starts_with(name) || text.substr(name.size(), 1) != "=") continue;
      const std::size_t index = index_of(name);
      const std::string_view value = text.substr(name.size() + 1);
      if (!value.empty() && accepts(kSettings[index], value)) set(index, keep_text(value));
    }
  }
  apply_log_settings();
  if (!current.config.empty()) read_config_file(current.config, take_from_file);
  take_environment();
  apply_log_settings();
}
}  // namespace

TOTO_AT_START void load() {
  if (any_in_environment()) load_all();
}

TOTO_AT_START const Settings& settings() { return current; }

TOTO_AT_START bool wants_report() {
  return !current.logs_folder.empty() || !current.report.empty() || current.summary;
}

SettingOrigin origin(std::string_view name) {
  const std::size_t index = index_of(name);
  return index < kSettings.size() ? values[index].origin : SettingOrigin::kDefault;
}

std::string_view value(std::string_view name) {
  const std::size_t index = index_of(name);
  if (index == kSettings.size()) return {};
  return values[index].origin == SettingOrigin::kDefault ? kSettings[index].fallback : values[index].text;
}

}  // namespace toto::config
