// SPDX-License-Identifier: BSD-3-Clause
#include "hints/waves.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>

namespace toto::hints::waves {
namespace {

Facts facts() {
  Facts made;
  made.name = std::string_view("/s/dump.#.#");
  made.targets = 8;
  made.start = made.untuned = 1;
  return made;
}

struct Job : testing::Test {
  std::unique_ptr<Table> table = std::make_unique<Table>();
  Family& family = *claim(*table, 7, facts());
};

TEST_F(Job, AFamilyIsClaimedOnceAndFoundByAll) {
  EXPECT_EQ(find(*table, 7), &family);
  EXPECT_EQ(claim(*table, 7, Facts{}), &family);
  EXPECT_EQ(family.facts.targets, 8U);
  EXPECT_EQ(find(*table, 8), nullptr);
}

TEST_F(Job, AFullTableTakesNoMoreFamilies) {
  for (std::uint64_t hash = 100; hash < 100 + kFamilies - 1; ++hash)
    EXPECT_NE(claim(*table, hash, facts()), nullptr);
  EXPECT_EQ(claim(*table, 1000, facts()), nullptr);
  EXPECT_EQ(find(*table, 1000), nullptr);
}

TEST_F(Job, FilesOpenAtTheSameTimeAreOneWaveOfTheFirstOnesCount) {
  EXPECT_EQ(join(family, 0, 4).count, 4U);
  const Place second = join(family, 0, 8);
  EXPECT_EQ(second.wave, 1U);
  EXPECT_EQ(second.count, 4U);
  leave(family, 1, 100, 7);
  EXPECT_FALSE(result(family, 1));  // one is open
  leave(family, 1, 50, 9);
  const auto found = result(family, 1);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->count, 4U);
  EXPECT_EQ(found->files, 2U);
  EXPECT_EQ(found->bytes, 150U);
  EXPECT_EQ(found->slowest_ns, 9U);
}

TEST_F(Job, AProcessHasOneFileAWave) {
  ASSERT_EQ(join(family, 0, 1).wave, 1U);
  EXPECT_EQ(join(family, 1, 2).wave, 2U);  // its second file, while the first is open
  EXPECT_EQ(join(family, 0, 9).wave, 2U);  // another process comes to the latest wave
}

TEST_F(Job, ACompleteWaveStaysAsItIs) {
  ASSERT_EQ(join(family, 0, 1).wave, 1U);
  leave(family, 1, 100, 7);
  EXPECT_EQ(join(family, 0, 2).wave, 2U);  // a new process comes late
  EXPECT_EQ(result(family, 1)->files, 1U);
}

TEST_F(Job, AFileThatWasNotMadeDoesNotCount) {
  join(family, 0, 1);
  join(family, 0, 1);
  cancel(family, 1);
  leave(family, 1, 100, 7);
  ASSERT_TRUE(result(family, 1));
  EXPECT_EQ(result(family, 1)->files, 1U);
}

TEST_F(Job, AWaveThatNobodyCloses) {  // its process was killed
  join(family, 0, 1);
  EXPECT_EQ(join(family, 0, 2).wave, 1U);
  for (std::uint32_t wave = 2; wave < 10; ++wave) EXPECT_EQ(join(family, wave - 1, 2).wave, wave);
  EXPECT_FALSE(result(family, 1));
}

TEST_F(Job, WhenTheWavesAreUsedUpThereAreNoMore) {
  for (std::uint32_t wave = 1; wave <= kWaves; ++wave) {
    ASSERT_EQ(join(family, wave - 1, 1).wave, wave);
    leave(family, wave, 1, 1);
  }
  EXPECT_EQ(join(family, kWaves, 1).wave, 0U);
  EXPECT_EQ(join(family, 0, 1).wave, 0U);
}

// Processes that write 100 files each as fast as they can: every file is in one wave, all of a wave agree on
// its count, and what was complete once never changes.
TEST(Waves, OfManyProcessesAgreeAndLoseNothing) {
  constexpr unsigned kProcesses = 6, kFiles = 20;
  struct Shared {
    Table table;
    std::array<std::array<std::atomic<std::uint32_t>, kWaves + 1>, kProcesses> counts;
    std::atomic<unsigned> files, wrong;
  };
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto* shared = static_cast<Shared*>(memory);
  Family* const family = claim(shared->table, 7, facts());
  for (unsigned process = 0; process < kProcesses; ++process) {
    if (fork() != 0) continue;
    std::uint32_t last = 0;
    std::array<std::uint32_t, kWaves + 1> complete{};
    for (unsigned i = 0; i < kFiles; ++i) {
      const Place place = join(*family, last, process + 1);
      if (place.wave == 0) break;
      if (place.wave <= last || place.count == 0) ++shared->wrong;
      last = place.wave;
      shared->counts[process][last] = place.count;
      ++shared->files;
      if (i % 3 == 0) usleep(50);
      leave(*family, last, 1, 1);
      for (std::uint32_t wave = 1; wave <= family->current; ++wave) {
        const auto found = result(*family, wave);
        if (!found) continue;
        if (found->bytes != found->files) ++shared->wrong;
        if (complete[wave] != 0 && complete[wave] != found->files) ++shared->wrong;
        complete[wave] = found->files;
      }
    }
    _exit(0);
  }
  while (wait(nullptr) > 0) {
  }
  EXPECT_EQ(shared->wrong, 0U);
  unsigned files = 0;
  for (std::uint32_t wave = 1; wave <= family->current; ++wave) {
    const auto found = result(*family, wave);
    ASSERT_TRUE(found) << wave;
    files += found->files;
    for (unsigned process = 0; process < kProcesses; ++process) {
      const std::uint32_t count = shared->counts[process][wave];
      EXPECT_TRUE(count == 0 || count == found->count) << wave;
    }
  }
  EXPECT_EQ(files, shared->files);
  munmap(memory, sizeof(Shared));
}

}  // namespace
}  // namespace toto::hints::waves
