// SPDX-License-Identifier: BSD-3-Clause
// Command lines: one reader for all commands, and the options of `toto run` that are made from the table of
// settings (core/config.h), one a variable: TOTO_PFS_PATHS is --pfs-paths. A new setting is an option at
// once.
#pragma once

#include <boost/program_options.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/config.h"
#include "tools/command.h"

namespace toto::tools {

[[nodiscard]] std::string option_name(std::string_view variable);    // "TOTO_PFS_PATHS" -> "pfs-paths"
[[nodiscard]] std::string allowed_text(const SettingInfo& setting);  // "fill or override"

// Adds one option a setting, with its help.
void add_settings(boost::program_options::options_description& options);

// The variables which the options set, in the table's order. Throws Failure (usage) for a value that is not
// allowed, naming the option, the value and what is.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> chosen_settings(
    const boost::program_options::variables_map& values);

// The value of --option as a number. Throws Failure (usage) when it is none in that range.
[[nodiscard]] std::uint64_t whole_number(std::string_view option, const std::string& text,
                                         std::uint64_t least, std::uint64_t most);

struct CommandLine {
  boost::program_options::variables_map values;
  Words rest;  // what is no option
};
enum class Rest {
  kAnywhere,  // words between options are collected
  kProgram,   // the first word that is no option, or all after "--", begins a command line of its own
};

// Reads `words` by `options`. An option's value follows as --name=value or --name value; a switch may stand
// alone (it means 1). Throws Failure (usage) for anything else.
[[nodiscard]] CommandLine read_command_line(const Words& words,
                                            const boost::program_options::options_description& options,
                                            Rest rest);

}  // namespace toto::tools
