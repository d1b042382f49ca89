// SPDX-License-Identifier: BSD-3-Clause
// The toto command: finds the command by its name and turns its failures into one message and an exit code.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <exception>
#include <new>
#include <string_view>

#include "tools/command.h"
#include "tools/failure.h"
#include "tools/nearest.h"
#include "tools/units.h"

namespace toto::tools {
namespace {

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(const Words& words);
};
constexpr std::array kCommands = {
    Command{"run", "run a program with the library preloaded", run_command},
    Command{"report", "show a report that a job left", report_command},
    Command{"check", "tell what can be, and would be, set at a path", check_command},
    Command{"layout", "show where the bytes of a file lie", layout_command},
    Command{"study", "measure what the library costs, over many parameters", study_command},
    Command{"history", "show, forget, copy what earlier runs learned", history_command},
};

const Command& find(const std::string& name) {
  std::vector<std::string> names{"help"};
  for (const Command& command : kCommands) {
    if (command.name == name) return command;
    names.emplace_back(command.name);
  }
  throw Failure(kExitUsage, fmt::format("unknown command \"{}\"{}; toto --help lists them", printable(name),
                                        did_you_mean(name, names)));
}

void print_help() {
  fmt::print(
      "TOTO: transparent tuning and statistics of MPI and POSIX I/O\n\nUsage: toto COMMAND [options]\n\n");
  for (const Command& command : kCommands) fmt::print("  {:<8}{}\n", command.name, command.summary);
  fmt::print("  {:<8}{}\n\n", "help", "toto help COMMAND tells more about a command");
  fmt::print("  --version  the version\n  --help     this text\n");
}

int dispatch(const Words& words, std::string& speaker) {
  if (words.empty()) throw Failure(kExitUsage, "no command given; toto --help lists them");
  const std::string& first = words[0];
  if (first == "--version") {
    fmt::print("toto {}\n", TOTO_VERSION);
    return 0;
  }
  const bool help = first == "help" || first == "--help" || first == "-h";
  if (help && words.size() == 1) {
    print_help();
    return 0;
  }
  if (first.starts_with('-') && !help) {
    throw Failure(kExitUsage,
                  fmt::format("unknown option {}; toto --help lists what there is", printable(first)));
  }
  const Command& command = find(help ? words[1] : first);
  speaker += " ";
  speaker += command.name;
  return command.run(help ? Words{"--help"} : Words(words.begin() + 1, words.end()));
}

int guarded(const Words& words) {
  std::string speaker = "toto";
  try {
    const int code = dispatch(words, speaker);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      throw Failure(kExitFailure, "cannot write to standard output");
    }
    return code;
  } catch (const Failure& failure) {
    fmt::print(stderr, "{}: {}\n", speaker, failure.what());
    return failure.exit_code();
  } catch (const std::bad_alloc&) {
    std::fputs("toto: out of memory\n", stderr);
  } catch (const std::exception& other) {
    fmt::print(stderr, "{}: {}\n", speaker, printable(other.what()));
  }
  return kExitFailure;
}

}  // namespace
}  // namespace toto::tools

int main(int argc, char** argv) { return toto::tools::guarded({argv + (argc > 0 ? 1 : 0), argv + argc}); }
