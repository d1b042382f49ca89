// SPDX-License-Identifier: BSD-3-Clause
// A program that makes the measured calls, one kind after the other. Two ways to run it:
//   calls_X FOLDER [--benchmark_...]   nanoseconds a call, by Google Benchmark
//   calls_X FOLDER count N             user-space instructions of N calls each, on standard output, by the
//                                      processor's counter where the kernel lets us, else for callgrind
// A call is a class: set up by its constructor (given the folder for its file), made by operator().
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <vector>

namespace toto::bench {

class InstructionCounter;

struct Measured {
  std::string name;
  std::function<void(benchmark::State&)> time;
  std::function<void(InstructionCounter&, long)> count;
};

// What counts: begin() and end() around the calls of one kind.
class InstructionCounter {
 public:
  InstructionCounter();
  ~InstructionCounter();
  InstructionCounter(const InstructionCounter&) = delete;
  InstructionCounter& operator=(const InstructionCounter&) = delete;
  void begin();
  // Prints "NAME INSTRUCTIONS", or leaves a dump of that name to callgrind.
  void end(const std::string& name);

 private:
  int fd_;  // of the processor's counter; -1: there is none
};

template <class Call>
Measured measured(const std::string& name, const std::string& folder) {
  return {.name = name,
          .time =
              [folder](benchmark::State& state) {
                Call call(folder);
                for ([[maybe_unused]] auto _ : state) call();
              },
          .count =
              [folder, name](InstructionCounter& counter, long calls) {
                Call call(folder);
                for (int i = 0; i < 64; ++i) call();  // symbols resolved, shards and buffers there
                counter.begin();
                for (long i = 0; i < calls; ++i) call();
                counter.end(name);
              }};
}

// Runs all of `calls` as the arguments say; the exit code.
int run(int argc, char** argv, const std::vector<Measured>& calls);

// A call that fails must not be timed as if it had worked.
[[noreturn]] void give_up(const char* what);
inline void check(bool worked, const char* what) {
  if (!worked) [[unlikely]] {
    give_up(what);
  }
}

// Files stay small: places move through this many bytes and start again.
inline constexpr long kFileBytes = 1L << 20;

}  // namespace toto::bench
