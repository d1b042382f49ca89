// SPDX-License-Identifier: BSD-3-Clause
//
// The time model, on a clock that the tests move.
#include "model.h"

#include <gtest/gtest.h>

namespace toto::stripefs {
namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t kMebi = 1 << 20;

// Targets of 1 MiB/10 ms.
Model::Options Slow(std::uint32_t targets) {
  Model::Options options;
  options.targets = targets;
  options.rate = 100.0 * kMebi;
  return options;
}

struct File {
  File(std::uint32_t targets, std::uint32_t count) {
    Placer placer(targets, 1, kMebi);
    parts.emplace_back();
    parts.front().wish.count = count;
    placer.Place(parts.front());
  }

  Time Transferred(Model& model, Transfer kind, Stream& stream, std::uint64_t offset, std::uint64_t length,
                   Time now, std::uint64_t client = 0) const {
    const auto shares = Split(parts, offset, length);
    return model.Submit({kind, 1, client, shares}, stream, now);
  }

  std::vector<Component> parts;
};

TEST(Model, ATargetServesOneRequestAfterTheOther) {
  Model model(Slow(1));
  const File file(1, 1);
  Stream stream;
  file.Transferred(model, Transfer::kWrite, stream, 0, kMebi, milliseconds(0));
  file.Transferred(model, Transfer::kWrite, stream, kMebi, kMebi, milliseconds(0));
  EXPECT_EQ(stream.Drained(milliseconds(0)), milliseconds(20));
}

TEST(Model, AnIdleTargetStartsWhenTheRequestArrives) {
  Model model(Slow(1));
  const File file(1, 1);
  Stream stream;
  file.Transferred(model, Transfer::kWrite, stream, 0, kMebi, milliseconds(0));
  file.Transferred(model, Transfer::kWrite, stream, 0, kMebi, milliseconds(100));
  EXPECT_EQ(stream.Drained(milliseconds(100)), milliseconds(110));
}

TEST(Model, LatencyOccupiesTheTarget) {
  Model::Options options = Slow(1);
  options.latency = milliseconds(5);
  Model model(options);
  const File file(1, 1);
  Stream stream;
  file.Transferred(model, Transfer::kWrite, stream, 0, kMebi, milliseconds(0));
  file.Transferred(model, Transfer::kWrite, stream, 0, kMebi, milliseconds(0));
  EXPECT_EQ(stream.Drained(milliseconds(0)), milliseconds(30));
}

TEST(Model, TheFirstWriteIsAnsweredAtOnceWithinTheBudget) {
  Model model(Slow(1));
  const File file(1, 1);
  Stream stream;
  EXPECT_EQ(file.Transferred(model, Transfer::kWrite, stream, 0, kMebi, milliseconds(3)), milliseconds(3));
}

TEST(Model, BeyondTheBudgetTheReplyWaitsForEarlierBytes) {
  Model model(Slow(1));
  const File file(1, 1);
  Stream stream;
  file.Transferred(model, Transfer::kWrite, stream, 0, kMebi, milliseconds(0));
  EXPECT_EQ(file.Transferred(model, Transfer::kWrite, stream, kMebi, kMebi, milliseconds(1)),
            milliseconds(10));
}

TEST(Model, TheBudgetIsPerTargetAndPerOpenFile) {
  Model model(Slow(2));
  const File file(2, 2);
  Stream one;
  Stream other;
  file.Transferred(model, Transfer::kWrite, one, 0, kMebi, milliseconds(0));
  EXPECT_EQ(file.Transferred(model, Transfer::kWrite, one, kMebi, kMebi, milliseconds(0)), milliseconds(0));
  EXPECT_EQ(file.Transferred(model, Transfer::kWrite, other, 0, kMebi, milliseconds(0)), milliseconds(0));
  EXPECT_EQ(other.Drained(milliseconds(0)), milliseconds(20));
}

TEST(Model, ReadsHaveABudgetOfTheirOwn) {
  Model::Options options = Slow(1);
  options.read_budget = 0;
  Model model(options);
  const File file(1, 1);
  Stream stream;
  EXPECT_EQ(file.Transferred(model, Transfer::kRead, stream, 0, kMebi, milliseconds(0)), milliseconds(10));
  EXPECT_EQ(file.Transferred(model, Transfer::kWrite, stream, 0, kMebi, milliseconds(0)), milliseconds(0));
  EXPECT_EQ(stream.Drained(Transfer::kRead, milliseconds(0)), milliseconds(10));
  EXPECT_EQ(stream.Drained(Transfer::kWrite, milliseconds(0)), milliseconds(20));
}

TEST(Model, AsManyStripesAsTargetsAreThatManyTimesFaster) {
  for (const std::uint32_t count : {1U, 2U, 4U, 8U}) {
    Model model(Slow(8));
    const File file(8, count);
    Stream stream;
    Time now{};
    for (std::uint64_t i = 0; i < 64; ++i) {
      now = file.Transferred(model, Transfer::kWrite, stream, i * kMebi, kMebi, now);
    }
    EXPECT_EQ(stream.Drained(now), milliseconds(640 / count)) << count;
    EXPECT_EQ(model.Makespan(), milliseconds(640 / count)) << count;
  }
}

TEST(Model, OneSlowTargetDecides) {
  Model model(Slow(4));
  model.set_rate(2, 10.0 * kMebi);
  const File file(4, 4);
  Stream stream;
  file.Transferred(model, Transfer::kWrite, stream, 0, 4 * kMebi, milliseconds(0));
  EXPECT_EQ(stream.Drained(milliseconds(0)), milliseconds(100));
}

TEST(Model, WithoutARateNothingTakesTimeButIsCounted) {
  Model::Options options = Slow(2);
  options.rate = 0;
  Model model(options);
  const File file(2, 2);
  Stream stream;
  EXPECT_EQ(file.Transferred(model, Transfer::kWrite, stream, 0, 3 * kMebi, milliseconds(7)),
            milliseconds(7));
  EXPECT_EQ(model.counters(0).bytes_written, 2 * kMebi);
  EXPECT_EQ(model.counters(1).bytes_written, kMebi);
  EXPECT_EQ(model.counters(0).writes, 1U);
  EXPECT_EQ(model.Makespan(), milliseconds(0));
}

TEST(Model, ResetForgetsCountersAndQueues) {
  Model model(Slow(1));
  const File file(1, 1);
  Stream stream;
  file.Transferred(model, Transfer::kWrite, stream, 0, 10 * kMebi, milliseconds(0));
  model.Reset();
  EXPECT_EQ(model.counters(0).bytes_written, 0U);
  Stream fresh;
  file.Transferred(model, Transfer::kWrite, fresh, 0, kMebi, milliseconds(1));
  EXPECT_EQ(fresh.Drained(milliseconds(1)), milliseconds(11));
  EXPECT_EQ(model.Makespan(), milliseconds(10));
}

TEST(Model, ALockElsewhereDelaysTheReplyButNotTheTarget) {
  Model::Options options = Slow(1);
  options.lock_handover = milliseconds(50);
  Model model(options);
  const File file(1, 1);
  Stream one;
  Stream two;
  file.Transferred(model, Transfer::kWrite, one, 0, kMebi, milliseconds(0), 1);
  EXPECT_EQ(file.Transferred(model, Transfer::kWrite, two, kMebi, kMebi, milliseconds(0), 2),
            milliseconds(60));
  EXPECT_EQ(model.counters(0).handovers, 1U);
  EXPECT_EQ(model.counters(0).lock_wait, milliseconds(60));
  // Client 2 comes back to its own range: no more waiting than for the target.
  Stream third;
  file.Transferred(model, Transfer::kWrite, third, kMebi, kMebi, milliseconds(100), 2);
  EXPECT_EQ(third.Drained(milliseconds(100)), milliseconds(110));
}

}  // namespace
}  // namespace toto::stripefs
