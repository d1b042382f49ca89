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
  const double measured = rate().seconds(last - first) * 1e9;
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
  EXPECT_GT(measured.seconds(first - measured.zero_ticks) * 1e9, 19e6);
  EXPECT_LT(measured.seconds(first - measured.zero_ticks) * 1e9, least * 1.5 + 50e6);
}

}  // namespace
}  // namespace toto::clock
