// SPDX-License-Identifier: BSD-3-Clause
#include "core/clock.h"

#include <gtest/gtest.h>

namespace toto::clock {
namespace {

TEST(Clock, TicksNeverGoBackAndTheRateFitsTheMonotonicClock) {
  start();
  const std::uint64_t first = ticks();
  const std::uint64_t mono = monotonic_ns();
  while (monotonic_ns() - mono < 20'000'000) {
  }
  const std::uint64_t last = ticks();
  const std::uint64_t took = monotonic_ns() - mono;
  ASSERT_GT(last, first);
  // Both intervals hold the same 20 ms and whatever the scheduler put between the readings.
  const double measured = static_cast<double>(last - first) * rate().ns_per_tick;
  EXPECT_GT(measured, 19e6);
  EXPECT_LT(measured, static_cast<double>(took) * 1.5 + 50e6);
}

TEST(Clock, ZeroIsTheStartHoweverLateTheFirstTicksAre) {
  const std::uint64_t before = monotonic_ns();
  start();
  const std::uint64_t after = monotonic_ns();
  while (monotonic_ns() - after < 20'000'000) {
  }
  const std::uint64_t first = ticks();
  const auto least = static_cast<double>(monotonic_ns() - after);
  const Rate measured = rate();
  EXPECT_GE(measured.zero_mono_ns, before);
  EXPECT_LE(measured.zero_mono_ns, after);
  const double since = static_cast<double>(first - measured.zero_ticks) * measured.ns_per_tick;
  EXPECT_GT(since, 19e6);
  EXPECT_LT(since, least * 1.5 + 50e6);
}

}  // namespace
}  // namespace toto::clock
