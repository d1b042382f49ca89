// SPDX-License-Identifier: BSD-3-Clause
// The next definition of a wrapped symbol: libc's, or another preload library's between us and libc.
#pragma once

#include <atomic>
#include <cerrno>
#include <type_traits>

#include "core/call_name.h"
#include "posix/later.h"

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

// The next definition of F, or what stands in for it.
template <class F>
F* next_or_absent(void* found) {
  return reinterpret_cast<F*>(found != nullptr ? found : reinterpret_cast<void*>(&Absent<F>::call));
}

// One a wrapped call of the table, found by the first call: until then the pointer is to early(), so that a
// wrapper asks nothing and, jumping to it, saves no register.
template <CallName name, class R, bool nothrow, class... A>
class NextOf {
 public:
  using F = R(A...) noexcept(nothrow);
  static F* get() { return function_.load(std::memory_order_relaxed); }

 private:
  [[gnu::cold, gnu::noinline]] static R early(A... a) noexcept(nothrow) {
    F* function = next_or_absent<F>(find_next(name.text, kHash<name>));
    function_.store(function, std::memory_order_relaxed);
    return function(a...);
  }
  static constinit inline std::atomic<F*> function_{&early};
};
template <CallName name, class F>
struct NextFor;
template <CallName name, class R, class... A>
struct NextFor<name, R(A...)> {
  using Type = NextOf<name, R, false, A...>;
};
template <CallName name, class R, class... A>
struct NextFor<name, R(A...) noexcept> {
  using Type = NextOf<name, R, true, A...>;
};

// One a call with optional arguments, which cannot be handed on: asked for at each call.
template <CallName name, class F>
class Next {
 public:
  F* get() {
    F* function = function_.load(std::memory_order_relaxed);
    if (function == nullptr) [[unlikely]] {
      function = next_or_absent<F>(find_next(name.text, kHash<name>));
      function_.store(function, std::memory_order_relaxed);
    }
    return function;
  }

 private:
  std::atomic<F*> function_{nullptr};
};

}  // namespace toto::posix
