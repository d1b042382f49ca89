// SPDX-License-Identifier: BSD-3-Clause
#include "core/time_line.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace toto {
namespace {

constexpr std::uint64_t kBin = std::uint64_t{1} << 23;  // ticks of a bin, at first
constexpr std::uint64_t kZero = 1'000'000;              // ticks

// A tick is a nanosecond, and the wall clock's zero is `wall`.
JobTimeLine as_job(const TimeLine& line, std::int64_t wall = 0, double ns_per_tick = 1.0) {
  clock::Rate rate;
  rate.zero_ticks = kZero;
  rate.zero_wall_ns = wall;
  rate.ns_per_tick = ns_per_tick;
  JobTimeLine job;
  job.add(line, rate);
  return job;
}

std::uint64_t sum(const JobTimeLine& job, std::size_t row) {
  std::uint64_t all = 0;
  for (const std::uint64_t bytes : job.bytes[row]) all += bytes;
  return all;
}

constexpr std::size_t kWritten = TimeLine::row(Layer::kPosix, true);

std::unique_ptr<TimeLine> line_with(std::initializer_list<std::array<std::uint64_t, 2>> bins_and_bytes) {
  auto line = std::make_unique<TimeLine>();
  line->start(kZero);
  for (const auto& [bin, bytes] : bins_and_bytes)
    line->add(Layer::kPosix, true, kZero + bin * kBin + kBin / 2, bytes);
  return line;
}

TEST(TimeLine, BytesAreInTheBinOfTheirEndAndInTheRowOfTheirLayerAndDirection) {
  TimeLine line;
  line.start(kZero);
  std::uint64_t bytes = 1;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio, Layer::kMpiIo}) {
    for (const bool write : {false, true}) line.add(layer, write, kZero + 7 * kBin + 1, bytes++);
  }
  const JobTimeLine job = as_job(line);
  EXPECT_EQ(job.width_ns, kBin);
  EXPECT_EQ(job.used_bins(), 8U);
  for (std::size_t row = 0; row < TimeLine::kRows; ++row) EXPECT_EQ(job.bytes[row][7], row + 1);
}

