// SPDX-License-Identifier: BSD-3-Clause
#include "timer.h"

#include <sys/prctl.h>

#include <utility>

namespace toto::stripefs {

Timer::~Timer() { Flush(); }

Timer::Time Timer::Now() const { return std::chrono::steady_clock::now() - start_; }

void Timer::At(Time due, Action action) {
  if (due > Now()) {
    const std::lock_guard lock(mutex_);
    if (!flushing_) {
      if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
      const auto place = pending_.emplace(due, std::move(action));
      if (place == pending_.begin()) changed_.notify_one();
      return;
    }
  }
  action();
}

void Timer::Flush() {
  {
    const std::lock_guard lock(mutex_);
    flushing_ = true;
    changed_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

void Timer::Run() {
  // The default slack of 50 us would add to every reply.
  prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL);
  std::unique_lock lock(mutex_);
  while (!flushing_ || !pending_.empty()) {
    if (pending_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const Time due = pending_.begin()->first;
    if (!flushing_ && due > Now()) {
      changed_.wait_until(lock, start_ + due);
      continue;
    }
    const Action action = std::move(pending_.begin()->second);
    pending_.erase(pending_.begin());
    lock.unlock();
    action();
    lock.lock();
  }
}

}  // namespace toto::stripefs
