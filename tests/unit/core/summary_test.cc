// SPDX-License-Identifier: BSD-3-Clause
#include "core/summary.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

namespace toto {
namespace {

FamilySummary family(const std::string& name, std::uint64_t written, std::uint64_t path = 1) {
  FamilySummary out;
  std::strncpy(out.name.data(), name.c_str(), out.name.size() - 1);
  out.ranks = out.most_files = out.sum_files = 1;
  out.writers = written > 0 ? 1 : 0;
  out.least_paths = out.most_paths = path;
  out.layers[0][Counter::bytes_written] = written;
  out.layers[0][Counter::writes] = 1;
  return out;
}

std::uint64_t bytes_of(const Summary& summary) {
  std::uint64_t sum = summary.rest.bytes();
  for (std::size_t i = 0; i < summary.count; ++i) sum += summary.families[i].bytes();
  return sum;
}

TEST(Summary, FilesOfOneFamilyInOneProcessAddUp) {
  auto summary = std::make_unique<Summary>();
  summary->add(family("/s/f#", 10, 1));
  summary->add(family("/s/f#", 20, 2));
  ASSERT_EQ(summary->count, 1U);
  EXPECT_EQ(summary->families[0].files(), 2U);
  EXPECT_EQ(summary->families[0].ranks, 1U);
  EXPECT_EQ(summary->families[0].bytes(), 30U);
}

TEST(Summary, TheSameFilesOnAllRanksAreSharedAndOthersAreNot) {
  auto a = std::make_unique<Summary>(), b = std::make_unique<Summary>();
  a->add(family("/s/shared", 10, 7));
  b->add(family("/s/shared", 10, 7));
  a->add(family("/s/own.#", 10, 1));
  b->add(family("/s/own.#", 10, 2));
  a->merge(*b);
  ASSERT_EQ(a->count, 2U);
  EXPECT_EQ(a->families[0].files(), 1U);
  EXPECT_EQ(a->families[0].ranks, 2U);
  EXPECT_EQ(a->families[0].writers, 2U);
  EXPECT_EQ(a->families[1].files(), 2U);
}

TEST(Summary, MoreFamiliesThanRoomKeepTheHeaviestAndAllBytes) {
  auto summary = std::make_unique<Summary>();
  std::uint64_t all = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const std::uint64_t bytes = (i * 37) % 100 + 1;
    all += bytes;
    summary->add(family("/s/" + std::string(i + 1, 'a'), bytes));
  }
  EXPECT_EQ(summary->count, Summary::kFamilies);
  EXPECT_EQ(bytes_of(*summary), all);
  for (std::size_t i = 0; i < summary->count; ++i) {
    EXPECT_GT(summary->families[i].bytes(), 100 - Summary::kFamilies);
  }
}

TEST(Summary, MergingManyRanksLosesNothingWhateverTheOrder) {
  auto left = std::make_unique<Summary>(), right = std::make_unique<Summary>();
  std::uint64_t all = 0;
  for (std::uint64_t rank = 0; rank < 64; ++rank) {
    auto one = std::make_unique<Summary>();
    one->processes = 1;
    for (std::uint64_t i = 0; i < 30; ++i) {
      one->add(family("/s/" + std::string(1 + (rank + i) % 60, 'b'), rank + i));
      all += rank + i;
    }
    (rank % 2 == 0 ? left : right)->merge(*one);
  }
  left->merge(*right);
  EXPECT_EQ(left->processes, 64U);
  EXPECT_EQ(bytes_of(*left), all);
}

}  // namespace
}  // namespace toto
