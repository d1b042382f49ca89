// SPDX-License-Identifier: BSD-3-Clause
#include "hints/tuner/numbers.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace toto::tuner {
namespace {

TEST(Numbers, LogarithmAndExponentialAreThoseOfTheMathematicalLibrary) {
  for (double x = 1e-12; x < 1e15; x *= 1.37) {
    EXPECT_NEAR(ln(x), std::log(x), 1e-11 * std::max(1.0, std::fabs(std::log(x)))) << x;
    EXPECT_NEAR(root(x) / std::sqrt(x), 1, 1e-12) << x;
  }
  for (double x = -40; x < 40; x += 0.173) EXPECT_NEAR(exp(x) / std::exp(x), 1, 1e-12) << x;
  EXPECT_EQ(root(0), 0);
}

TEST(Numbers, MedianOfNoneOneTwoAndMany) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median(std::array{3.0}), 3);
  EXPECT_EQ(median(std::array{3.0, 1.0}), 2);
  EXPECT_EQ(median(std::array{5.0, 1.0, 100.0}), 5);
}

}  // namespace
}  // namespace toto::tuner
