// SPDX-License-Identifier: BSD-3-Clause
// Near<T>: a pointer kept as the distance from itself, so that memory which several processes map at
// different addresses may hold it. Reading and replacing are atomic. Reaches 2 GiB either way; 0 is null.
#pragma once

#include <atomic>
#include <cstdint>

namespace toto {

template <class T>
class Near {
 public:
  [[nodiscard]] T* get() const { return at(distance_.load(std::memory_order_acquire)); }
  void set(T* to) { distance_.store(distance_of(to), std::memory_order_release); }
  // Where it still points at `expected`, makes it point at `to`; else `expected` becomes what it points at.
  bool replace(T*& expected, T* to) {
    std::int32_t seen = distance_of(expected);
    if (distance_.compare_exchange_strong(seen, distance_of(to), std::memory_order_acq_rel)) return true;
    expected = at(seen);
    return false;
  }

 private:
  [[nodiscard]] T* at(std::int32_t distance) const {
    auto* here = const_cast<char*>(reinterpret_cast<const char*>(this));
    return distance != 0 ? reinterpret_cast<T*>(here + distance) : nullptr;
  }
  [[nodiscard]] std::int32_t distance_of(const T* to) const {
    if (to == nullptr) return 0;
    return static_cast<std::int32_t>(reinterpret_cast<const char*>(to) - reinterpret_cast<const char*>(this));
  }

  std::atomic<std::int32_t> distance_{0};
};

}  // namespace toto
