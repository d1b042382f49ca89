// SPDX-License-Identifier: BSD-3-Clause
#include "tools/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "tools/failure.h"
#include "tools/nearest.h"
#include "tools/units.h"

namespace toto::tools {
namespace {

namespace po = boost::program_options;

constexpr std::string_view kPrefix = "TOTO_";
static_assert(std::all_of(kSettings.begin(), kSettings.end(),
                          [](const SettingInfo& setting) {
                            const std::string_view name = setting.name;
                            return name.starts_with(kPrefix) && name != "TOTO_MPI" &&
                                   name != "TOTO_LIBRARY" && name != "TOTO_PRINT" && name != "TOTO_HELP";
                          }),
              "a setting would hide an option of toto run itself");

const SettingInfo* setting_of(std::string_view option) {
  for (const SettingInfo& setting : kSettings) {
    if (option_name(setting.name) == option) return &setting;
  }
  return nullptr;
}

std::string value_name(const SettingInfo& setting) {
  switch (setting.kind) {
    case SettingKind::kSwitch:
      return "0|1";
    case SettingKind::kNumber:
      return "number";
    case SettingKind::kChoice:
      return std::string(setting.allowed.view());
    case SettingKind::kText:
      return "text";
  }
  return "text";
}

std::vector<std::string> all_names(const po::options_description& options) {
  std::vector<std::string> names;
  for (const auto& option : options.options()) names.push_back("--" + option->long_name());
  return names;
}

// One option with its value, taken from `words` at `next`, which is moved past it.
po::option take_option(const Words& words, std::size_t& next, const po::options_description& options) {
  const std::string& word = words[next++];
  const std::size_t equals = word.find('=');
  const std::string given = word == "-h" ? "--help" : word.substr(0, equals);
  const po::option_description* known =
      given.starts_with("--") ? options.find_nothrow(given.substr(2), false) : nullptr;
  if (known == nullptr) {
    throw Failure(kExitUsage, fmt::format("unknown option {}{}", printable(given),
                                          did_you_mean(given, all_names(options))));
  }
  const std::string name = known->long_name();
  const SettingInfo* setting = setting_of(name);
  const bool is_switch = setting != nullptr && setting->kind == SettingKind::kSwitch;
  std::optional<std::string> value;
  if (equals != std::string::npos) {
    value = word.substr(equals + 1);
  } else if (is_switch) {
    const bool follows =
        next < words.size() && !words[next].empty() && config::accepts(*setting, words[next]);
    value = follows ? words[next++] : "1";
  } else if (known->semantic()->max_tokens() > 0) {
    if (next == words.size() || words[next] == "--") {
      throw Failure(kExitUsage, fmt::format("--{} needs a value", name));
    }
    value = words[next++];
  }
  if (value && known->semantic()->max_tokens() == 0) {
    throw Failure(kExitUsage, fmt::format("--{} takes no value", name));
  }
  return {name, value ? Words{*value} : Words{}};
}

}  // namespace

std::string option_name(std::string_view variable) {
  if (variable.starts_with(kPrefix)) variable.remove_prefix(kPrefix.size());
  std::string name(variable);
  for (char& c : name) {
    if (c == '_') c = '-';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name;
}

std::string allowed_text(const SettingInfo& setting) {
  const std::string_view allowed = setting.allowed;
  switch (setting.kind) {
    case SettingKind::kSwitch:
      return "0 or 1 (also off or on, no or yes, false or true)";
    case SettingKind::kNumber: {
      const std::size_t dots = allowed.find("..");
      if (dots == std::string_view::npos) return "a whole number";
      return fmt::format("a whole number from {} to {}", allowed.substr(0, dots), allowed.substr(dots + 2));
    }
    case SettingKind::kChoice: {
      std::string text;
      std::string_view left = allowed;
      while (true) {
        const std::size_t bar = left.find('|');
        const std::string_view choice = left.substr(0, bar);
        const bool last = bar == std::string_view::npos;
        text += text.empty() ? "" : last ? " or " : ", ";
        text += choice;
        if (last) return text;
        left.remove_prefix(bar + 1);
      }
    }
    case SettingKind::kText:
      return "any text";
  }
  return "";
}

void add_settings(po::options_description& options) {
  for (const SettingInfo& setting : kSettings) {
    std::string help(setting.help);
    if (!setting.fallback.empty()) help += fmt::format(" (default: {})", setting.fallback.view());
    auto* value = po::value<std::string>()->value_name(value_name(setting));
    options.add_options()(option_name(setting.name).c_str(), value, help.c_str());
  }
}

std::vector<std::pair<std::string, std::string>> chosen_settings(const po::variables_map& values) {
  std::vector<std::pair<std::string, std::string>> chosen;
  for (const SettingInfo& setting : kSettings) {
    const std::string name = option_name(setting.name);
    if (values.count(name) == 0) continue;
    const auto& value = values[name].as<std::string>();
    if (!config::accepts(setting, value)) {
      throw Failure(kExitUsage, fmt::format("--{}: \"{}\" is not allowed; allowed: {}", name,
                                            printable(value), allowed_text(setting)));
    }
    chosen.emplace_back(setting.name.view(), value);
  }
  return chosen;
}

std::uint64_t whole_number(std::string_view option, const std::string& text, std::uint64_t least,
                           std::uint64_t most) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || number < least || number > most) {
    throw Failure(kExitUsage,
                  fmt::format("--{}: \"{}\" is not allowed; allowed: a whole number from {} to {}", option,
                              printable(text), least, most));
  }
  return number;
}

CommandLine read_command_line(const Words& words, const po::options_description& options, Rest rest) {
  CommandLine line;
  po::parsed_options parsed(&options);
  std::size_t next = 0;
  while (next < words.size()) {
    const std::string& word = words[next];
    if (word == "--") {
      ++next;
      break;
    }
    if (word.size() > 1 && word.front() == '-') {
      parsed.options.push_back(take_option(words, next, options));
    } else if (rest == Rest::kProgram) {
      break;
    } else {
      line.rest.push_back(word);
      ++next;
    }
  }
  line.rest.insert(line.rest.end(), words.begin() + static_cast<std::ptrdiff_t>(next), words.end());
  try {
    po::store(parsed, line.values);
    po::notify(line.values);
  } catch (const po::multiple_occurrences& twice) {
    std::string name = twice.get_option_name();
    name.erase(0, name.find_first_not_of('-'));
    throw Failure(kExitUsage, fmt::format("--{} is given more than once", name));
  } catch (const po::error_with_option_name& bad) {
    throw Failure(kExitUsage, printable(bad.what()));
  }
  return line;
}

}  // namespace toto::tools
