// SPDX-License-Identifier: BSD-3-Clause
#include "core/summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

namespace toto {
namespace {

FamilySummary family(const std::string& name, std::uint64_t written, std::uint64_t path = 1,
                     std::uint64_t inode = 0) {
  FamilySummary out;
  std::strncpy(out.name.data(), name.c_str(), out.name.size() - 1);
  out.ranks = 1;
  out.writers = written > 0 ? 1 : 0;
  out.add_file(path, 1, inode != 0 ? inode : path);
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

TEST(Summary, DistinctFilesAreCountedOnceWhoeverOpenedThem) {
  // Six ranks in three pairs: each pair has a file of its own.
  auto all = std::make_unique<Summary>();
  for (std::uint64_t rank = 0; rank < 6; ++rank) {
    auto one = std::make_unique<Summary>();
    one->add(family("/s/pair.#", 10, 100 + rank / 2));
    all->merge(*one);
  }
  ASSERT_EQ(all->count, 1U);
  EXPECT_EQ(all->families[0].files(), 3U);
  EXPECT_EQ(all->families[0].sum_files, 6U);
  EXPECT_FALSE(all->families[0].same_files_everywhere());
}

TEST(Summary, AFileOfManyNamesIsOneAndANameMadeAnewStaysOne) {
  auto links = std::make_unique<Summary>(), again = std::make_unique<Summary>(),
       apart = std::make_unique<Summary>();
  for (std::uint64_t rank = 0; rank < 4; ++rank) {
    auto link = std::make_unique<Summary>(), anew = std::make_unique<Summary>(),
         own = std::make_unique<Summary>();
    link->add(family("/s/f", 1, 100 + rank, 7));
    anew->add(family("/s/f", 1, 100, 7 + rank));
    own->add(family("/s/f", 1, 100 + rank, 7 + rank));
    links->merge(*link);
    again->merge(*anew);
    apart->merge(*own);
  }
  EXPECT_TRUE(links->families[0].same_files_everywhere());
  EXPECT_TRUE(again->families[0].same_files_everywhere());
  EXPECT_FALSE(apart->families[0].same_files_everywhere());
}

TEST(Summary, ARankThatOnlyLookedAtFilesDoesNotShareThem) {
  FamilySummary opened = family("/s/f", 10, 7), looked;
  looked.layers[0][Counter::stats] = 1;
  for (const bool first : {false, true}) {
    FamilySummary both = first ? opened : looked;
    both.merge(first ? looked : opened);
    EXPECT_EQ(both.ranks, 1U);
    EXPECT_EQ(both.files(), 1U);
    EXPECT_TRUE(both.same_files_everywhere());
  }
}

TEST(Summary, TheSlowestRankIsTheSameInAnyOrder) {
  FamilySummary a = family("/s/f", 10), b = a, c = a;
  a.slowest_ns = 5, a.slowest_rank = 2;
  b.slowest_ns = 9, b.slowest_rank = 1;
  c.slowest_ns = 9, c.slowest_rank = 0;
  FamilySummary up = a, down = c;
  up.merge(b), up.merge(c);
  down.merge(b), down.merge(a);
  EXPECT_EQ(up.slowest_rank, 0U);
  EXPECT_EQ(down.slowest_rank, 0U);
  EXPECT_EQ(up.slowest_ns, 9U);
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

TEST(Summary, AFamilyFoldedOnManyRanksIsCountedOnceAndLacksNoMoreThanTheRest) {
  auto all = std::make_unique<Summary>();
  std::uint64_t of_one = 0;  // of a family that is heavy on one rank and light on the others
  for (int rank = 0; rank < 8; ++rank) {
    auto mine = std::make_unique<Summary>();
    for (std::size_t i = 0; i < Summary::kFamilies + 10; ++i) {
      const std::uint64_t bytes = i < 11 ? (i == 0 && rank == 3 ? 5000 : 10) : 1000;
      if (i == 0) of_one += bytes;
      mine->add(family("/s/" + std::string(i + 1, 'a'), bytes));
    }
    all->merge(*mine);
  }
  EXPECT_EQ(all->folded.count(), 11U);
  const auto end = all->families.begin() + static_cast<std::ptrdiff_t>(all->count);
  const auto found =
      std::find_if(all->families.begin(), end, [](const auto& f) { return f.name_view() == "/s/a"; });
  ASSERT_NE(found, end);
  EXPECT_LE(found->bytes(), of_one);
  EXPECT_GE(found->bytes() + all->rest.bytes(), of_one);
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
