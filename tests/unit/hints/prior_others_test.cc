// SPDX-License-Identifier: BSD-3-Clause
// The rows of the prior for CephFS, GPFS, DAOS, NFS and others.
#include "hints/prior.h"

#include <gtest/gtest.h>

#include "tests/unit/hints/situations.h"

namespace toto::hints {
namespace {

TEST(Prior, C1SharedFilesGetFourToSixteenStripesWithinTheTargets) {
  EXPECT_EQ(row(prior(on(FileSystem::kCeph, shared(1, 2, 100)))), "C1");
  EXPECT_EQ(prior(on(FileSystem::kCeph, shared(1, 2, 100))).layout.count, 4U);
  EXPECT_EQ(prior(on(FileSystem::kCeph, shared(1, 4, 100))).layout.count, 8U);
  EXPECT_EQ(prior(on(FileSystem::kCeph, shared(100, 400, 100))).layout.count, 16U);
  EXPECT_EQ(prior(on(FileSystem::kCeph, shared(100, 400, 3))).layout.count, 2U);
  EXPECT_EQ(prior(on(FileSystem::kCeph, shared(100, 400, 0))).layout.count, 16U);
  EXPECT_FALSE(prior(on(FileSystem::kCeph, shared(100, 400, 100))).confident);
}

TEST(Prior, C1AStripeDividesTheUsualObjectOfFourMebibytes) {
  for (std::uint64_t request = 0; request <= 20 * kMiB; request += 512 * kKiB) {
    Situation s = on(FileSystem::kCeph, shared(4, 16, 100));
    s.request = request;
    EXPECT_EQ(4 * kMiB % prior(s).layout.size, 0U) << request;
    EXPECT_GE(prior(s).layout.size, kMiB) << request;
  }
}

TEST(Prior, C1CollectiveWritesAreAggregatedButSievingIsLeftAlone) {
  const Prior p = prior(on(FileSystem::kCeph, collective(4, 64, 100)));
  EXPECT_EQ(p.find("romio_cb_write"), "enable");
  EXPECT_EQ(p.find("romio_ds_write"), "");
}

TEST(Prior, C0OtherFilesKeepTheFoldersDefault) {
  EXPECT_EQ(row(prior(on(FileSystem::kCeph, serial(100, kTiB)))), "C0");
  EXPECT_EQ(row(prior(on(FileSystem::kCeph, file_per_process(64, 100, kTiB)))), "C0");
  EXPECT_EQ(row(prior(on(FileSystem::kCeph, shared(4, 16, 100, kMiB)))), "C0");
  EXPECT_EQ(prior(on(FileSystem::kCeph, serial(100))).layout.count, 0U);
}

TEST(Prior, G1BlocksAreAlignedAndNoStripesChosen) {
  Situation s = on(FileSystem::kGpfs, collective(4, 64, 0, kTiB));
  s.folder_stripe_size = 8 * kMiB;
  const Prior p = prior(s);
  EXPECT_EQ(row(p), "G1");
  EXPECT_EQ(p.layout.count, 0U);
  EXPECT_EQ(p.layout.size, 0U);
  EXPECT_EQ(p.find("striping_factor"), "");
  EXPECT_EQ(p.find("striping_unit"), "8388608");  // ROMIO's driver for GPFS aligns to it
  EXPECT_EQ(p.find("romio_cb_write"), "enable");
  EXPECT_EQ(p.find("romio_ds_write"), "disable");
  EXPECT_EQ(p.find("cb_buffer_size"), "16777216");
}

TEST(Prior, G1WithoutABlockSizeNothingIsAligned) {
  const Prior p = prior(on(FileSystem::kGpfs, collective(4, 64, 0, kTiB)));
  EXPECT_EQ(p.find("striping_unit"), "");
  EXPECT_EQ(p.find("cb_buffer_size"), "");
}

TEST(Prior, N1DataSievingIsNeverDisabledOnNfs) {
  Situation s = on(FileSystem::kNfs, collective(4, 64, 0, kTiB));
  s.folder_stripe_size = kMiB;
  const Prior p = prior(s);
  EXPECT_EQ(row(p), "N1");
  EXPECT_EQ(p.hint_count, 1U);
  EXPECT_EQ(p.find("romio_cb_write"), "enable");
}

TEST(Prior, O1UnknownFileSystemsGetCollectiveBufferingOnlyWhereItIsSafe) {
  for (const FileSystem file_system : {FileSystem::kOther, FileSystem::kDaos}) {
    const Prior p = prior(on(file_system, collective(4, 64, 16, kTiB)));
    EXPECT_EQ(p.layout.count, 0U);
    EXPECT_EQ(p.hint_count, 1U);
    EXPECT_EQ(p.find("romio_cb_write"), "enable");
    EXPECT_EQ(prior(on(file_system, shared(4, 64, 16, kTiB))).hint_count, 0U);
  }
}

TEST(Prior, D1DaosHasNoRuleForStripes) {
  EXPECT_EQ(row(prior(on(FileSystem::kDaos, shared(4, 64, 16)))), "D1");
}

TEST(Prior, D1StripesThatSomebodyChoseAreGivenAsRomiosDaosDriverReadsThem) {
  const auto given = [](std::uint32_t count, std::uint64_t size) {
    Layout chosen;
    chosen.count = count;
    chosen.size = size;
    return prior(on(FileSystem::kDaos, shared(4, 64, 16)), chosen);
  };
  EXPECT_EQ(given(4, 2 * kMiB).find("romio_daos_obj_class"), "S4");
  EXPECT_EQ(given(4, 2 * kMiB).find("romio_daos_chunk_size"), "2097152");
  EXPECT_EQ(given(1, 0).find("romio_daos_obj_class"), "S1");
  EXPECT_EQ(given(1, 0).find("romio_daos_chunk_size"), "");
  // Classes are powers of two; the widest there is stands for "all" and for more than it has.
  EXPECT_EQ(given(12, 0).find("romio_daos_obj_class"), "S8");
  EXPECT_EQ(given(kAllTargets, 0).find("romio_daos_obj_class"), "SX");
  EXPECT_EQ(given(100, 0).find("romio_daos_obj_class"), "SX");
  // Nobody chose anything: the folder's or the container's class is kept.
  EXPECT_EQ(given(0, 0).hint_count, 0U);
}

TEST(Prior, O1OtherFileSystemsHaveNoStripesToChoose) {
  EXPECT_EQ(row(prior(on(FileSystem::kOther, shared(4, 64, 16)))), "O1");
}

}  // namespace
}  // namespace toto::hints