TEST(TimeLine, BinsDoubleWhenTheyAreUsedUpAndKeepTheirBytes) {
  const auto line = line_with({{0, 1}, {1, 2}, {199, 4}});
  EXPECT_EQ(as_job(*line).width_ns, kBin);
  line->add(Layer::kPosix, true, kZero + 200 * kBin, 8);
  const JobTimeLine twice = as_job(*line);
  EXPECT_EQ(twice.width_ns, 2 * kBin);
  EXPECT_EQ(twice.bytes[kWritten][0], 3U);
  EXPECT_EQ(twice.bytes[kWritten][99], 4U);
  EXPECT_EQ(twice.bytes[kWritten][100], 8U);
  line->add(Layer::kPosix, true, kZero + 100'000 * kBin, 16);  // several times at once
  const JobTimeLine later = as_job(*line);
  EXPECT_EQ(later.width_ns, 512 * kBin);
  EXPECT_EQ(later.bytes[kWritten][0], 15U);
  EXPECT_EQ(later.bytes[kWritten][100'000 / 512], 16U);
}

TEST(TimeLine, WhatEndedBeforeItsZeroIsInTheFirstBinAndNothingIsWidened) {
  TimeLine line;
  line.start(kZero);
  line.add(Layer::kPosix, true, kZero - 5, 3);
  const JobTimeLine job = as_job(line);
  EXPECT_EQ(job.width_ns, kBin);
  EXPECT_EQ(job.bytes[kWritten][0], 3U);
}

TEST(TimeLine, ThreadsThatAddWhileItWidensLoseNoByte) {
  constexpr int kThreads = 8, kEach = 20'000;
  TimeLine line;
  line.start(kZero);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&line, t] {
      for (std::uint64_t i = 0; i < kEach; ++i)
        line.add(Layer::kPosix, true, kZero + i * (kBin / 8) * static_cast<std::uint64_t>(t + 1), i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sum(as_job(line), kWritten), std::uint64_t{kThreads} * kEach * (kEach - 1) / 2);
}

TEST(TimeLine, AThreadsOwnBytesAreSeenBeforeAndAfterItsBinHasEnded) {
  TimeLine line;
  line.start(kZero);
  TimeLine::Own& own = *line.own(1);
  EXPECT_EQ(&own, line.own(1));
  EXPECT_NE(&own, line.own(2));
  EXPECT_EQ(line.move_on(own, kZero + 3 * kBin + 5), kZero + 4 * kBin);
  own.add(Layer::kPosix, true, 7);
  EXPECT_EQ(as_job(line).bytes[kWritten][3], 7U);
  line.move_on(own, kZero + 9 * kBin);
  own.add(Layer::kPosix, true, 8);
  const JobTimeLine job = as_job(line);
  EXPECT_EQ(job.bytes[kWritten][3], 7U);
  EXPECT_EQ(job.bytes[kWritten][9], 8U);
  EXPECT_EQ(sum(job, kWritten), 15U);
}

TEST(TimeLine, AThreadsOwnBytesStayWhereTheyBelongWhenAnotherThreadWidensTheBins) {
  TimeLine line;
  line.start(kZero);
  TimeLine::Own& own = *line.own(1);
  line.move_on(own, kZero + 100 * kBin);
  own.add(Layer::kPosix, true, 7);
  line.add(Layer::kPosix, true, kZero + 700 * kBin, 1);  // twice
  EXPECT_EQ(as_job(line).bytes[kWritten][25], 7U);
  line.move_on(own, kZero + 701 * kBin);
  EXPECT_EQ(as_job(line).bytes[kWritten][25], 7U);
}

TEST(TimeLine, MoreThreadsThanItHasRoomForAreTold) {
  TimeLine line;
  std::uintptr_t thread = 1;
  while (thread < 1000 && line.own(thread) != nullptr) ++thread;
  EXPECT_GT(thread, 8U);
  EXPECT_LT(thread, 1000U);
}

TEST(TimeLine, ThreadsThatAddToTheirOwnWhileItWidensLoseNoByte) {
  constexpr std::uintptr_t kThreads = 8;
  constexpr std::uint64_t kEach = 20'000;
  TimeLine line;
  line.start(kZero);
  std::vector<std::thread> threads;
  for (std::uintptr_t t = 1; t <= kThreads; ++t) {
    threads.emplace_back([&line, t] {
      TimeLine::Own& own = *line.own(t);
      std::uint64_t end = 0;
      for (std::uint64_t i = 0; i < kEach; ++i) {
        const std::uint64_t at = kZero + i * (kBin / 8) * t;
        if (at >= end) end = line.move_on(own, at);
        own.add(Layer::kPosix, true, i);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sum(as_job(line), kWritten), kThreads * kEach * (kEach - 1) / 2);
}

TEST(TimeLine, TicksBecomeNanosecondsOfTheWallClock) {
  const auto line = line_with({{10, 1}});
  const JobTimeLine job = as_job(*line, 5'000, 0.5);
  EXPECT_EQ(job.origin_ns, 5'000U);
  EXPECT_EQ(job.width_ns, kBin / 2);
  EXPECT_EQ(job.bytes[kWritten][10], 1U);
}

TEST(JobTimeLine, AnEmptyLineChangesNothing) {
  TimeLine empty;
  empty.start(kZero);
  JobTimeLine job = as_job(*line_with({{3, 1}}), 1'000);
  job.merge(JobTimeLine{});
  job.merge(as_job(empty));
  EXPECT_EQ(job.origin_ns, 1'000U);
  EXPECT_EQ(job.bytes[kWritten][3], 1U);
  JobTimeLine fresh;
  fresh.merge(job);
  EXPECT_EQ(fresh.bytes, job.bytes);
}

TEST(JobTimeLine, LinesOfDifferentOriginMeetInTime) {
  const std::int64_t later = 50 * kBin;
  JobTimeLine job = as_job(*line_with({{0, 1}, {60, 2}}), later);
  job.merge(as_job(*line_with({{0, 4}, {110, 8}})));
  EXPECT_EQ(job.origin_ns, 0U);
  EXPECT_EQ(job.width_ns, kBin);
  EXPECT_EQ(job.bytes[kWritten][0], 4U);
  EXPECT_EQ(job.bytes[kWritten][50], 1U);
  EXPECT_EQ(job.bytes[kWritten][110], 10U);
}

TEST(JobTimeLine, AFineLineIsTakenIntoACoarseOneEitherWay) {
  const JobTimeLine fine = as_job(*line_with({{0, 1}, {100, 2}}));
  const JobTimeLine coarse = as_job(*line_with({{0, 4}, {100, 8}, {390, 16}}));
  ASSERT_EQ(coarse.width_ns, 2 * kBin);
  for (const auto& [first, second] : {std::pair{fine, coarse}, std::pair{coarse, fine}}) {
    JobTimeLine job = first;
    job.merge(second);
    EXPECT_EQ(job.width_ns, 2 * kBin);
    EXPECT_EQ(job.bytes[kWritten][0], 5U);
    EXPECT_EQ(job.bytes[kWritten][50], 10U);
    EXPECT_EQ(job.bytes[kWritten][195], 16U);
  }
}

// Origins up to 300 years apart, widths of six orders of magnitude.
TEST(JobTimeLine, NoMergeLosesAByteHoweverFarTheLinesAreApart) {
  std::mt19937_64 random(1);
  JobTimeLine job;
  std::uint64_t all = 0;
  for (int i = 0; i < 300; ++i) {
    JobTimeLine one;
    one.origin_ns = random() >> (1 + random() % 40);
    one.width_ns = 1 + (random() >> (30 + random() % 30));
    for (int k = 0; k < 20; ++k) {
      const std::uint64_t bytes = random() % 1000;
      one.bytes[random() % TimeLine::kRows][random() % kTimeBins] += bytes;
      all += bytes;
    }
    job.merge(one);
  }
  std::uint64_t got = 0;
  for (std::size_t row = 0; row < TimeLine::kRows; ++row) got += sum(job, row);
  EXPECT_EQ(got, all);
}

// A crash may leave anything in its clock.
TEST(JobTimeLine, AClockThatMakesNoSenseLosesNoByteAndEnds) {
  for (const double rate : {0.0, 1e-30, 1e3}) {
    for (const std::int64_t wall : {std::int64_t{0}, std::int64_t{-1}, INT64_MAX}) {
      JobTimeLine job = as_job(*line_with({{0, 1}, {150, 2}}), 1'000);
      job.merge(as_job(*line_with({{0, 4}, {190, 8}}), wall, rate));
      EXPECT_EQ(sum(job, kWritten), 15U) << rate << " " << wall;
    }
  }
}

}  // namespace
}  // namespace toto
