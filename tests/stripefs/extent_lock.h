// SPDX-License-Identifier: BSD-3-Clause
//
// Extent locks in the manner of a parallel file system, as far as they cost time.
//
// A client that touches a range of an object needs a lock on it. A lock is granted as wide as the other
// clients' locks allow, so that a client alone on an object asks once. A lock that conflicts is taken away
// from its holder as a whole, which waits for the holder's data under it and a fixed time: a handover.
// Pure: time is passed in.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace toto::stripefs {

using Time = std::chrono::nanoseconds;

struct ObjectId {
  std::uint64_t file = 0;
  std::uint32_t component = 0;
  std::uint64_t object = 0;

  auto operator<=>(const ObjectId&) const = default;
};

class ExtentLocks {
 public:
  struct Request {
    ObjectId object;
    std::uint64_t client = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    bool write = false;
  };
  struct Grant {
    Time ready{};  // from then on the client has the lock
    std::uint64_t handovers = 0;
  };

  // `handover` is what taking away one lock costs besides the wait for the holder's data; 0: no locks at all.
  explicit ExtentLocks(Time handover) : handover_(handover) {}

  bool enabled() const { return handover_ > Time::zero(); }

  Grant Acquire(const Request& request, Time now);

  // The client's data under its lock is on the target at `done`, so that nobody gets the lock before.
  void Dirty(const Request& request, Time done);

  void ForgetFile(std::uint64_t file);

 private:
  struct Lock {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t client;
    bool write;
    Time clean;  // no data under this lock is on its way after this time
  };
  using Locks = std::vector<Lock>;

  static void Widen(const Locks& locks, Lock& lock, bool downwards);

  Time handover_;
  std::map<ObjectId, Locks> objects_;
};

}  // namespace toto::stripefs
