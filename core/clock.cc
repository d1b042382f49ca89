// SPDX-License-Identifier: BSD-3-Clause
#include "core/clock.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace toto::clock {

namespace detail {
constinit bool use_counter = false;
}

namespace {

constinit Zero at_start{};

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

std::int64_t wall_ns() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

void start() {
  detail::use_counter = counter_is_constant();
  at_start.zero_wall_ns = wall_ns();
  at_start.zero_mono_ns = monotonic_ns();
  at_start.zero_ticks = ticks();
}

const Zero& zero() { return at_start; }

Rate rate_since(const Zero& zero) {
  Rate result{zero};
  if (!detail::use_counter) return result;
  const std::uint64_t mono = monotonic_ns();
  const std::uint64_t now = ticks();
  if (now > zero.zero_ticks && mono > zero.zero_mono_ns) {
    result.ns_per_tick =
        static_cast<double>(mono - zero.zero_mono_ns) / static_cast<double>(now - zero.zero_ticks);
  }
  return result;
}

}  // namespace toto::clock
