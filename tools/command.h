// SPDX-License-Identifier: BSD-3-Clause
// The commands of toto. Each takes the words after its name and returns the exit code; --help among them
// prints the command's help. They throw Failure, which main() turns into one message.
#pragma once

#include <string>
#include <vector>

namespace toto::tools {

using Words = std::vector<std::string>;

int run_command(const Words& words);      // run.cc
int report_command(const Words& words);   // report/command.cc
int check_command(const Words& words);    // check.cc
int layout_command(const Words& words);   // layout.cc
int study_command(const Words& words);    // study.cc
int history_command(const Words& words);  // history.cc

}  // namespace toto::tools
