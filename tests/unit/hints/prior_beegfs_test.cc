// SPDX-License-Identifier: BSD-3-Clause
// The rows of the prior for BeeGFS.
#include "hints/prior.h"

#include <gtest/gtest.h>

#include "tests/unit/hints/situations.h"

namespace toto::hints {
namespace {

TEST(Prior, B1SharedFilesUseEveryTarget) {
  const Prior p = prior(on(FileSystem::kBeegfs, shared(4, 64, 24)));
  EXPECT_EQ(row(p), "B1");
  EXPECT_EQ(p.layout.count, 24U);
  EXPECT_EQ(p.layout.size, kMiB);
  EXPECT_TRUE(p.confident);
  EXPECT_FALSE(prior(on(FileSystem::kBeegfs, shared(4, 64, 33))).confident);
}

TEST(Prior, B1FilesPerProcessUseEveryTarget) {
  EXPECT_EQ(prior(on(FileSystem::kBeegfs, file_per_process(64, 24))).layout.count, 24U);
}

TEST(Prior, B1UnknownTargetsMeanAllOfThem) {
  const Prior p = prior(on(FileSystem::kBeegfs, collective(4, 64, 0)));
  EXPECT_EQ(p.layout.count, kAllTargets);
  EXPECT_EQ(p.find("striping_factor"), "-1");
  EXPECT_EQ(p.find("cb_nodes"), "");
  EXPECT_FALSE(p.confident);
}

TEST(Prior, B1CollectiveFilesAreWrittenByAggregatorsWithoutSieving) {
  const Prior p = prior(on(FileSystem::kBeegfs, collective(4, 64, 24)));
  EXPECT_EQ(p.find("romio_cb_write"), "enable");
  EXPECT_EQ(p.find("romio_ds_write"), "disable");
  EXPECT_EQ(p.find("cb_nodes"), "24");
}

TEST(Prior, B0OtherFilesKeepTheFoldersDefault) {
  EXPECT_EQ(row(prior(on(FileSystem::kBeegfs, serial(24, kTiB)))), "B0");
  EXPECT_EQ(prior(on(FileSystem::kBeegfs, serial(24, kTiB))).layout.count, 0U);
  Situation unknown = on(FileSystem::kBeegfs, shared(4, 64, 24));
  unknown.sharing = Sharing::kUnknown;
  EXPECT_EQ(prior(unknown).layout.count, 0U);
}

TEST(Prior, B3ChunksGrowOnlyForLargeRequests) {
  Situation s = on(FileSystem::kBeegfs, shared(4, 64, 24));
  s.folder_stripe_size = 512 * kKiB;
  EXPECT_EQ(prior(s).layout.size, 512 * kKiB);
  s.folder_stripe_size = 64 * kKiB;
  EXPECT_EQ(prior(s).layout.size, kMiB);
  s.request = 8 * kMiB - 1;
  EXPECT_EQ(prior(s).layout.size, kMiB);
  s.request = 8 * kMiB;
  EXPECT_EQ(prior(s).layout.size, 4 * kMiB);
}

TEST(Prior, B4ManySmallFilesGetOneTarget) {
  const Prior p = prior(on(FileSystem::kBeegfs, file_per_process(96, 24, kMiB)));
  EXPECT_EQ(row(p), "B4");
  EXPECT_EQ(p.layout.count, 1U);
  EXPECT_EQ(row(prior(on(FileSystem::kBeegfs, file_per_process(95, 24, kMiB)))), "B1");
  EXPECT_EQ(row(prior(on(FileSystem::kBeegfs, file_per_process(96, 24, kGiB)))), "B1");
  EXPECT_EQ(row(prior(on(FileSystem::kBeegfs, file_per_process(96, 24)))), "B1");
}

}  // namespace
}  // namespace toto::hints
