// SPDX-License-Identifier: BSD-3-Clause
#include "core/aside.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <ctime>
#include <new>

#include "core/keep.h"

namespace toto {
namespace {

struct Task {
  void (*work)(void*);
  void* what;
  std::atomic<bool> done{false};
};

void* run(void* argument) {
  auto* task = static_cast<Task*>(argument);
  task->work(task->what);
  task->done.store(true, std::memory_order_release);
  return nullptr;
}

bool start(Task& task) {
  constexpr std::size_t kStack = 256 * 1024;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, kStack);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread{};
  const bool started = pthread_create(&thread, &attributes, run, &task) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  return started;
}

// nullptr: no memory, or no thread.
const Task* start(void (*work)(void*), void* what) {
  void* memory = keep_memory(sizeof(Task));  // a task that hangs uses it for ever
  if (memory == nullptr) return nullptr;
  Task* task = ::new (memory) Task{.work = work, .what = what};
  return start(*task) ? task : nullptr;
}

}  // namespace

bool start_aside(void (*work)(void* what), void* what) { return start(work, what) != nullptr; }

bool run_aside(void (*work)(void* what), void* what, int seconds) {
  const Task* const started = start(work, what);
  if (started == nullptr) return false;
  const Task& task = *started;
  timespec pause{.tv_sec = 0, .tv_nsec = 20'000};
  constexpr long kLongestPause = 10'000'000;
  for (long waited = 0; waited < seconds * 1'000'000'000L; waited += pause.tv_nsec) {
    if (task.done.load(std::memory_order_acquire)) return true;
    ::syscall(SYS_nanosleep, &pause, nullptr);
    if (pause.tv_nsec < kLongestPause) pause.tv_nsec *= 2;
  }
  return task.done.load(std::memory_order_acquire);
}

}  // namespace toto
