// SPDX-License-Identifier: BSD-3-Clause
#include "hints/targets.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace toto::hints::targets {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;
constexpr std::uint64_t kMs = 1'000'000;  // ticks are nanoseconds here

// Writers that send to a target what it has room for (a MiB), and then wait for it: the model of
// tests/stripefs, with targets of some rate each.
struct FileSystem {
  explicit FileSystem(std::vector<double> of_targets) : rates(std::move(of_targets)) {}

  // A file of so many MiB on these targets, written from a place on.
  void write(const std::vector<std::uint32_t>& on, std::uint64_t megabytes, std::uint64_t from = 0,
             std::uint64_t piece = kMiB) {
    Watch& watch = *std::make_unique<Watch>().release();
    kept.emplace_back(&watch);
    watch.begin(*table, kMiB, on);
    double now = 0;
    std::vector<double> done(on.size(), 0);
    for (std::uint64_t at = from * kMiB; at < (from + megabytes) * kMiB; at += piece) {
      const std::size_t i = at / kMiB % on.size();
      const double takes = static_cast<double>(piece) / kMiB / rates[on[i]] * 1e9;
      const double budget = 1e9 / rates[on[i]] - takes;  // what may be outstanding before this one
      const double wait = std::max(0.0, done[i] - now - budget) + 0.2 * static_cast<double>(kMs);
      now += wait;
      done[i] = std::max(done[i], now) + takes;
      watch.note(at, piece, static_cast<std::uint64_t>(wait));
    }
    clock += static_cast<std::uint64_t>(now) + kMs;
    watch.end(1, clock);
  }
  [[nodiscard]] std::vector<std::uint32_t> slow() const {
    std::array<Slow, 16> room;
    std::vector<std::uint32_t> found;
    for (const Slow& one : find(*table, room)) found.push_back(one.target);
    return found;
  }
  [[nodiscard]] std::string sentence() const {
    std::array<Slow, 16> room;
    FixedString<160> text;
    if (const auto found = find(*table, room); !found.empty()) found[0].explain(text);
    return std::string(text.view());
  }
  std::uint64_t clock = 1;
  std::vector<double> rates;
  std::unique_ptr<Table> table = std::make_unique<Table>();
  std::vector<std::unique_ptr<Watch>> kept;
};

using Numbers = std::vector<std::uint32_t>;
const Numbers kAll{0, 1, 2, 3, 4, 5, 6, 7};
FileSystem alike() { return FileSystem(std::vector<double>(8, 10.0)); }
FileSystem one_slow() {
  FileSystem made = alike();
  made.rates[3] = 2.5;
  return made;
}

TEST(Targets, OneThatWritersWaitForIsFoundAfterAFewFiles) {
  FileSystem there = one_slow();
  there.write(kAll, 32);
  EXPECT_EQ(there.slow(), Numbers{});
  for (int i = 0; i < 4; ++i) there.write(kAll, 32);
  EXPECT_EQ(there.slow(), Numbers{3});
  EXPECT_EQ(there.sentence(), "target 3 kept the writers of 5 of 5 files waiting");
}

TEST(Targets, SmallRequestsFindItToo) {
  FileSystem there = one_slow();
  for (int i = 0; i < 5; ++i) there.write(kAll, 32, 0, kMiB / 16);
  EXPECT_EQ(there.slow(), Numbers{3});
}

TEST(Targets, ThatAreAlikeAreNotSlowThoughWritersWaitForTheFirstOne) {
  FileSystem there = alike();
  for (int i = 0; i < 20; ++i) {
    there.write(kAll, 32);
    there.write(kAll, 32, 4);
    there.write(kAll, 32, 0, kMiB / 16);
    there.write({2, 3, 4, 5}, 16);
  }
  EXPECT_EQ(there.slow(), Numbers{});
}

TEST(Targets, OneThatWasSlowForTwoFilesOnlyIsNot) {
  FileSystem there = one_slow();
  for (int i = 0; i < 2; ++i) there.write(kAll, 32);
  there.rates[3] = 10;
  for (int i = 0; i < 20; ++i) there.write({4, 5, 6, 7, 0, 1, 2, 3}, 32);
  EXPECT_EQ(there.slow(), Numbers{});
}

TEST(Targets, FilesOfOneStripeAreComparedByTheirBandwidth) {
  FileSystem there = one_slow();
  for (int i = 0; i < 5; ++i) {
    for (const std::uint32_t target : kAll) there.write({target}, 16);
  }
  EXPECT_EQ(there.slow(), Numbers{3});
  const std::string sentence = there.sentence();
  EXPECT_TRUE(sentence.starts_with("target 3 takes 2.")) << sentence;
  EXPECT_NE(sentence.find(" MiB/s where its peers take 1"), std::string::npos) << sentence;
}

TEST(Targets, WhatManyProcessesSeeOfOneFileCountsOnce) {
  FileSystem there = one_slow();
  for (int i = 0; i < 20; ++i) {
    there.write(kAll, 32);
    there.clock = 1'000'000'000;  // they all end together
  }
  EXPECT_EQ(there.table->cells[3].files, 2U);
  EXPECT_EQ(there.slow(), Numbers{});
}

TEST(Targets, QuickFilesSayNothing) {
  FileSystem there = one_slow();
  for (double& rate : there.rates) rate *= 1000;
  for (int i = 0; i < 20; ++i) there.write(kAll, 32);
  EXPECT_EQ(there.slow(), Numbers{});
}

TEST(Targets, WhereManyAreSlowNoneIs) {
  FileSystem there = alike();
  for (const std::uint32_t target : {1, 3, 5}) there.rates[target] = 2.5;
  for (int i = 0; i < 10; ++i) {
    for (const std::uint32_t target : kAll) there.write({target}, 16);
  }
  EXPECT_EQ(there.slow(), Numbers{});
}

TEST(Targets, RequestsOverSeveralStripesAreNobodys) {
  FileSystem there = one_slow();
  Watch watch;
  watch.begin(*there.table, kMiB, kAll);
  for (std::uint64_t i = 0; i < 40; ++i) watch.note(i * kMiB + 1, kMiB, 100 * kMs);
  watch.end(1, 1);
  for (const Cell& cell : there.table->cells) EXPECT_EQ(cell.files, 0U);
}

}  // namespace
}  // namespace toto::hints::targets
