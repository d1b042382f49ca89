// SPDX-License-Identifier: BSD-3-Clause
// The pure parts of BeeGFS's backend, and of the folders made beforehand.
#include "hints/layout/beegfs.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "hints/layout/striping_folders.h"

namespace toto::layout {
namespace {

namespace fs = std::filesystem;

TEST(BeegfsChunk, IsAPowerOfTwoWithinItsLimits) {
  EXPECT_EQ(beegfs::chunk_size(0), 0U);  // the folder's default
  EXPECT_EQ(beegfs::chunk_size(1), 65536U);
  EXPECT_EQ(beegfs::chunk_size(65536), 65536U);
  EXPECT_EQ(beegfs::chunk_size(131071), 65536U);
  EXPECT_EQ(beegfs::chunk_size(3 << 20), 2U << 20);
  EXPECT_EQ(beegfs::chunk_size(std::uint64_t{1} << 40), 1U << 31);
}

TEST(BeegfsTargets, AreAtMostWhatItsServersTake) {
  EXPECT_EQ(beegfs::target_count(0), 0U);
  EXPECT_EQ(beegfs::target_count(256), 256U);
  EXPECT_EQ(beegfs::target_count(257), 256U);
  EXPECT_EQ(beegfs::target_count(kAllTargets), ~0U);
}

TEST(StripingFolder, NamesHaveTheSuffixALineAndACount) {
  using striping_folders::count_in;
  EXPECT_EQ(count_in("ior_8", "ior"), 8U);
  EXPECT_EQ(count_in("ior_2_16", "ior_2"), 16U);
  for (const char* name : {"ior", "ior_", "ior8", "ior_x", "ior_8x", "ior_-1", "xior_8", "ior_0", "ior_ 8",
                           "", "ior_4294967295", "ior_99999999999", "ior_8.bak"}) {
    EXPECT_EQ(count_in(name, "ior"), 0U) << name;
  }
}

TEST(StripingFolder, TheNearestFromBelowIsBest) {
  using striping_folders::is_better;
  EXPECT_TRUE(is_better(1, 0, 4));
  EXPECT_TRUE(is_better(2, 1, 4));
  EXPECT_FALSE(is_better(8, 2, 4));
  EXPECT_TRUE(is_better(2, 8, 4));
  EXPECT_TRUE(is_better(8, 16, 4));
  EXPECT_FALSE(is_better(0, 0, 4));
  EXPECT_TRUE(is_better(16, 8, kAllTargets));
}

class ChooseFolder : public ::testing::Test {
 protected:
  ChooseFolder() {
    char name[] = "/tmp/toto-striping-XXXXXX";
    prefix_ = mkdtemp(name);
  }
  ~ChooseFolder() override { fs::remove_all(prefix_); }
  [[nodiscard]] std::string chosen(std::uint32_t count, std::string_view suffix = "s") const {
    path::Path folder;
    const int error = striping_folders::choose(prefix_, suffix, count, folder);
    return error != 0 ? "errno " + std::to_string(error)
                      : std::string(folder.view().substr(std::min(folder.size(), prefix_.size() + 1)));
  }
  std::string prefix_;
};

TEST_F(ChooseFolder, TheOneOfThatCountElseTheNearest) {
  for (const char* name : {"s_2", "s_8", "s_x", "other", "t_4"}) fs::create_directory(prefix_ + "/" + name);
  EXPECT_EQ(chosen(8), "s_8");
  EXPECT_EQ(chosen(7), "s_2");
  EXPECT_EQ(chosen(100), "s_8");
  EXPECT_EQ(chosen(1), "s_2");
  EXPECT_EQ(chosen(kAllTargets), "s_8");
  EXPECT_EQ(chosen(8, "t"), "t_4");
}

TEST_F(ChooseFolder, AmongManyNames) {
  for (int i = 0; i < 1000; ++i) fs::create_directory(prefix_ + "/folder-of-somebody-" + std::to_string(i));
  fs::create_directory(prefix_ + "/s_4");
  EXPECT_EQ(chosen(6), "s_4");
}

TEST_F(ChooseFolder, WhereThereAreNone) {
  const std::string none = "errno " + std::to_string(EOPNOTSUPP);
  EXPECT_EQ(chosen(4), none);
  EXPECT_EQ(chosen(kAllTargets), none);
  EXPECT_EQ(chosen(4, ""), none);
  path::Path folder;
  EXPECT_EQ(striping_folders::choose("", "s", 4, folder), EOPNOTSUPP);
  EXPECT_EQ(striping_folders::choose("relative", "s", 4, folder), EOPNOTSUPP);
  EXPECT_EQ(striping_folders::choose(prefix_ + "/missing", "s", 4, folder), EOPNOTSUPP);
}

}  // namespace
}  // namespace toto::layout
