// SPDX-License-Identifier: BSD-3-Clause
// Time for counters: the processor's time-stamp counter where it runs at a constant rate, else
// CLOCK_MONOTONIC. A tick is 1 / frequency; the frequency is measured against CLOCK_MONOTONIC over the
// whole run, so that start-up costs one reading of each.
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace toto::clock {

namespace detail {
// Whether the counter is good for it: set by the first ticks(), not by start(), as asking the processor takes
// longer in a virtual machine than all the rest of the start.
extern std::atomic<bool> use_counter;
std::uint64_t first_ticks();
[[gnu::always_inline]] inline bool uses_counter() { return use_counter.load(std::memory_order_relaxed); }

#if defined(__x86_64__)
inline constexpr bool kHasCounter = true;
[[gnu::always_inline]] inline std::uint64_t counter() { return __rdtsc(); }
#elif defined(__aarch64__)
inline constexpr bool kHasCounter = true;
[[gnu::always_inline]] inline std::uint64_t counter() {
  std::uint64_t now;
  asm volatile("mrs %0, cntvct_el0" : "=r"(now));
  return now;
}
#else
inline constexpr bool kHasCounter = false;
inline std::uint64_t counter() { return 0; }
#endif
}  // namespace detail

// Nanoseconds of CLOCK_MONOTONIC (unaffected by steps of the wall clock).
inline std::uint64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

[[gnu::always_inline]] inline std::uint64_t ticks() {
  if (detail::kHasCounter && detail::uses_counter()) [[likely]] {
    return detail::counter();
  }
  return detail::first_ticks();
}

// Whether ticks() reads the counter, where it was called before; and the same two ways with the choice made
// by the caller: beside a call to clock_gettime, however seldom, a function has to save every register that
// it needs afterwards.
enum class By : bool { kSystem, kCounter };
[[nodiscard]] inline bool has_counter() { return detail::uses_counter(); }
template <By by>
[[gnu::always_inline]] inline std::uint64_t ticks_by() {
  return by == By::kCounter ? detail::counter() : monotonic_ns();
}

// Takes the zero of this process; called once, before the first ticks().
void start();

// One moment on all three clocks.
struct Zero {
  std::uint64_t zero_ticks = 0;    // ticks()
  std::uint64_t zero_mono_ns = 0;  // CLOCK_MONOTONIC
  std::int64_t zero_wall_ns = 0;   // CLOCK_REALTIME
};
// A zero, and the nanoseconds that a tick takes, measured from then to now.
struct Rate : Zero {
  double ns_per_tick = 1.0;
};
[[nodiscard]] Rate rate_since(const Zero& zero);
[[nodiscard]] Zero zero();  // of start()
[[nodiscard]] inline Rate rate() { return rate_since(zero()); }

}  // namespace toto::clock
