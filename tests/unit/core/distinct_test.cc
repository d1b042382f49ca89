// SPDX-License-Identifier: BSD-3-Clause
#include "core/distinct.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "core/path.h"

namespace toto {
namespace {

std::uint64_t name(int number) { return path::hash("/scratch/run/out." + std::to_string(number)); }

Distinct of(int from, int until) {
  Distinct out;
  for (int i = from; i < until; ++i) out.add(name(i));
  return out;
}

bool same(const Distinct& a, const Distinct& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

TEST(Distinct, IsExactAsLongAsAllFit) {
  EXPECT_EQ(Distinct().count(), 0U);
  for (const int n : {1, 2, 63, 64}) {
    Distinct twice = of(0, n);
    twice.merge(of(0, n));
    EXPECT_TRUE(twice.exact());
    EXPECT_EQ(twice.count(), static_cast<std::uint64_t>(n));
  }
  EXPECT_FALSE(of(0, 65).exact());
}

TEST(Distinct, IsWithinThreeStandardErrorsBeyond) {
  for (const int n : {65, 100, 1000, 10000, 100000}) {
    const auto counted = static_cast<double>(of(0, n).count());
    EXPECT_NEAR(counted, n, 0.39 * n) << n;
  }
}

TEST(Distinct, TheOrderAndGroupingOfMergesDoNotMatter) {
  for (const int step : {1, 8, 40}) {  // 12, 96 and 480 things, each on two ranks
    std::vector<Distinct> ranks;
    for (int rank = 0; rank < 12; ++rank) ranks.push_back(of(rank * step, (rank + 2) * step));
    Distinct up, down, left, right;
    for (int rank = 0; rank < 12; ++rank) {
      up.merge(ranks[rank]);
      down.merge(ranks[11 - rank]);
      (rank % 3 == 0 ? left : right).merge(ranks[rank]);
    }
    right.merge(left);
    EXPECT_TRUE(same(up, down)) << step;
    EXPECT_TRUE(same(up, right)) << step;
    EXPECT_TRUE(same(up, of(0, 13 * step))) << step;
  }
}

}  // namespace
}  // namespace toto
