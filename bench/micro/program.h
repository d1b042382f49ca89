// SPDX-License-Identifier: BSD-3-Clause
// A program that makes the measured calls, one kind after the other. Two ways to run it:
//   calls_X FOLDER [threads N] [--benchmark_...]   nanoseconds a call, by Google Benchmark
//   calls_X FOLDER [threads N] count CALLS         user-space instructions of so many calls each (in each
//   thread),
//                                                  on standard output, by the processor's counter where the
//                                                  kernel lets us, else for callgrind
// A call is a class: set up by its constructor (given a folder for its files, one for each thread), made by
// operator(). With several threads only data calls are made, each thread on a file of its own.
#pragma once

#include <benchmark/benchmark.h>
#include <pthread.h>
#include <sys/stat.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace toto::bench {

// What counts: begin() and end() around the calls of one kind.
class InstructionCounter {
 public:
  InstructionCounter();  // before the threads that it counts, too, are started
  ~InstructionCounter();
  InstructionCounter(const InstructionCounter&) = delete;
  InstructionCounter& operator=(const InstructionCounter&) = delete;
  void begin();
  // Prints "NAME INSTRUCTIONS", or leaves a dump of that name to callgrind.
  void end(const std::string& name);

 private:
  int fd_;  // of the processor's counter; -1: there is none
};

struct Measured {
  std::string name;
  bool moves_data = false;
  std::function<void(benchmark::State&)> time;
  std::function<void(int threads, long calls)> count;
};

// A call that fails must not be timed as if it had worked.
[[noreturn]] void give_up(const char* what);
inline void check(bool worked, const char* what) {
  if (!worked) [[unlikely]] {
    give_up(what);
  }
}

// The folder of one thread.
inline std::string folder_of(const std::string& folder, int thread) {
  std::string own = folder + "/thread" + std::to_string(thread);
  ::mkdir(own.c_str(), 0700);
  return own;
}

// Symbols resolved, shards and buffers there.
template <class Call>
void warm_up(Call& call) {
  for (int i = 0; i < 64; ++i) call();
}

template <class Call>
void count_here(const std::string& name, const std::string& folder, long calls) {
  InstructionCounter counter;
  Call call(folder_of(folder, 0));
  warm_up(call);
  counter.begin();
  for (long i = 0; i < calls; ++i) call();
  counter.end(name);
}

// Threads that set themselves up, then make their calls at once; they sleep while they wait for each other,
// so that waiting is no instructions.
template <class Call>
void count_in_threads(const std::string& name, const std::string& folder, int threads, long calls) {
  InstructionCounter counter;
  pthread_barrier_t all;
  pthread_barrier_init(&all, nullptr, static_cast<unsigned>(threads) + 1);
  std::vector<std::thread> others;
  for (int thread = 0; thread < threads; ++thread) {
    others.emplace_back([&all, &folder, thread, calls] {
      Call call(folder_of(folder, thread));
      warm_up(call);
      pthread_barrier_wait(&all);
      pthread_barrier_wait(&all);
      for (long i = 0; i < calls; ++i) call();
      pthread_barrier_wait(&all);
    });
  }
  pthread_barrier_wait(&all);
  counter.begin();
  pthread_barrier_wait(&all);
  pthread_barrier_wait(&all);
  counter.end(name);
  for (std::thread& other : others) other.join();
  pthread_barrier_destroy(&all);
}

template <class Call>
Measured measured(const std::string& name, const std::string& folder, bool moves_data = false) {
  return {.name = name,
          .moves_data = moves_data,
          .time =
              [folder](benchmark::State& state) {
                Call call(folder_of(folder, state.thread_index()));
                for ([[maybe_unused]] auto _ : state) call();
              },
          .count =
              [name, folder](int threads, long calls) {
                if (threads == 1) {
                  count_here<Call>(name, folder, calls);
                } else {
                  count_in_threads<Call>(name, folder, threads, calls);
                }
              }};
}
template <class Call>
Measured data(const std::string& name, const std::string& folder) {
  return measured<Call>(name, folder, true);
}

// Runs all of `calls` as the arguments say; the exit code.
int run(int argc, char** argv, const std::vector<Measured>& calls);

// Files stay small: places move through this many bytes and start again.
inline constexpr long kFileBytes = 1L << 20;

}  // namespace toto::bench
