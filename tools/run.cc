// SPDX-License-Identifier: BSD-3-Clause
// toto run: preloads the library's build for the program's MPI, sets its variables, and becomes the program.
// Goes between the launcher and the program (mpirun -n 4 toto run -- ./a.out). Where a report is wanted, a
// watcher stays behind, one a node, outside the job's processes: it makes the report if the job cannot.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "core/config.h"
#include "core/job_id.h"
#include "tools/command.h"
#include "tools/failure.h"
#include "tools/library.h"
#include "tools/mpi_kind.h"
#include "tools/options.h"
#include "tools/program.h"
#include "tools/recover.h"
#include "tools/units.h"

namespace toto::tools {
namespace {

namespace po = boost::program_options;

struct Choice {
  std::string library;  // empty: none can be preloaded
  std::string mpi;      // empty: not known
  std::string reason;
};

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

std::string builds_text() {
  const std::vector<std::string> builds = library_builds();
  return builds.empty() ? fmt::format("none found in {}", joined(library_folders(), ", "))
                        : "there: " + joined(builds, ", ");
}

// A message of one rank for all: thousands of processes would say the same.
void say_once(const std::string& message) {
  for (const char* rank : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID", "PALS_RANKID"}) {
    const char* value = std::getenv(rank);
    if (value != nullptr) {
      if (std::strcmp(value, "0") != 0) return;
      break;
    }
  }
  fmt::print(stderr, "toto run: {}\n", message);
}

std::string given_library(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) {
    throw Failure(kExitUsage, fmt::format("--library: {}: {}", printable(path),
                                          failed ? failed.message() : "is no file"));
  }
  const std::string absolute = std::filesystem::absolute(path).lexically_normal().string();
  const std::optional<Elf> elf = read_elf(absolute);
  if (!elf || elf->foreign) {
    throw Failure(kExitUsage,
                  fmt::format("--library: {} is no shared library of this machine", printable(path)));
  }
  return absolute;
}

Choice choose(const po::variables_map& values, const Program& program) {
  Choice choice;
  if (values.count("library") != 0) {
    choice.library = given_library(values["library"].as<std::string>());
    choice.reason = "--library";
  } else if (values.count("mpi") != 0) {
    choice.mpi = values["mpi"].as<std::string>();
    choice.reason = "--mpi";
    choice.library = library_for(choice.mpi);
    if (choice.library.empty()) {
      throw Failure(kExitUsage, fmt::format("--mpi: no build of the library for \"{}\" ({})",
                                            printable(choice.mpi), builds_text()));
    }
  } else {
    const MpiKind kind = program.path.empty() ? mpi_of_launcher() : mpi_of_program(program);
    choice.mpi = kind.name;
    choice.reason = kind.reason;
    choice.library = kind.name.empty() ? default_library() : library_for(kind.name);
  }
  if (choice.library.find_first_of(" :\t\n") != std::string::npos) {
    throw Failure(kExitUsage, fmt::format("{}: LD_PRELOAD cannot hold a path with a space or a colon",
                                          printable(choice.library)));
  }
  return choice;
}

// Ours first, then what was there, but for another copy of ours (a toto run inside a toto run).
std::string preload_value(const std::string& library) {
  std::string value = library;
  const char* before = std::getenv("LD_PRELOAD");
  std::string_view left = before != nullptr ? before : "";
  while (!left.empty()) {
    const std::size_t end = left.find_first_of(" :");
    const std::string_view entry = left.substr(0, end);
    left.remove_prefix(end == std::string_view::npos ? left.size() : end + 1);
    const std::string_view base = entry.substr(entry.rfind('/') + 1);
    if (!entry.empty() && base != kLibraryName) value.append(":").append(entry);
  }
  return value;
}

// As a shell reads it back.
std::string quoted(const std::string& value) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+";
  if (value.find_first_not_of(kPlain) == std::string::npos) return value;
  std::string text = "'";
  for (const char c : value) {
    if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  }
  return text + "'";
}

