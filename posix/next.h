// SPDX-License-Identifier: BSD-3-Clause
// The next definition of a wrapped symbol: libc's, or another preload library's between us and libc.
#pragma once

#include <dlfcn.h>

#include <atomic>
#include <cerrno>
#include <type_traits>

namespace toto::posix {

// What stands in for a call that this system's libc does not have: an error, as such a libc would give.
template <class F>
struct Absent;
template <class R, class... A>
struct Absent<R(A...)> {
  static R call(A...) {
    errno = ENOSYS;
    if constexpr (std::is_pointer_v<R>) {
      return nullptr;
    } else if constexpr (!std::is_void_v<R>) {
      return static_cast<R>(std::is_signed_v<R> ? -1 : 0);
    }
  }
};
template <class R, class... A>
struct Absent<R(A...) noexcept> : Absent<R(A...)> {};
template <class R, class... A>
struct Absent<R(A..., ...)> : Absent<R(A...)> {};

// One a wrapped call. Resolved at start for all of the table, or at the first call when that comes earlier.
template <class F>
class Next {
 public:
  constexpr explicit Next(const char* name) : name_(name) {}
  F* get() {
    F* function = function_.load(std::memory_order_relaxed);
    if (function == nullptr) [[unlikely]] {
      function = resolve();
    }
    return function;
  }
  F* resolve() {
    auto* function = reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name_));
    if (function == nullptr) function = reinterpret_cast<F*>(&Absent<F>::call);
    function_.store(function, std::memory_order_relaxed);
    return function;
  }

 private:
  const char* name_;
  std::atomic<F*> function_{nullptr};
};

}  // namespace toto::posix
