// SPDX-License-Identifier: BSD-3-Clause
#include "core/near.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <thread>
#include <vector>

namespace toto {
namespace {

struct Node {
  int value = 0;
  Near<Node> next;
};

TEST(Near, IsNullAtFirstAndPointsWhereItIsSetForwardsAndBackwards) {
  std::array<Node, 3> nodes;
  EXPECT_EQ(nodes[1].next.get(), nullptr);
  for (Node& to : nodes) {
    if (&to == &nodes[1]) continue;
    nodes[1].next.set(&to);
    EXPECT_EQ(nodes[1].next.get(), &to);
  }
  nodes[1].next.set(nullptr);
  EXPECT_EQ(nodes[1].next.get(), nullptr);
}

TEST(Near, MeansTheSameWhereverTheMemoryIsMapped) {
  constexpr std::size_t kBytes = 4096;
  const int fd = memfd_create("near", MFD_CLOEXEC);
  ASSERT_EQ(ftruncate(fd, kBytes), 0);
  const auto map = [&] {
    return static_cast<Node*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
  };
  Node *here = map(), *there = map();
  ASSERT_NE(here, there);
  here[7].value = 42;
  here[0].next.set(&here[7]);
  EXPECT_EQ(there[0].next.get(), &there[7]);
  EXPECT_EQ(there[0].next.get()->value, 42);
  munmap(here, kBytes);
  munmap(there, kBytes);
  close(fd);
}

TEST(Near, ReplacesOnlyWhatIsExpectedAndTellsWhatIsThere) {
  std::array<Node, 3> nodes;
  Near<Node>& near = nodes[0].next;
  Node* expected = &nodes[2];
  EXPECT_FALSE(near.replace(expected, &nodes[1]));
  EXPECT_EQ(expected, nullptr);
  EXPECT_TRUE(near.replace(expected, &nodes[1]));
  EXPECT_EQ(near.get(), &nodes[1]);
  expected = &nodes[2];
  EXPECT_FALSE(near.replace(expected, &nodes[2]));
  EXPECT_EQ(expected, &nodes[1]);
}

TEST(Near, AListThatManyThreadsPushToHoldsAllOfThem) {
  constexpr int kThreads = 8, kEach = 2000;
  std::vector<Node> nodes(kThreads * kEach + 1);
  Near<Node>& head = nodes.back().next;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        Node& mine = nodes[static_cast<std::size_t>(t * kEach + i)];
        Node* first = head.get();
        do {
          mine.next.set(first);
        } while (!head.replace(first, &mine));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  int count = 0;
  for (const Node* node = head.get(); node != nullptr; node = node->next.get()) ++count;
  EXPECT_EQ(count, kThreads * kEach);
}

}  // namespace
}  // namespace toto
