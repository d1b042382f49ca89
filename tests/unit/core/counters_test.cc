// SPDX-License-Identifier: BSD-3-Clause
#include "core/counters.h"

#include <gtest/gtest.h>

namespace toto {
namespace {

TEST(SizeBin, EachBinHoldsItsUpperBoundAndNotOneMore) {
  EXPECT_EQ(size_bin(0), 0U);
  EXPECT_EQ(size_bin(1), 0U);
  for (std::size_t bin = 0; bin + 1 < kBins; ++bin) {
    const std::uint64_t bound = std::uint64_t{1} << (kFirstBin + bin);
    EXPECT_EQ(size_bin(bound), bin) << bound;
    EXPECT_EQ(size_bin(bound + 1), bin + 1) << bound + 1;
  }
  EXPECT_EQ(size_bin(~std::uint64_t{0}), kBins - 1);
}

TEST(Totals, MergeAddsSumsKeepsMaximaAndTheFirstMomentThatIsNotZero) {
  Totals a, b;
  a[Counter::reads] = 3;
  b[Counter::reads] = 4;
  a[Counter::largest_read] = 10;
  b[Counter::largest_read] = 7;
  a[Counter::first_open] = 0;
  b[Counter::first_open] = 50;
  a.read_sizes[2] = 1;
  b.read_sizes[2] = 5;
  a.merge(b);
  EXPECT_EQ(a[Counter::reads], 7U);
  EXPECT_EQ(a[Counter::largest_read], 10U);
  EXPECT_EQ(a[Counter::first_open], 50U);
  EXPECT_EQ(a.read_sizes[2], 6U);
  Totals earlier;
  earlier[Counter::first_open] = 20;
  a.merge(earlier);
  EXPECT_EQ(a[Counter::first_open], 20U);
}

template <class How>
class Changing : public testing::Test {};
using Hows = testing::Types<Owned, Shared>;
TYPED_TEST_SUITE(Changing, Hows);

TYPED_TEST(Changing, AddsRaisesAndSetsFirsts) {
  Counters counters;
  counters.clear();
  TypeParam::add(counters[Counter::writes], 5);
  TypeParam::add(counters[Counter::writes], 0x1'0000'0000);
  TypeParam::raise(counters[Counter::end_offset], 9);
  TypeParam::raise(counters[Counter::end_offset], 4);
  first<TypeParam>(counters[Counter::first_data], 7);
  first<TypeParam>(counters[Counter::first_data], 3);
  EXPECT_EQ(counters[Counter::writes].load(), 0x1'0000'0005U);
  EXPECT_EQ(counters[Counter::end_offset].load(), 9U);
  EXPECT_EQ(counters[Counter::first_data].load(), 7U);
}

}  // namespace
}  // namespace toto
