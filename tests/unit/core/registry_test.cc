// SPDX-License-Identifier: BSD-3-Clause
#include "core/registry.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

namespace toto::registry {
namespace {

std::uint64_t total_writes() {
  std::uint64_t sum = 0;
  area()->for_each([](File&, const std::array<Totals, kLayers>& totals,
                      void* context) { *static_cast<std::uint64_t*>(context) += totals[0][Counter::writes]; },
                   &sum);
  return sum;
}

void write_once(File& file) {
  Shard& mine = shard(file, Layer::kPosix);
  if (mine.owner != 0) {
    Owned::add(mine.counters[Counter::writes], 1);
  } else {
    Shared::add(mine.counters[Counter::writes], 1);
  }
}

// In a child: the region of a process is made once and never emptied.
template <class Body>
void in_child(Body body) {
  const pid_t pid = fork();
  if (pid == 0) {
    body();
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(Registry, APathHasOneSlotAndAThreadOneShardALayer) {
  in_child([] {
    ASSERT_TRUE(start());
    File* file = find_or_add("/s/a");
    EXPECT_EQ(find_or_add("/s/a"), file);
    EXPECT_NE(find_or_add("/s/b"), file);
    EXPECT_EQ(file->path(), "/s/a");
    EXPECT_EQ(&shard(*file, Layer::kPosix), &shard(*file, Layer::kPosix));
    EXPECT_NE(&shard(*file, Layer::kPosix), &shard(*file, Layer::kMpiIo));
    Shard* mine = &shard(*file, Layer::kPosix);
    std::thread([&] { EXPECT_NE(&shard(*file, Layer::kPosix), mine); }).join();
  });
}

TEST(Registry, MoreFilesThanRoomFoldAndLoseNothing) {
  in_child([] {
    ASSERT_TRUE(start());
    for (int i = 0; i < 20'000; ++i)
      write_once(*find_or_add("/scratch/out/step." + std::to_string(i) + ".dat"));
    for (int i = 0; i < 3'000; ++i)
      write_once(*find_or_add("/" + std::string(200, 'x') + std::string(1, static_cast<char>('a' + i % 26)) +
                              "/f" + std::to_string(i)));
    EXPECT_EQ(total_writes(), 23'000U);
    EXPECT_TRUE(find_or_add("/scratch/out/step.999999.dat")->folded);
    EXPECT_EQ(find_or_add("/scratch/out/step.999999.dat")->path(), "/scratch/out/step.#.dat");
  });
}

TEST(Registry, ManyThreadsOnManyFilesCountExactly) {
  in_child([] {
    ASSERT_TRUE(start());
    std::vector<std::thread> threads;
    for (int t = 0; t < 16; ++t) {
      threads.emplace_back([] {
        for (int i = 0; i < 5'000; ++i) write_once(*find_or_add("/s/f" + std::to_string(i % 300)));
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(total_writes(), 80'000U);
  });
}

TEST(Registry, WhatAForkedChildCountsIsThereHoweverItEnds) {
  in_child([] {
    ASSERT_TRUE(start());
    File* file = find_or_add("/s/a");
    write_once(*file);
    const pid_t pid = fork();
    if (pid == 0) {
      after_fork();
      write_once(*find_or_add("/s/a"));
      write_once(*find_or_add("/s/of the child"));
      _exit(0);
    }
    waitpid(pid, nullptr, 0);
    write_once(*file);
    EXPECT_EQ(total_writes(), 4U);
    EXPECT_EQ(area()->processes.load(), 2U);
  });
}

TEST(Registry, AnOutcomeIsKeptWithItsHintsAndReplacedByALaterOne) {
  in_child([] {
    ASSERT_TRUE(start());
    File* file = find_or_add("/s/a");
    EXPECT_EQ(file->outcome(), nullptr);
    Outcome first;
    first.reason = "because";
    ASSERT_TRUE(keep_outcome(*file, first));
    EXPECT_EQ(file->outcome()->reason.view(), "because");
    EXPECT_EQ(file->outcome()->hint_count, 0U);
    Outcome later;
    later.add("cb_nodes", "4", Origin::kPrior);
    later.add("cb_buffer_size", "1", Origin::kPrior);
    ASSERT_TRUE(keep_outcome(*file, later));
    ASSERT_EQ(file->outcome()->hint_count, 2U);
    EXPECT_EQ(file->outcome()->all_hints()[1].key.view(), "cb_buffer_size");
    ASSERT_TRUE(keep_outcome(*file, first));
    EXPECT_EQ(file->outcome()->hint_count, 0U);
  });
}

}  // namespace
}  // namespace toto::registry
