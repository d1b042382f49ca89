// SPDX-License-Identifier: BSD-3-Clause
//
// One thread that does things when they are due: it sends the replies that the model delays, so that no
// worker sleeps and a file system full of waiting writers still answers `ls` at once.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace toto::stripefs {

class Timer {
 public:
  using Time = std::chrono::nanoseconds;
  using Action = std::function<void()>;

  Timer() = default;  // the thread starts when something is first delayed: a daemon forks before
  ~Timer();           // does everything pending, then ends the thread
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // Time since the timer was made, never going back.
  Time Now() const;

  // Calls `action` at `due`: on the caller's thread when that is past, else on the timer's.
  void At(Time due, Action action);

  // Does everything pending at once, due or not, and from now on everything as it comes. For the end: who
  // waits for a reply must get one before the session goes away.
  void Flush();

 private:
  void Run();

  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::multimap<Time, Action> pending_;
  bool flushing_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace toto::stripefs
