// SPDX-License-Identifier: BSD-3-Clause
// The next definition of a wrapped symbol: libc's, or another preload library's between us and libc.
#pragma once

#include <dlfcn.h>

#include <algorithm>
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

// The name of a call, as a template argument.
template <std::size_t N>
struct CallName {
  char text[N];
  constexpr CallName(const char (&from)[N]) { std::copy_n(from, N, text); }  // NOLINT: "write" is a CallName
};

// One a wrapped call of the table. Resolved at start, or by the first call when that comes earlier: until
// then the pointer is to late(), so that a wrapper asks nothing and, jumping to it, saves no register.
template <CallName name, class R, bool nothrow, class... A>
class NextOf {
 public:
  using F = R(A...) noexcept(nothrow);
  static F* get() { return function_.load(std::memory_order_relaxed); }
  static F* resolve() {
    auto* function = reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name.text));
    if (function == nullptr) function = reinterpret_cast<F*>(&Absent<F>::call);
    function_.store(function, std::memory_order_relaxed);
    return function;
  }

 private:
  [[gnu::cold, gnu::noinline]] static R late(A... a) noexcept(nothrow) { return resolve()(a...); }
  static constinit inline std::atomic<F*> function_{&late};
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
