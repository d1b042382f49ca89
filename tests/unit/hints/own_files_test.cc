// SPDX-License-Identifier: BSD-3-Clause
// Files of one process each, without files: what they did is put into the counters as the wrappers do it.
#include "hints/own_files.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <tuple>

#include "core/clock.h"
#include "core/path.h"
#include "core/registry.h"

namespace toto::hints::own_files {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;
// MiB/s by the stripe count.
using Speed = std::function<double(std::uint32_t)>;
double wider_is_faster(std::uint32_t count) { return 20.0 * count; }

struct Program {
  explicit Program(std::string family) : name(std::move(family)) {
    clock::start();
    clock::ticks();
    EXPECT_TRUE(registry::start());
  }
  // One file of the program, from its creation to its close; returns its stripes.
  std::uint32_t write(std::uint64_t bytes, const Speed& speed) {
    const std::string path = "/s/" + name + "." + std::to_string(number++);
    const path::Family family = path::family(path);
    tuning::Question question;
    question.family = family;
    question.situation.file_system = FileSystem::kLustre;
    question.situation.sharing = Sharing::kSerial;
    question.situation.targets = 8;
    question.file_system = "lustre";
    question.untuned = 1;
    Ticket ticket = 0;
    answer = choose(question, ticket);
    const bool by_us = answer.count != 0 && !answer.untuned;
    const std::uint32_t count = by_us ? answer.count : 1;
    Outcome outcome;
    if (by_us) outcome.asked.count = count;
    asked(ticket, by_us, outcome);
    outcome.obtained.count = refused ? 1 : count;
    if (by_us) made(ticket, !refused, outcome);
    File& file = *registry::find_or_add(path);
    begin(ticket, file);
    const double ns = static_cast<double>(bytes) / kMiB / speed(outcome.obtained.count) * 1e9;
    Counters& counters = registry::shard(file, Layer::kPosix).counters;
    Shared::add(counters[Counter::writes], 1);
    Shared::add(counters[Counter::bytes_written], bytes);
    Shared::add(counters[Counter::write_ticks], static_cast<std::uint64_t>(ns / clock::rate().ns_per_tick));
    ended(file);
    return outcome.obtained.count;
  }
  void write_many(int files, std::uint64_t bytes, const Speed& speed) {
    for (int i = 0; i < files; ++i) write(bytes, speed);
  }
  std::string name;
  int number = 0;
  bool refused = false;
  tuning::Answer answer;
};

TEST(OwnFiles, TheRuleDecidesUntilAFileWasLarge) {
  Program program("begins");
  EXPECT_EQ(program.write(100 * kMiB, wider_is_faster), 1U);
  EXPECT_EQ(program.answer.count, 0U);
  EXPECT_EQ(program.write(100 * kMiB, wider_is_faster), 1U);
  EXPECT_EQ(program.answer.count, 1U);
  EXPECT_TRUE(program.answer.untuned);  // as the rule leaves it
  EXPECT_EQ(program.answer.sentence.view(), "1 stripe to begin with");
}

TEST(OwnFiles, TheBestCountIsFoundAndSaidWithNumbers) {
  Program program("found");
  program.write_many(20, 100 * kMiB, wider_is_faster);
  EXPECT_EQ(program.write(100 * kMiB, wider_is_faster), 8U);
  const std::string sentence(program.answer.sentence.view());
  EXPECT_NE(sentence.find("a file: 8 stripes: 160 MiB/s"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("1: 20"), std::string::npos) << sentence;
}

TEST(OwnFiles, WhereMoreStripesAreSlowerTheFolderKeepsItsDefault) {
  Program program("narrow");
  program.write_many(30, 100 * kMiB, [](std::uint32_t count) { return 200.0 / count; });
  EXPECT_EQ(program.write(100 * kMiB, wider_is_faster), 1U);
  EXPECT_TRUE(program.answer.untuned);
}

TEST(OwnFiles, SmallQuickFilesAreNotTuned) {
  Program program("small");
  for (int i = 0; i < 10; ++i) {
    program.write(kMiB, wider_is_faster);
    EXPECT_EQ(program.answer.count, 0U);
  }
}

TEST(OwnFiles, SlowFilesAreTunedHoweverSmall) {
  Program program("slow");
  program.write_many(2, 12 * kMiB, wider_is_faster);  // 0.6 s
  EXPECT_EQ(program.answer.count, 1U);
}

TEST(OwnFiles, FilesFasterThanMemoryAreNoExperiment) {
  Program program("cached");
  program.write_many(20, 100 * kMiB, [](std::uint32_t count) { return 20'000.0 * count; });
  EXPECT_EQ(program.answer.count, 1U);
  EXPECT_EQ(program.answer.sentence.view(), "1 stripe to begin with");
}

TEST(OwnFiles, AFileThatIsNotAsChosenIsNoExperiment) {
  Program program("refused");
  program.write_many(2, 100 * kMiB, wider_is_faster);
  program.refused = true;  // from now on each file gets one stripe, whatever was asked
  program.write_many(20, 100 * kMiB, wider_is_faster);
  const std::string sentence(program.answer.sentence.view());
  EXPECT_EQ(sentence.find("tried"), std::string::npos) << sentence;
}

TEST(OwnFiles, OfAnotherSizeAreTunedAnew) {
  Program program("sizes");
  program.write_many(20, 100 * kMiB, wider_is_faster);
  const auto narrow_is_faster = [](std::uint32_t count) { return 200.0 / count; };
  program.write_many(80, 1000 * kMiB, narrow_is_faster);  // fewer stripes are tried where time allows
  EXPECT_EQ(program.write(1000 * kMiB, narrow_is_faster), 1U);
}

TEST(OwnFiles, AFileThatNobodyClosesHoldsUpNobody) {
  Program program("unclosed");
  program.write_many(3, 100 * kMiB, wider_is_faster);
  tuning::Question question;
  question.family = "/s/unclosed.#";
  question.situation.targets = 8;
  question.untuned = 1;
  Ticket ticket = 0;
  std::ignore = choose(question, ticket);
  begin(ticket, *registry::find_or_add("/s/unclosed.left"));
  program.write_many(20, 100 * kMiB, wider_is_faster);
  EXPECT_EQ(program.write(100 * kMiB, wider_is_faster), 8U);
}

}  // namespace
}  // namespace toto::hints::own_files
