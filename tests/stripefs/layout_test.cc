// SPDX-License-Identifier: BSD-3-Clause
//
// Which bytes go where.
#include "layout.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <map>

namespace toto::stripefs {
namespace {

constexpr std::uint64_t kMebi = 1 << 20;

Component Placed(Placer& placer, Wish wish, std::uint64_t start = 0, std::uint64_t end = kEndOfFile) {
  Component part;
  part.start = start;
  part.end = end;
  part.wish = std::move(wish);
  EXPECT_EQ(placer.Place(part), 0);
  return part;
}

Wish Striped(std::uint32_t count, std::uint64_t unit = kMebi) {
  Wish wish;
  wish.count = count;
  wish.unit = unit;
  return wish;
}

std::map<std::uint32_t, std::uint64_t> BytesPerTarget(const std::vector<Component>& parts,
                                                      std::uint64_t offset, std::uint64_t length) {
  std::map<std::uint32_t, std::uint64_t> bytes;
  for (const Share& share : Split(parts, offset, length)) bytes[share.target] += share.bytes();
  return bytes;
}

using Bytes = std::map<std::uint32_t, std::uint64_t>;

TEST(Split, GoesRoundTheTargetsStripeByStripe) {
  Placer placer(8, 1, kMebi);
  const std::vector<Component> parts = {Placed(placer, Striped(4))};
  EXPECT_EQ(BytesPerTarget(parts, 0, 4 * kMebi), (Bytes{{0, kMebi}, {1, kMebi}, {2, kMebi}, {3, kMebi}}));
  EXPECT_EQ(BytesPerTarget(parts, 4 * kMebi, kMebi), (Bytes{{0, kMebi}}));
}

TEST(Split, CutsAnUnalignedRequestAtStripeBorders) {
  Placer placer(8, 1, kMebi);
  const std::vector<Component> parts = {Placed(placer, Striped(2))};
  EXPECT_EQ(BytesPerTarget(parts, kMebi - 10, 30), (Bytes{{0, 10}, {1, 20}}));
}

TEST(Split, JoinsStripesOfAnObjectIntoOneShare) {
  Placer placer(8, 1, kMebi);
  const std::vector<Component> parts = {Placed(placer, Striped(2, kUnitGrain))};
  const auto shares = Split(parts, 0, 8 * kUnitGrain);
  ASSERT_EQ(shares.size(), 2U);
  EXPECT_EQ(shares[0].begin, 0U);
  EXPECT_EQ(shares[0].end, 4 * kUnitGrain);
}

TEST(Split, OneStripeMeansOneTargetForEver) {
  Placer placer(8, 1, kMebi);
  const std::vector<Component> parts = {Placed(placer, Striped(1))};
  EXPECT_EQ(BytesPerTarget(parts, 0, 100 * kMebi), (Bytes{{0, 100 * kMebi}}));
}

TEST(Split, ObjectsOfLimitedSizeGoOnToTheNextTarget) {
  Placer placer(4, 1, kMebi);
  Wish wish = Striped(1);
  wish.object_size = 2 * kMebi;
  const std::vector<Component> parts = {Placed(placer, wish)};
  EXPECT_EQ(BytesPerTarget(parts, 0, 6 * kMebi), (Bytes{{0, 2 * kMebi}, {1, 2 * kMebi}, {2, 2 * kMebi}}));
}

TEST(Split, ComponentsServeTheirOwnPartOfTheFile) {
  Placer placer(8, 1, kMebi);
  const std::vector<Component> parts = {Placed(placer, Striped(1), 0, 2 * kMebi),
                                        Placed(placer, Striped(4), 2 * kMebi)};
  EXPECT_EQ(BytesPerTarget(parts, 0, 2 * kMebi), (Bytes{{0, 2 * kMebi}}));
  // The second starts at target 1, and counts its stripes from the start of the file.
  EXPECT_EQ(BytesPerTarget(parts, 2 * kMebi, 2 * kMebi), (Bytes{{3, kMebi}, {4, kMebi}}));
}

TEST(Split, WhatIsNotPlacedTouchesNoTarget) { EXPECT_TRUE(Split({Component{}}, 0, kMebi).empty()); }

TEST(Split, StandsTheEndOfTheOffsetRange) {
  Placer placer(8, 1, kMebi);
  const std::vector<Component> parts = {Placed(placer, Striped(2))};
  EXPECT_EQ(BytesPerTarget(parts, kEndOfFile - 10, 100).size(), 1U);
}

TEST(Placer, SuccessiveFilesStartWhereTheLastEnded) {
  Placer placer(8, 1, kMebi);
  EXPECT_EQ(Placed(placer, Striped(2)).stripe.targets, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(Placed(placer, Striped(4)).stripe.targets, (std::vector<std::uint32_t>{2, 3, 4, 5}));
  EXPECT_EQ(Placed(placer, Striped(4)).stripe.targets, (std::vector<std::uint32_t>{6, 7, 0, 1}));
}

TEST(Placer, ClipsSilentlyAndKnowsAll) {
  Placer placer(4, 3, 2 * kMebi);
  EXPECT_EQ(Placed(placer, Striped(100)).stripe.count, 4U);
  EXPECT_EQ(Placed(placer, Striped(kAllTargets)).stripe.count, 4U);
  const Stripe by_default = Placed(placer, Wish{}).stripe;
  EXPECT_EQ(by_default.count, 3U);
  EXPECT_EQ(by_default.unit, 2 * kMebi);
  placer.set_clip(2);
  EXPECT_EQ(Placed(placer, Striped(4)).stripe.count, 2U);
}

TEST(Placer, OverstripingPutsSeveralObjectsOnATarget) {
  Placer placer(2, 1, kMebi);
  Wish wish = Striped(5);
  wish.overstripe = true;
  EXPECT_EQ(Placed(placer, wish).stripe.targets, (std::vector<std::uint32_t>{0, 1, 0, 1, 0}));
  wish.count = 2;
  EXPECT_FALSE(Placed(placer, wish).wish.overstripe);
}

TEST(Placer, ABoundedComponentGetsNoMoreStripesThanItHolds) {
  Placer placer(8, 1, kMebi);
  EXPECT_EQ(Placed(placer, Striped(8), 0, 3 * kMebi).stripe.count, 3U);
}

TEST(Placer, RefusesTargetsThatDoNotExist) {
  Placer placer(4, 1, kMebi);
  Component part;
  part.wish.first = 4;
  EXPECT_EQ(placer.Place(part), EINVAL);
  part.wish.first.reset();
  part.wish.targets = {0, 9};
  EXPECT_EQ(placer.Place(part), ENODEV);
  EXPECT_FALSE(part.placed);
}

}  // namespace
}  // namespace toto::stripefs
