// SPDX-License-Identifier: BSD-3-Clause
//
// The time model of the storage targets.
//
// A target serves one request after the other: a request that arrives at `now` is done at
//     busy_until = max(now, busy_until) + latency + bytes / rate.
// The caller gets its reply once no more than a budget of its bytes is outstanding at any target:
// write-behind for writes, read-ahead for reads, kept per open file and target. Without a budget the kernel's
// inode lock would let one request at a time through, and stripes would have no effect; hence a budget is
// never smaller than one request. Closing (and fsync) waits until everything is done. Pure: no threads, no
// clock; time is passed in and answers are times.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <vector>

#include "extent_lock.h"
#include "layout.h"

namespace toto::stripefs {

enum class Transfer { kWrite = 0, kRead = 1 };

// What one open file still has outstanding.
class Stream {
 public:
  // When everything outstanding of that kind is done.
  Time Drained(Transfer kind, Time now) const;
  Time Drained(Time now) const;

 private:
  friend class Model;
  struct Debt {
    Time done;
    std::uint64_t bytes;
  };
  using Debts = std::map<std::uint32_t, std::deque<Debt>>;  // by target

  std::array<Debts, 2> debts_;
};

struct TargetCounters {
  std::uint64_t bytes_written = 0;
  std::uint64_t bytes_read = 0;
  std::uint64_t writes = 0;
  std::uint64_t reads = 0;
  std::uint64_t handovers = 0;
  Time lock_wait{};
  Time busy{};  // time spent on serving
};

class Model {
 public:
  struct Options {
    std::uint32_t targets = 8;
    double rate = 0;  // bytes a second; 0: takes no time, but is counted
    Time latency{};
    std::uint64_t write_budget = 1 << 20;
    std::uint64_t read_budget = 1 << 20;
    Time lock_handover{};  // 0: no extent locks
  };
  struct Request {
    Transfer kind = Transfer::kWrite;
    std::uint64_t file = 0;
    std::uint64_t client = 0;  // holder of extent locks
    std::span<const Share> shares;
  };

  explicit Model(const Options& options);

  // Books a request, and says when its reply is due.
  Time Submit(const Request& request, Stream& stream, Time now);

  void ForgetFile(std::uint64_t file) { locks_.ForgetFile(file); }

  // Counters to zero, all targets idle.
  void Reset();

  void set_rate(std::uint32_t target, double bytes_per_second) { targets_[target].rate = bytes_per_second; }
  void set_latency(Time latency) { latency_ = latency; }

  std::uint32_t targets() const { return static_cast<std::uint32_t>(targets_.size()); }
  double rate(std::uint32_t target) const { return targets_[target].rate; }
  Time latency() const { return latency_; }
  const TargetCounters& counters(std::uint32_t target) const { return targets_[target].counters; }

  // From the first request's arrival to the last one's end, since the last reset.
  Time Makespan() const;

 private:
  struct Target {
    double rate = 0;
    Time busy_until{};
    TargetCounters counters;
  };

  Time Serve(const Request& request, const Share& share, Time now, Time& lock_ready);
  static Time WaitForBudget(std::deque<Stream::Debt>& debts, std::uint64_t budget, Time now);

  std::vector<Target> targets_;
  Time latency_;
  std::array<std::uint64_t, 2> budgets_;
  ExtentLocks locks_;
  bool started_ = false;
  Time first_arrival_{};
  Time last_end_{};
};

}  // namespace toto::stripefs
