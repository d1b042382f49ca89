// SPDX-License-Identifier: BSD-3-Clause
// What it costs to start and end a program: start PROGRAM ROUNDS [LIBRARY...]
// Starts PROGRAM without and with each LIBRARY preloaded, turn by turn, ROUNDS times, and prints a line
// "VARIANT NANOSECONDS PAGE_FAULTS" for each start; variant 0 is bare, 1 the first library, and so on.
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern char** environ;

namespace {

// The environment of a variant: ours, with LD_PRELOAD set or not.
struct Environment {
  explicit Environment(const char* library) {
    for (char** entry = environ; *entry != nullptr; ++entry) {
      if (std::strncmp(*entry, "LD_PRELOAD=", 11) != 0) entries.push_back(*entry);
    }
    if (library != nullptr) {
      preload = std::string("LD_PRELOAD=") + library;
      entries.push_back(preload.data());
    }
    entries.push_back(nullptr);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  std::string preload;
  std::vector<char*> entries;
};

bool start_once(char* program, char** environment, int variant) {
  char* arguments[] = {program, nullptr};
  rusage used{};
  int status = 0;
  pid_t child = 0;
  const auto started = std::chrono::steady_clock::now();
  if (posix_spawn(&child, program, nullptr, nullptr, arguments, environment) != 0) return false;
  if (wait4(child, &status, 0, &used) != child || status != 0) return false;
  const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - started;
  std::printf("%d %lld %ld\n", variant, static_cast<long long>(took.count()), used.ru_minflt);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: start PROGRAM ROUNDS [LIBRARY...]\n");
    return 2;
  }
  const int variants = argc - 2;
  std::vector<Environment*> environments;
  for (int i = 0; i < variants; ++i) environments.push_back(new Environment(i == 0 ? nullptr : argv[i + 2]));
  const int rounds = std::atoi(argv[2]);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < variants; ++i) {
      const int variant = (round + i) % variants;
      if (!start_once(argv[1], environments[static_cast<std::size_t>(variant)]->entries.data(), variant)) {
        std::fprintf(stderr, "%s does not start, or fails\n", argv[1]);
        return 1;
      }
    }
  }
  return 0;
}
