// SPDX-License-Identifier: BSD-3-Clause
// The rows of the prior for Lustre. The sites' tables: site_tables_test.cc.
#include "hints/prior.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "tests/unit/hints/situations.h"

namespace toto::hints {
namespace {

// ---- L1, L0: files that are left alone or get one stripe

TEST(Prior, L1SerialFilesKeepTheFoldersDefault) {
  for (const std::uint64_t bytes : {std::uint64_t{0}, kMiB, kTiB}) {
    const Prior p = prior(serial(64, bytes));
    EXPECT_EQ(row(p), "L1");
    EXPECT_EQ(p.layout.count, 0U);
    EXPECT_EQ(p.layout.size, 0U);
    EXPECT_EQ(p.hint_count, 0U);
    EXPECT_TRUE(p.confident);
    EXPECT_NE(p.reason.view().find("folder's default is kept"), std::string_view::npos) << p.reason.view();
  }
}

TEST(Prior, L0UnknownSharingKeepsTheFoldersDefaultAndIsNotSure) {
  Situation s = shared(4, 64, 32, 10 * kGiB);
  s.sharing = Sharing::kUnknown;
  const Prior p = prior(s);
  EXPECT_EQ(row(p), "L0");
  EXPECT_EQ(p.layout.count, 0U);
  EXPECT_EQ(p.hint_count, 0U);
  EXPECT_FALSE(p.confident);
}

TEST(Prior, L1SmallFilesPerProcessGetOneStripe) {
  const Prior p = prior(file_per_process(4, 64, 63 * kMiB));
  EXPECT_EQ(row(p), "L1");
  EXPECT_EQ(p.layout.count, 1U);
  EXPECT_EQ(p.layout.size, kMiB);
}

TEST(Prior, L1TinySharedFilesGetOneStripe) {
  for (const Calls calls : {Calls::kUnknown, Calls::kIndependent, Calls::kCollective}) {
    Situation s = shared(16, 512, 64, 4 * kMiB - 1);
    s.calls = calls;
    const Prior p = prior(s);
    EXPECT_EQ(row(p), "L1");
    EXPECT_EQ(p.layout.count, 1U);
  }
}

// ---- L1a: small shared files

TEST(Prior, L1aASmallSharedFileKeepsSeveralStripes) {
  const Prior p = prior(collective(1, 4, 8, 30 * kMiB));
  EXPECT_EQ(p.layout.count, 8U);
  EXPECT_EQ(p.layout.size, kMiB);
}

TEST(Prior, L1aEachStripeHasAtLeastTwoMebibytes) {
  EXPECT_EQ(prior(collective(4, 64, 64, 4 * kMiB)).layout.count, 2U);
  EXPECT_EQ(prior(collective(4, 64, 64, 8 * kMiB)).layout.count, 4U);
  EXPECT_EQ(prior(collective(4, 64, 64, 16 * kMiB)).layout.count, 8U);
}

TEST(Prior, L1aMoreThanEightStripesNeedSixtyFourMebibytesEach) {
  const Prior small = prior(collective(64, 1024, 248, 512 * kMiB));
  EXPECT_EQ(small.layout.count, 8U);
  EXPECT_EQ(std::string(small.reason.view().substr(0, 7)), "L8+L1a:");
  EXPECT_EQ(prior(collective(64, 1024, 248, 16 * 64 * kMiB)).layout.count, 16U);
  EXPECT_EQ(prior(collective(64, 1024, 248, 72 * 64 * kMiB)).layout.count, 72U);
}

TEST(Prior, StripesNeverShrinkAsTheFileGrows) {
  std::uint32_t last = 0;
  for (std::uint64_t bytes = kMiB; bytes <= 64 * kTiB; bytes *= 2) {
    const std::uint32_t count = prior(collective(16, 256, 248, bytes)).layout.count;
    EXPECT_GE(count, last) << bytes;
    last = count;
  }
}

TEST(Prior, StripesNeverShrinkAsTheJobGrows) {
  for (const Calls calls : {Calls::kUnknown, Calls::kCollective}) {
    std::uint32_t last = 0;
    for (std::uint32_t nodes = 1; nodes <= 200; ++nodes) {
      Situation s = shared(nodes, nodes * 4, 100);
      s.calls = calls;
      const std::uint32_t count = prior(s).layout.count;
      EXPECT_GE(count, last) << nodes;
      last = count;
    }
  }
}

TEST(Prior, IndependentWritersHaveAtLeastHalfOfTheStripesThatAreAllowed) {
  // A multiple of the nodes, so that 37 nodes have 37 stripes of 72.
  for (std::uint32_t nodes = 18; nodes <= 200; ++nodes) {
    const Prior p = prior(independent(nodes, nodes * 4, 100, Spatiality::kContiguous, kMiB));
    EXPECT_GE(p.layout.count, 36U) << nodes;
    if (nodes < 72) {
      EXPECT_EQ(p.layout.count % nodes, 0U) << nodes;
    }
  }
}

// ---- L2, L3: a file per process

TEST(Prior, L2FilePerProcessWithManyFilesGetsOneStripe) {
  for (const std::uint64_t bytes : {std::uint64_t{0}, 10 * kGiB, kTiB}) {
    const Prior p = prior(file_per_process(64, 64, bytes));
    EXPECT_EQ(row(p), "L2");
    EXPECT_EQ(p.layout.count, 1U);
    EXPECT_EQ(p.layout.size, kMiB);
    EXPECT_TRUE(p.confident);
  }
}

TEST(Prior, L2EveryRankHasAFileEvenIfFewWereCounted) {
  Situation s = file_per_process(1, 64, 10 * kGiB);
  s.ranks = 64;
  s.nodes = 4;
  EXPECT_EQ(row(prior(s)), "L2");
  EXPECT_EQ(prior(s).layout.count, 1U);
}

TEST(Prior, L2FilesThatNearlyFillTheTargetsGetOneStripe) {
  const Prior p = prior(file_per_process(32, 64, 10 * kGiB));
  EXPECT_EQ(row(p), "L2");
  EXPECT_EQ(p.layout.count, 1U);
}

TEST(Prior, L2WithoutTheNumberOfTargetsThereIsOneStripe) {
  const Prior p = prior(file_per_process(4, 0));
  EXPECT_EQ(row(p), "L2");
  EXPECT_EQ(p.layout.count, 1U);
  EXPECT_FALSE(p.confident);
}

TEST(Prior, L3FewFilesPerProcessShareOutTheTargets) {
  EXPECT_EQ(row(prior(file_per_process(16, 64, 10 * kGiB))), "L3");
  EXPECT_EQ(prior(file_per_process(16, 64, 10 * kGiB)).layout.count, 4U);
  EXPECT_EQ(prior(file_per_process(9, 64, 10 * kGiB)).layout.count, 4U);  // 7 rounded down
  EXPECT_EQ(prior(file_per_process(2, 64, 10 * kGiB)).layout.count, 8U);  // never more than 8
  EXPECT_TRUE(prior(file_per_process(16, 64, 10 * kGiB)).confident);
}

TEST(Prior, L3HugeFilesPerProcessShareOutTheTargets) {
  const Prior p = prior(file_per_process(32, 64, 101'000'000'000));
  EXPECT_EQ(row(p), "L3");
  EXPECT_EQ(p.layout.count, 2U);
  EXPECT_FALSE(p.confident);
}

TEST(Prior, L3SmallerFilesHaveNoMoreStripesThanTheyFill) {
  EXPECT_EQ(prior(file_per_process(2, 64, 128 * kMiB)).layout.count, 2U);
}

// ---- L4: the floor by size

TEST(Prior, L4LargeFilesOfFewNodesGetTheFloorBySize) {
  const Prior p =
      prior(collective(1, 16, 248, 100 * kGiB));  // sqrt(800) = 28.3: 29 + 1 stripes, rounded down
  EXPECT_EQ(p.layout.count, 24U);
  EXPECT_EQ(std::string(p.reason.view().substr(0, 6)), "L8+L4:");
  EXPECT_EQ(prior(independent(1, 16, 248, Spatiality::kContiguous, kMiB, 100 * kGiB)).layout.count, 30U);
}

TEST(Prior, L4TheFloorNeverExceedsTheTargets) {
  EXPECT_EQ(prior(collective(1, 16, 12, 100 * kTiB)).layout.count, 12U);
}

// ---- L6: independent and strided

TEST(Prior, L6StridedIndependentWritersGetAStripePerNode) {
  for (const std::uint32_t nodes : {9U, 13U, 16U, 31U, 64U}) {
    const Prior p = prior(independent(nodes, nodes * 8, 64, Spatiality::kStrided, kMiB, 10 * kGiB));
    EXPECT_EQ(row(p), "L6");
    EXPECT_EQ(p.layout.count, nodes);  // odd and prime counts are right here
    EXPECT_FALSE(p.confident);
  }
}

TEST(Prior, L6AStripeIsARequest) {
  for (const std::uint64_t request : {64 * kKiB, 192 * kKiB, kMiB, 16 * kMiB}) {
    const Prior p = prior(independent(16, 64, 64, Spatiality::kStrided, request, 10 * kGiB));
    EXPECT_EQ(row(p), "L6");
    EXPECT_EQ(p.layout.size, request);
  }
}

TEST(Prior, L6EveryTargetHasOneNodeForItsWriter) {
  for (std::uint32_t nodes = 1; nodes <= 64; ++nodes) {
    const Prior p = prior(independent(nodes, nodes * 4, 64, Spatiality::kStrided, kMiB));
    EXPECT_EQ(nodes / std::gcd(nodes, p.layout.count), 1U) << nodes;
  }
}

TEST(Prior, L6FewNodesGetAMultipleUpToEightStripes) {
  EXPECT_EQ(prior(independent(1, 16, 64, Spatiality::kStrided, kMiB)).layout.count, 8U);
  EXPECT_EQ(prior(independent(3, 16, 64, Spatiality::kStrided, kMiB)).layout.count, 6U);
  EXPECT_EQ(prior(independent(5, 16, 64, Spatiality::kStrided, kMiB)).layout.count, 5U);
}

TEST(Prior, L6AFileOfFewRequestsGetsNoMoreStripesThanThose) {
  EXPECT_EQ(prior(independent(2, 16, 64, Spatiality::kStrided, 2 * kMiB, 10 * kMiB)).layout.count, 4U);
}

TEST(Prior, L6NeedsRequestsThatCanBeStripes) {
  for (const std::uint64_t request : {std::uint64_t{0}, 47 * kKiB, kMiB + 8, 32 * kMiB}) {
    EXPECT_EQ(row(prior(independent(16, 64, 64, Spatiality::kStrided, request))), "L7") << request;
  }
}

TEST(Prior, L6NeedsAsManyTargetsAsNodes) {
  const Prior p = prior(independent(65, 130, 64, Spatiality::kStrided, kMiB));
  EXPECT_EQ(row(p), "L7");
  EXPECT_EQ(p.layout.count, 64U);
  EXPECT_FALSE(p.confident);
}

TEST(Prior, L6NeedsARequestOfEachNodeInTheFile) {
  EXPECT_NE(row(prior(independent(16, 16, 64, Spatiality::kStrided, 4 * kMiB, 32 * kMiB))), "L6");
}

// ---- L7, L7a, L7b

TEST(Prior, L7LargeSegmentsGetFourTargetsANode) {
  const Prior p = prior(independent(5, 320, 64, Spatiality::kContiguous, 4 * kMiB, 20 * kGiB));
  EXPECT_EQ(row(p), "L7");
  EXPECT_EQ(p.layout.count, 20U);
  EXPECT_FALSE(p.confident);
}

TEST(Prior, L7TheTargetsAreSharedOutEvenlyToNodes) {
  EXPECT_EQ(prior(independent(30, 320, 64, Spatiality::kContiguous, 4 * kMiB)).layout.count, 60U);
  EXPECT_EQ(prior(independent(64, 320, 64, Spatiality::kContiguous, 4 * kMiB)).layout.count, 64U);
  EXPECT_EQ(prior(independent(640, 3200, 64, Spatiality::kContiguous, 4 * kMiB)).layout.count, 64U);
}

TEST(Prior, L7AStripeIsARequestOfWholeMebibytesUpToSixteen) {
  const auto size = [](std::uint64_t request, std::uint64_t bytes) {
    return prior(independent(4, 64, 64, Spatiality::kContiguous, request, bytes)).layout.size;
  };
  EXPECT_EQ(size(4 * kMiB, kGiB), 4 * kMiB);
  EXPECT_EQ(size(64 * kMiB, 64 * kGiB), 16 * kMiB);
  EXPECT_EQ(size(kMiB + 1, kGiB), kMiB);
  EXPECT_EQ(size(0, kGiB), kMiB);
}

TEST(Prior, L7StripesGrowWithTheFile) {
  const auto size = [](std::uint64_t bytes) { return prior(collective(16, 64, 64, bytes)).layout.size; };
  EXPECT_EQ(size(10'000'000'000), kMiB);
  EXPECT_EQ(size(10'000'000'001), 4 * kMiB);
  EXPECT_EQ(size(512'000'000'001), 16 * kMiB);
}

TEST(Prior, L7TheFoldersOwnStripeSizeIsKeptWhereNothingSpeaksAgainstIt) {
  Situation s = collective(16, 64, 64);
  s.folder_stripe_size = 4 * kMiB;
  EXPECT_EQ(prior(s).layout.size, 4 * kMiB);
  s.folder_stripe_size = 64 * kKiB;
  EXPECT_EQ(prior(s).layout.size, kMiB);
  s.folder_stripe_size = 64 * kMiB;
  EXPECT_EQ(prior(s).layout.size, kMiB);
  s.folder_stripe_size = 16 * kMiB;
  s.bytes = 30 * kMiB;  // two of its eight stripes would get something
  EXPECT_EQ(prior(s).layout.size, kMiB);
}

TEST(Prior, L7aOneNodeDrivesUpToEightTargetsTwoARank) {
  EXPECT_EQ(prior(shared(1, 2, 64)).layout.count, 4U);
  EXPECT_EQ(prior(shared(1, 3, 64)).layout.count, 6U);
  EXPECT_EQ(prior(shared(1, 4, 64)).layout.count, 8U);
  EXPECT_EQ(prior(shared(1, 128, 64)).layout.count, 8U);
  EXPECT_NE(prior(shared(1, 4, 64)).reason.view().find("+L7a:"), std::string_view::npos);
}

TEST(Prior, L7aOneNodeIsNeverSureEvenIfCollective) {
  const Prior one = prior(collective(1, 4, 8, 200 * kMiB));
  EXPECT_EQ(one.layout.count, 8U);
  EXPECT_FALSE(one.confident);
  EXPECT_TRUE(prior(collective(2, 8, 8, 200 * kMiB)).confident);
}

TEST(Prior, L7aMoreNodesDriveFourTargetsEach) {
  EXPECT_EQ(prior(shared(2, 256, 64)).layout.count, 8U);
  EXPECT_EQ(prior(shared(3, 256, 64)).layout.count, 12U);
  EXPECT_EQ(prior(shared(3, 256, 64)).reason.view().find("L7a"), std::string_view::npos);
}

TEST(Prior, L7aFourRanksOnOneNodeUseAllEightSlowTargetsFromTheFirstFileOn) {
  const Prior first = prior(shared(1, 4, 8));  // nothing is known yet but who opens it
  EXPECT_EQ(row(first), "L7b");
  EXPECT_EQ(first.layout.count, 8U);
  EXPECT_EQ(first.layout.size, kMiB);

  Situation later = collective(1, 4, 8, 30 * kMiB);
  EXPECT_EQ(prior(later).layout.count, 8U);
  later.calls = Calls::kIndependent;
  EXPECT_EQ(prior(later).layout.count, 8U);
  later.ranks = 1;  // one aggregator was seen to write for all
  EXPECT_EQ(prior(later).layout.count, 4U);
}

TEST(Prior, L7bAnUnknownSizeIsTakenForALargeOne) {
  const Prior p = prior(shared(16, 256, 248));
  EXPECT_EQ(row(p), "L7b");
  EXPECT_EQ(p.layout.count, 64U);
  EXPECT_FALSE(p.confident);
  EXPECT_NE(p.reason.view().find("size not known"), std::string_view::npos);
}

TEST(Prior, L7bUnknownCallsGetTheStripingPairAndNothingElse) {
  const Prior p = prior(shared(16, 256, 248));
  EXPECT_EQ(p.hint_count, 2U);
  EXPECT_EQ(p.find("striping_factor"), "64");
  EXPECT_EQ(p.find("striping_unit"), "1048576");
}

TEST(Prior, UnknownTargetsStillGiveAnAnswerButAnUnsureOne) {
  const Prior p = prior(collective(64, 256, 0, kTiB));
  EXPECT_EQ(p.layout.count, 72U);
  EXPECT_FALSE(p.confident);
}

// ---- L8 to L11: collective calls

TEST(Prior, L8InterleavedCollectiveCallsGetAggregatorsPerStripe) {
  const Prior p = prior(collective(16, 256, 32, 100 * kGiB));
  EXPECT_EQ(row(p), "L8");
  EXPECT_TRUE(p.confident);
  EXPECT_EQ(p.layout.count, 32U);
  EXPECT_EQ(p.layout.size, 4 * kMiB);
  EXPECT_EQ(p.find("striping_factor"), "32");
  EXPECT_EQ(p.find("striping_unit"), "4194304");
  EXPECT_EQ(p.find("romio_cb_write"), "enable");
  EXPECT_EQ(p.find("romio_ds_write"), "disable");
  EXPECT_EQ(p.find("cb_nodes"), "32");
  EXPECT_EQ(p.find("cb_config_list"), "*:2");  // 32 aggregators on 16 nodes
  EXPECT_EQ(p.find("cb_buffer_size"), "16777216");
}

TEST(Prior, L8OneAggregatorANodeNeedsNoList) {
  EXPECT_EQ(prior(collective(32, 256, 32, 100 * kGiB)).find("cb_config_list"), "");
}

TEST(Prior, L8BuffersHoldWholeStripes) {
  Situation s = collective(16, 256, 32, 100 * kGiB);
  s.request = 3 * kMiB;
  EXPECT_EQ(prior(s).layout.size, 3 * kMiB);
  EXPECT_EQ(prior(s).find("cb_buffer_size"), std::to_string(18 * kMiB));
}

TEST(Prior, L8StridedRanksAreInterleavedOnes) {
  Situation s = collective(16, 256, 32, 100 * kGiB);
  s.interleaved = false;
  EXPECT_EQ(prior(s).find("romio_cb_write"), "");
  s.spatiality = Spatiality::kStrided;
  EXPECT_EQ(prior(s).find("romio_cb_write"), "enable");
}

TEST(Prior, L8SmallPiecesAreAggregatedEvenIfNotInterleaved) {
  Situation s = collective(16, 256, 32, 100 * kGiB);
  s.interleaved = false;
  s.request = 10'000;
  EXPECT_EQ(prior(s).find("romio_cb_write"), "enable");
}

TEST(Prior, L9TinyCollectiveCallsGetAnAggregatorPerStripeThatTheyTouch) {
  Situation s = collective(16, 256, 32, 9'000'000'000);
  ASSERT_EQ(prior(s).layout.size, kMiB);
  s.call_bytes = 3 * kMiB - 1;
  EXPECT_EQ(prior(s).find("cb_nodes"), "3");
  s.call_bytes = 100;
  EXPECT_EQ(prior(s).find("cb_nodes"), "1");
  s.call_bytes = 256 * 64 * kKiB;  // not tiny any more
  EXPECT_EQ(prior(s).find("cb_nodes"), "32");
}

TEST(Prior, L10LargePiecesThatDoNotInterleaveAreLeftToTheLibrary) {
  Situation s = collective(16, 256, 32, 100 * kGiB);
  s.interleaved = false;
  s.spatiality = Spatiality::kContiguous;
  s.request = 64 * kMiB;
  const Prior p = prior(s);
  EXPECT_EQ(p.find("romio_cb_write"), "");
  EXPECT_EQ(p.find("romio_ds_write"), "");
  EXPECT_EQ(p.find("cb_nodes"), "32");
}

TEST(Prior, L11CollectiveFilesNeverHaveAPrimeOrOddNumberOfStripes) {
  for (std::uint32_t targets = 2; targets <= 200; ++targets) {
    for (const std::uint32_t nodes : {1U, 2U, 3U, 5U, 7U, 11U, 100U}) {
      for (const Calls calls : {Calls::kCollective, Calls::kUnknown}) {
        Situation s = collective(nodes, nodes * 4, targets, kTiB);
        s.calls = calls;
        const std::uint32_t count = prior(s).layout.count;
        EXPECT_EQ(count % 2, 0U) << targets << " targets, " << nodes << " nodes";
        EXPECT_LE(count, targets);
      }
    }
  }
}

TEST(Prior, L11AggregatorsAlwaysDivideTheStripes) {
  for (std::uint32_t ranks = 1; ranks <= 100; ++ranks) {
    const Prior p = prior(collective(1, ranks, 72, kTiB));
    const auto aggregators = static_cast<std::uint32_t>(std::stoul(std::string(p.find("cb_nodes"))));
    EXPECT_EQ(p.layout.count % aggregators, 0U) << ranks;
    EXPECT_LE(aggregators, ranks);
  }
}

// ---- L12 to L14

TEST(Prior, L12FilesThatAreReadGetNoLayoutAndNoWriteHints) {
  Situation s = collective(16, 256, 32, 100 * kGiB);
  s.reads_only = true;
  s.folder_stripe_size = 4 * kMiB;
  const Prior p = prior(s);
  EXPECT_EQ(row(p), "L12");
  EXPECT_EQ(p.layout.count, 0U);
  EXPECT_EQ(p.layout.size, 0U);
  for (const char* key : {"striping_factor", "striping_unit", "romio_cb_write", "romio_ds_write"}) {
    EXPECT_EQ(p.find(key), "") << key;
  }
  EXPECT_EQ(p.find("cb_buffer_size"), "16777216");
}

TEST(Prior, L13ProgressiveDefaultsAreKept) {
  Situation s = collective(16, 256, 32, 99'000'000'000);
  s.folder_is_composite = true;
  const Prior p = prior(s);
  EXPECT_EQ(row(p), "L13");
  EXPECT_EQ(p.layout.count, 0U);
  EXPECT_EQ(p.find("striping_factor"), "");  // it would replace the progressive layout
  EXPECT_EQ(p.find("romio_cb_write"), "enable");
  s.bytes = 0;
  EXPECT_EQ(row(prior(s)), "L13");
}

TEST(Prior, L13ProgressiveDefaultsAreKeptForFilesPerProcess) {
  Situation s = file_per_process(64, 64, kTiB);
  s.folder_is_composite = true;
  EXPECT_EQ(row(prior(s)), "L13");
}

TEST(Prior, L13HugeSharedFilesReplaceIt) {
  Situation s = collective(16, 256, 32, 101'000'000'000);
  s.folder_is_composite = true;
  EXPECT_EQ(row(prior(s)), "L8");
  EXPECT_EQ(prior(s).layout.count, 32U);
}

TEST(Prior, L13StridedIndependentWritersReplaceIt) {
  Situation s = independent(16, 64, 64, Spatiality::kStrided, kMiB, kGiB);
  s.folder_is_composite = true;
  EXPECT_EQ(row(prior(s)), "L6");
}

TEST(Prior, L14OverstripingIsNeverAskedFor) {
  for (std::uint32_t targets = 1; targets <= 16; ++targets) {
    EXPECT_LE(prior(collective(1000, 64'000, targets, 100 * kTiB)).layout.count, targets);
    EXPECT_LE(prior(shared(1000, 64'000, targets)).layout.count, targets);
  }
}

}  // namespace
}  // namespace toto::hints
