// SPDX-License-Identifier: BSD-3-Clause
#include "hints/tuner/arms.h"

#include <gtest/gtest.h>

#include <vector>

namespace toto::tuner {
namespace {

std::vector<std::uint32_t> counts(const ArmsOf& what) {
  const Arms arms = arms_of(what);
  return {arms.all().begin(), arms.all().end()};
}
using Counts = std::vector<std::uint32_t>;

TEST(Arms, ArePowersOfTwoUpToTheTargetsAndTheTargetsThemselves) {
  EXPECT_EQ(counts({.targets = 8}), (Counts{1, 2, 4, 8}));
  EXPECT_EQ(counts({.targets = 28}), (Counts{1, 2, 4, 8, 16, 28}));
  EXPECT_EQ(counts({.targets = 1}), (Counts{1}));
}

TEST(Arms, HoldHalfOfTheNodesTheNodesAndTwiceTheNodes) {
  EXPECT_EQ(counts({.targets = 32, .nodes = 6}), (Counts{1, 2, 3, 4, 6, 8, 12, 16, 32}));
  EXPECT_EQ(counts({.targets = 32, .nodes = 20}), (Counts{1, 2, 4, 8, 10, 16, 20, 32}));
}

TEST(Arms, OfCollectiveFamiliesHaveManyDivisors) {
  EXPECT_EQ(counts({.targets = 28, .nodes = 7, .collective = true}), (Counts{1, 2, 3, 4, 8, 16}));
  EXPECT_EQ(counts({.targets = 24, .nodes = 3, .collective = true}), (Counts{1, 2, 3, 4, 6, 8, 16, 24}));
}

TEST(Arms, HoldTheStartWhateverItIs) {
  EXPECT_EQ(counts({.targets = 0, .start = 5}), (Counts{5}));
  EXPECT_EQ(counts({.targets = 16, .collective = true, .start = 7}), (Counts{1, 2, 4, 7, 8, 16}));
}

TEST(Arms, OfTheLargestFileSystemFit) {
  const Arms arms = arms_of({.targets = 100'000, .nodes = 901, .start = 72});
  EXPECT_EQ(arms.all().back(), 1802U);
  EXPECT_LE(arms.size, kMostArms - 1);  // one is left for the untuned default
}

}  // namespace
}  // namespace toto::tuner
