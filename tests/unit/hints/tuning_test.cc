// SPDX-License-Identifier: BSD-3-Clause
// The glue between decisions about shared files and the tuner: which files count, and for what.
#include "hints/tuning.h"

#include <gtest/gtest.h>

#include <string>

namespace toto::hints::tuning {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

struct Program {
  explicit Program(std::string_view family_name) : family(family_name) {
    situation.file_system = FileSystem::kLustre;
    situation.sharing = Sharing::kShared;
    situation.calls = Calls::kIndependent;
    situation.ranks = 8;
    situation.targets = 16;
    situation.bytes = 1024 * kMiB;
  }
  Answer ask() {
    const Prior rule = prior(situation);
    start = rule.layout.count;
    return choose({.family = family,
                   .situation = situation,
                   .seen = seen,
                   .file_system = "lustre",
                   .device = device,
                   .untuned = 1,
                   .prior = &rule});
  }
  // A file of the count that was chosen last, at so many MiB/s.
  void end(std::uint32_t count, std::uint64_t bytes, double speed) {
    Usage usage;
    usage.sharing = Sharing::kShared;
    observe(family, {.count = count, .bytes = bytes, .seconds = static_cast<double>(bytes) / kMiB / speed},
            usage);
    seen = true;
  }
  // As many files, each at `speed` times its stripes.
  Answer write(int files, double speed) {
    Answer answer;
    for (int i = 0; i < files; ++i) {
      answer = ask();
      const std::uint32_t count = answer.untuned ? 1 : answer.count != 0 ? answer.count : start;
      end(count, situation.bytes, speed * count);
    }
    return ask();
  }
  std::string family;
  Situation situation;
  bool seen = false;
  std::uint64_t device = 1;
  std::uint32_t start = 0;
};

TEST(Tuning, TheRuleHasTheFirstFile) {
  Program program("/s/first.#");
  EXPECT_EQ(program.ask().count, 0U);
  program.seen = true;  // by another kind of open: nothing was measured
  EXPECT_EQ(program.ask().count, 0U);
}

TEST(Tuning, AFamilyCountsOnceAFileWasLargeOrSlow) {
  Program small("/s/small.#"), large("/s/large.#"), slow("/s/slow.#");
  small.ask();
  small.end(small.start, kMiB, 100);
  EXPECT_EQ(small.ask().count, 0U);
  large.ask();
  large.end(large.start, 64 * kMiB, 1000);
  EXPECT_NE(large.ask().count, 0U);
  slow.ask();
  slow.end(slow.start, kMiB, 1);
  EXPECT_NE(slow.ask().count, 0U);
}

TEST(Tuning, WhatIsFasterThanMemoryDoesNotCount) {
  Program program("/s/cached.#");
  program.ask();
  program.end(program.start, 1024 * kMiB, 9 * 1024);
  EXPECT_EQ(program.ask().count, 0U);
  program.end(program.start, 1024 * kMiB, 7 * 1024);
  EXPECT_NE(program.ask().count, 0U);
}

TEST(Tuning, TheFirstFileIsTheTunersFirstMeasurement) {
  Program program("/s/measured.#");
  program.ask();
  program.end(program.start, program.situation.bytes, 500);
  const Answer answer = program.ask();
  EXPECT_NE(answer.sentence.view().find("500 MiB/s (1)"), std::string_view::npos) << answer.sentence.view();
}

TEST(Tuning, FindsTheBestCountAndKeepsIt) {
  Program program("/s/best.#");
  EXPECT_EQ(program.write(20, 10).count, 16U);
}

TEST(Tuning, TwoFamiliesInTurnLearnEachTheirOwn) {
  Program wide("/s/wide.#"), narrow("/s/narrow.#");
  for (int i = 0; i < 30; ++i) {
    wide.write(1, 10);
    const Answer answer = narrow.ask();
    const std::uint32_t count = answer.untuned ? 1 : answer.count != 0 ? answer.count : narrow.start;
    narrow.end(count, narrow.situation.bytes, 800.0 / count);
  }
  EXPECT_EQ(wide.ask().count, 16U);
  EXPECT_EQ(narrow.ask().count, 1U);
}

TEST(Tuning, AnotherNumberOfRanksIsAnotherSettingThatStartsFromTheBest) {
  Program program("/s/ranks.#");
  ASSERT_EQ(program.write(20, 10).count, 16U);
  program.situation.ranks = 4;
  ASSERT_NE(prior(program.situation).layout.count, 16U);
  const Answer answer = program.ask();
  EXPECT_EQ(answer.count, 16U);
  EXPECT_EQ(answer.sentence.view(), "");  // nothing was measured in it
}

TEST(Tuning, AnotherFileSystemIsTunedFromTheRule) {
  Program program("/s/device.#");
  ASSERT_EQ(program.write(20, 10).count, 16U);
  program.device = 2;
  EXPECT_EQ(program.ask().count, program.start);
}

TEST(Tuning, AnotherSizeIsMeasuredAnew) {
  Program program("/s/size.#");
  program.write(20, 10);
  program.situation.bytes *= 3;
  EXPECT_EQ(program.ask().sentence.view(), "");
}

TEST(Tuning, OnlySharedFilesOfSeveralTargetsAreTuned) {
  Program program("/s/none.#");
  program.ask();
  program.end(program.start, 1024 * kMiB, 100);
  program.situation.sharing = Sharing::kSubsetShared;
  EXPECT_EQ(program.ask().count, 0U);
  program.situation.sharing = Sharing::kShared;
  program.situation.targets = 1;
  EXPECT_EQ(program.ask().count, 0U);
}

}  // namespace
}  // namespace toto::hints::tuning