void print_help(const po::options_description& own, const po::options_description& settings) {
  fmt::print(
      "Usage: toto run [options] [--] program [arguments]\n\n"
      "Runs a program with the TOTO library preloaded: mpirun -n 4 toto run -- ./a.out\n"
      "The build of the library is the one for the program's MPI.\n\n");
  std::ostringstream text;
  text << own << '\n' << settings;
  fmt::print("{}", text.str());
}

void say_what_is_wrong(const Program& program, const Choice& choice) {
  const std::string& name = program.interpreter.empty() ? program.path : program.interpreter;
  if (!program.unseen.empty()) {
    say_once(fmt::format("{}: {}: the library cannot see what it does (the program runs all the same)",
                         printable(name), program.unseen));
  }
  if (!choice.library.empty()) return;
  if (choice.mpi.empty()) {
    say_once(fmt::format("the library is not there ({}): the program runs without it", builds_text()));
  } else {
    say_once(fmt::format("no build of the library for {}, which the program uses ({}; {}): it runs without",
                         choice.mpi, choice.reason, builds_text()));
  }
}

[[noreturn]] void become(const Words& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  const int error = errno;
  throw Failure(error == ENOENT ? kExitNotFound : kExitNotExecutable,
                fmt::format("cannot run {}: {}", printable(words[0]), std::strerror(error)));
}

}  // namespace

int run_command(const Words& words) {
  constexpr unsigned kLine = 100;
  po::options_description own("Options", kLine);
  own.add_options()("mpi", po::value<std::string>()->value_name("name"),
                    "the program's MPI: openmpi, mpich, or any other that the library was built for")(
      "library", po::value<std::string>()->value_name("path"), "the library to preload")(
      "print", "show the environment that would be set, and start nothing")("help", "this text");
  po::options_description settings(
      "Settings (each sets the variable of its name: --pfs-paths is TOTO_PFS_PATHS)", kLine);
  add_settings(settings);
  po::options_description all;
  all.add(own).add(settings);

  const CommandLine line = read_command_line(words, all, Rest::kProgram);
  if (line.values.count("help") != 0) {
    print_help(own, settings);
    return 0;
  }
  const bool print = line.values.count("print") != 0;
  if (line.rest.empty() && !print) {
    throw Failure(kExitUsage, "no program given: toto run [options] -- program [arguments]");
  }
  const auto chosen = chosen_settings(line.values);
  Program program;
  if (!line.rest.empty()) {
    program = inspect_program(line.rest[0]);
    if (program.path.empty()) {
      throw Failure(kExitNotFound,
                    fmt::format("cannot run \"{}\": not found on PATH", printable(line.rest[0])));
    }
  }
  const Choice choice = choose(line.values, program);
  say_what_is_wrong(program, choice);

  if (print) {
    fmt::print("# MPI: {}{}\n", choice.mpi.empty() ? "not known" : choice.mpi,
               choice.reason.empty() ? "" : " (" + choice.reason + ")");
    if (!choice.library.empty()) fmt::print("LD_PRELOAD={}\n", quoted(preload_value(choice.library)));
    for (const auto& [name, value] : chosen) fmt::print("{}={}\n", name, quoted(value));
    return 0;
  }
  if (!choice.library.empty()) ::setenv("LD_PRELOAD", preload_value(choice.library).c_str(), 1);
  for (const auto& [name, value] : chosen) ::setenv(name.c_str(), value.c_str(), 1);
  config::load();
  if (!choice.library.empty() && config::wants_report() && !config::settings().disable) {
    const std::string job(job_id().view());
    if (!job_has_name()) ::setenv("TOTO_JOB_ID", job.c_str(), 1);
    if (local_rank() <= 0) watch_over(job);
  }
  become(line.rest);
}

}  // namespace toto::tools
