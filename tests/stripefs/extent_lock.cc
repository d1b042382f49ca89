// SPDX-License-Identifier: BSD-3-Clause
#include "extent_lock.h"

#include <algorithm>

namespace toto::stripefs {

void ExtentLocks::Widen(const Locks& locks, Lock& lock, bool downwards) {
  std::uint64_t low = 0;
  std::uint64_t high = UINT64_MAX;
  for (const Lock& other : locks) {
    if (other.client == lock.client || !(other.write || lock.write)) continue;
    if (other.end <= lock.begin) low = std::max(low, other.end);
    if (other.begin >= lock.end) high = std::min(high, other.begin);
  }
  if (downwards) lock.begin = low;
  lock.end = high;
}

ExtentLocks::Grant ExtentLocks::Acquire(const Request& request, Time now) {
  Grant grant{now, 0};
  if (!enabled()) return grant;
  Locks& locks = objects_[request.object];

  for (const Lock& lock : locks) {
    const bool covers = lock.begin <= request.begin && lock.end >= request.end;
    if (lock.client == request.client && covers && (lock.write || !request.write)) return grant;
  }

  const auto conflicts = [&](const Lock& lock) {
    return lock.client != request.client && lock.begin < request.end && request.begin < lock.end &&
           (lock.write || request.write);
  };
  for (const Lock& lock : locks) {
    if (!conflicts(lock)) continue;
    grant.ready = std::max(grant.ready, std::max(now, lock.clean) + handover_);
    ++grant.handovers;
  }
  std::erase_if(locks, conflicts);

  // After a conflict the lock grows upwards only: the old holder is likely to come back for what is below.
  Lock lock{request.begin, request.end, request.client, request.write, Time::zero()};
  Widen(locks, lock, grant.handovers == 0);
  std::erase_if(locks, [&](const Lock& old) {
    if (old.client != lock.client || old.begin < lock.begin || old.end > lock.end ||
        (old.write && !lock.write)) {
      return false;
    }
    lock.clean = std::max(lock.clean, old.clean);
    return true;
  });
  locks.push_back(lock);
  return grant;
}

void ExtentLocks::Dirty(const Request& request, Time done) {
  if (!enabled()) return;
  for (Lock& lock : objects_[request.object]) {
    if (lock.client == request.client && lock.begin <= request.begin && lock.end >= request.end) {
      lock.clean = std::max(lock.clean, done);
    }
  }
}

void ExtentLocks::ForgetFile(std::uint64_t file) {
  objects_.erase(objects_.lower_bound({file, 0, 0}), objects_.upper_bound({file, UINT32_MAX, UINT64_MAX}));
}

}  // namespace toto::stripefs
