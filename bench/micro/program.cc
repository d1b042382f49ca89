// SPDX-License-Identifier: BSD-3-Clause
#include "bench/micro/program.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(name)
#endif

namespace toto::bench {

namespace {

// Instructions of this thread, and of those that it starts, in user space; -1: no such counter here.
int open_counter() {
  perf_event_attr wanted{};
  wanted.type = PERF_TYPE_HARDWARE;
  wanted.size = sizeof wanted;
  wanted.config = PERF_COUNT_HW_INSTRUCTIONS;
  wanted.disabled = 1;
  wanted.inherit = 1;
  wanted.exclude_kernel = 1;
  wanted.exclude_hv = 1;
  return static_cast<int>(::syscall(SYS_perf_event_open, &wanted, 0, -1, -1, 0));
}

}  // namespace

InstructionCounter::InstructionCounter() : fd_(RUNNING_ON_VALGRIND ? -1 : open_counter()) {}
InstructionCounter::~InstructionCounter() {
  if (fd_ >= 0) ::close(fd_);
}

void InstructionCounter::begin() {
  if (fd_ >= 0) {
    ::ioctl(fd_, PERF_EVENT_IOC_RESET, 0);
    ::ioctl(fd_, PERF_EVENT_IOC_ENABLE, 0);
  } else {
    CALLGRIND_ZERO_STATS;
  }
}

void InstructionCounter::end(const std::string& name) {
  if (fd_ >= 0) {
    ::ioctl(fd_, PERF_EVENT_IOC_DISABLE, 0);
    std::uint64_t instructions = 0;
    check(::read(fd_, &instructions, sizeof instructions) == sizeof instructions, "instruction counter");
    std::printf("%s %llu\n", name.c_str(), static_cast<unsigned long long>(instructions));
  } else {
    CALLGRIND_DUMP_STATS_AT(name.c_str());
  }
}

void give_up(const char* what) {
  std::perror(what);
  std::abort();
}

int run(int argc, char** argv, const std::vector<Measured>& calls) {
  int threads = 1;
  if (argc > 3 && std::strcmp(argv[2], "threads") == 0) {
    threads = static_cast<int>(std::strtol(argv[3], nullptr, 10));
    check(threads > 0, "threads");
    std::copy(argv + 4, argv + argc + 1, argv + 2);  // as if the two words were not there
    argc -= 2;
  }
  const bool counts = argc == 4 && std::strcmp(argv[2], "count") == 0;
  for (const Measured& call : calls) {
    if (threads > 1 && !call.moves_data) continue;
    if (counts) {
      call.count(threads, std::strtol(argv[3], nullptr, 10));
    } else {
      auto* one = benchmark::RegisterBenchmark(call.name.c_str(), call.time);
      if (threads > 1) one->Threads(threads);
    }
  }
  if (counts) return 0;
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace toto::bench
