// SPDX-License-Identifier: BSD-3-Clause
//
// Extent locks: who has to wait for whom.
#include <gtest/gtest.h>

#include "extent_lock.h"

namespace toto::stripefs {
namespace {

using std::chrono::milliseconds;

constexpr ObjectId kObject{1, 0, 0};

ExtentLocks::Request Range(std::uint64_t client, std::uint64_t begin, std::uint64_t end, bool write = true) {
  return {kObject, client, begin, end, write};
}

TEST(ExtentLocks, AreOffByDefaultAndThenCostNothing) {
  ExtentLocks locks(milliseconds(0));
  locks.Acquire(Range(1, 0, 10), milliseconds(0));
  EXPECT_EQ(locks.Acquire(Range(2, 0, 10), milliseconds(0)).handovers, 0U);
}

TEST(ExtentLocks, AClientAloneOnAnObjectNeverHandsOver) {
  ExtentLocks locks(milliseconds(3));
  for (std::uint64_t at = 0; at < 100; ++at) {
    EXPECT_EQ(locks.Acquire(Range(1, at, at + 1), milliseconds(0)).handovers, 0U);
  }
}

TEST(ExtentLocks, AHandoverWaitsForTheHoldersDataAndTheFixedTime) {
  ExtentLocks locks(milliseconds(3));
  locks.Acquire(Range(1, 0, 10), milliseconds(0));
  locks.Dirty(Range(1, 0, 10), milliseconds(40));
  const auto grant = locks.Acquire(Range(2, 20, 30), milliseconds(1));
  EXPECT_EQ(grant.ready, milliseconds(43));
  EXPECT_EQ(grant.handovers, 1U);
}

TEST(ExtentLocks, ReadersDoNotDisturbEachOther) {
  ExtentLocks locks(milliseconds(3));
  locks.Acquire(Range(1, 0, 10, false), milliseconds(0));
  EXPECT_EQ(locks.Acquire(Range(2, 0, 10, false), milliseconds(0)).handovers, 0U);
  EXPECT_EQ(locks.Acquire(Range(3, 0, 10, true), milliseconds(0)).handovers, 2U);
}

TEST(ExtentLocks, ClientsOnSegmentsOfTheirOwnSettleDown) {
  ExtentLocks locks(milliseconds(3));
  constexpr std::uint64_t kSegment = 100;
  std::uint64_t handovers = 0;
  std::uint64_t late = 0;
  for (std::uint64_t step = 0; step < kSegment; ++step) {
    for (std::uint64_t client = 0; client < 4; ++client) {
      const std::uint64_t at = client * kSegment + step;
      const std::uint64_t count = locks.Acquire(Range(client, at, at + 1), milliseconds(0)).handovers;
      (step < 4 ? handovers : late) += count;
    }
  }
  EXPECT_GT(handovers, 0U);
  EXPECT_EQ(late, 0U);
}

TEST(ExtentLocks, InterleavedClientsHandOverAgainAndAgain) {
  ExtentLocks locks(milliseconds(3));
  std::uint64_t handovers = 0;
  for (std::uint64_t at = 0; at < 100; ++at) {
    handovers += locks.Acquire(Range(at % 2, at, at + 1), milliseconds(0)).handovers;
  }
  EXPECT_GE(handovers, 90U);
}

TEST(ExtentLocks, AFilesLocksGoWithIt) {
  ExtentLocks locks(milliseconds(3));
  locks.Acquire(Range(1, 0, 10), milliseconds(0));
  locks.ForgetFile(kObject.file);
  EXPECT_EQ(locks.Acquire(Range(2, 0, 10), milliseconds(0)).handovers, 0U);
}

}  // namespace
}  // namespace toto::stripefs
