// SPDX-License-Identifier: BSD-3-Clause
#include "core/clock.h"

#include "core/start_up.h"
#include "core/sys.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace toto::clock {

namespace detail {
constinit std::atomic<bool> use_counter{false};
}

namespace {

constinit std::atomic<bool> asked{false};
TOTO_SET_AT_START(zero) constinit std::uint64_t zero_counter = 0;
TOTO_SET_AT_START(zero) constinit std::uint64_t zero_mono = 0;
TOTO_SET_AT_START(zero) constinit std::int64_t zero_wall = 0;

bool counter_is_constant() {
#if defined(__x86_64__)
  // CPUID 8000_0007h, EDX bit 8: the time-stamp counter runs at one rate in all power states.
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(0x80000007U, &eax, &ebx, &ecx, &edx) != 0 && (edx & (1U << 8)) != 0;
#elif defined(__aarch64__)
  return true;  // the architecture says so
#else
  return false;
#endif
}

// By a system call: the quick way maps two more pages, and most programs that start have no other use for
// them.
TOTO_AT_START std::int64_t ns_by_call(clockid_t which) {
  timespec now{};
  sys::clock_gettime(which, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

TOTO_AT_START void start() {
  zero_wall = ns_by_call(CLOCK_REALTIME);
  zero_mono = static_cast<std::uint64_t>(ns_by_call(CLOCK_MONOTONIC));
  zero_counter = detail::counter();
}

// Of several threads that come first each asks the processor, and all get the same answer.
std::uint64_t detail::first_ticks() {
  if (!asked.load(std::memory_order_acquire)) {
    use_counter.store(counter_is_constant(), std::memory_order_relaxed);
    asked.store(true, std::memory_order_release);
  }
  return uses_counter() ? counter() : monotonic_ns();
}

Zero zero() {
  ticks();  // which clock it is, is known from the first time on
  return {.zero_ticks = detail::uses_counter() ? zero_counter : zero_mono,
          .zero_mono_ns = zero_mono,
          .zero_wall_ns = zero_wall};
}

Rate rate_since(const Zero& zero) {
  const std::uint64_t now = ticks();
  Rate result{zero};
  if (!detail::uses_counter()) return result;
  const std::uint64_t mono = monotonic_ns();
  if (now > zero.zero_ticks && mono > zero.zero_mono_ns) {
    result.ns_per_tick =
        static_cast<double>(mono - zero.zero_mono_ns) / static_cast<double>(now - zero.zero_ticks);
  }
  return result;
}

}  // namespace toto::clock
