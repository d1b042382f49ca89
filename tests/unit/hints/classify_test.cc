// SPDX-License-Identifier: BSD-3-Clause
// Patterns that are made, one after the other, and what the classifier says of each.
#include "hints/classify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "hints/measure.h"
#include "tests/unit/hints/simulated.h"

namespace toto::hints {
namespace {

constexpr std::uint64_t kKiB = 1024, kMiB = 1024 * kKiB;

struct Expected {
  Sharing sharing = Sharing::kSerial;
  Spatiality spatiality = Spatiality::kContiguous;
  Calls calls = Calls::kIndependent;
  Phases phases = Phases::kWrite;
  Opening opening = Opening::kOnce;
  Flushing flushing = Flushing::kSeldom;
  Alignment alignment = Alignment::kBlock;
  std::uint64_t writers = 1;
  std::uint64_t files = 1;
  std::uint64_t request = 64 * kKiB;
  Steps steps = {};
};

struct Pattern {
  std::string name;
  std::uint64_t ranks = 1;
  std::function<void(Rank&)> program;
  Expected expected;
};

// Offsets in no order, the same in each run: a page of a file of 64 MiB.
std::uint64_t somewhere(std::uint64_t& state) {
  state = state * 6364136223846793005U + 1442695040888963407U;
  return (state >> 33) % 16384 * 4 * kKiB;
}

std::string own(const Rank& rank) { return "/s/out." + std::to_string(rank.number); }

// `count` accesses of `bytes`, `distance` apart.
void writes(Open open, std::uint64_t from, std::uint64_t bytes, std::uint64_t distance, int count) {
  for (int i = 0; i < count; ++i) open.write(from + static_cast<std::uint64_t>(i) * distance, bytes);
  open.close();
}
void reads(Open open, std::uint64_t from, std::uint64_t bytes, std::uint64_t distance, int count) {
  for (int i = 0; i < count; ++i) open.read(from + static_cast<std::uint64_t>(i) * distance, bytes);
  open.close();
}

std::vector<Pattern> patterns() {
  std::vector<Pattern> all;
  const auto add = [&](const char* name, std::uint64_t ranks, Expected expected,
                       std::function<void(Rank&)> program) {
    all.push_back({name, ranks, std::move(program), expected});
  };

  // ---- one rank
  add("a file written from its beginning to its end", 1, {},
      [](Rank& r) { writes(r.open("/s/f"), 0, 64 * kKiB, 64 * kKiB, 100); });
  add("a file read so", 1, {.phases = Phases::kRead, .flushing = Flushing::kUnknown, .writers = 0},
      [](Rank& r) { reads(r.open("/s/f"), 0, 64 * kKiB, 64 * kKiB, 100); });
  add("written in one call", 1, {}, [](Rank& r) { writes(r.open("/s/f"), 0, 64 * kKiB, 0, 1); });
  add("lines into a buffered stream", 1, {.alignment = Alignment::kNone, .request = 40},
      [](Rank& r) { writes(r.open("/s/f", Layer::kStdio), 0, 40, 40, 1000); });
  add("lines, each flushed, by stdio", 1,
      {.flushing = Flushing::kEachSmallWrite, .alignment = Alignment::kNone, .request = 40}, [](Rank& r) {
        Open open = r.open("/s/f", Layer::kStdio);
        for (int i = 0; i < 1000; ++i) open.append(40).count(Counter::flushes);
        open.close();
      });
  add("lines, each flushed, by std::ofstream", 1,
      {.flushing = Flushing::kEachSmallWrite, .alignment = Alignment::kNone, .request = 20}, [](Rank& r) {
        Open open = r.open("/s/f");
        for (int i = 0; i < 500; ++i) open.append(20);
        open.close();
      });
  add("opened for each line by std::ofstream: by stdio, written by itself", 1,
      {.opening = Opening::kInLoop, .request = 12}, [](Rank& r) {
        for (int i = 0; i < 500; ++i) {
          Open stream = r.open("/s/f", Layer::kStdio);
          stream.below(Layer::kPosix).append(12);
          stream.close();
        }
      });
  add("a sync behind each record", 1, {.flushing = Flushing::kEachSmallWrite, .request = 4 * kKiB},
      [](Rank& r) {
        Open open = r.open("/s/f");
        for (int i = 0; i < 200; ++i) open.append(4 * kKiB).count(Counter::syncs);
        open.close();
      });
  add("a sync now and then", 1, {.request = 4 * kKiB}, [](Rank& r) {
    Open open = r.open("/s/f");
    for (int i = 0; i < 2000; ++i) {
      open.append(4 * kKiB);
      if (i % 10 == 9) open.count(Counter::syncs);
    }
    open.close();
  });
  add("opened for each line", 1, {.opening = Opening::kInLoop, .request = 12}, [](Rank& r) {
    for (int i = 0; i < 500; ++i) r.open("/s/f").append(12).close();
  });
  add("opened for each access, somewhere in it", 1,
      {.spatiality = Spatiality::kUnknown,
       .phases = Phases::kRead,
       .opening = Opening::kInLoop,
       .flushing = Flushing::kUnknown,
       .writers = 0,
       .request = 4 * kKiB},
      [](Rank& r) {
        std::uint64_t state = 1;
        for (int i = 0; i < 500; ++i) r.open("/s/f").read(somewhere(state) + 4 * kKiB, 4 * kKiB).close();
      });
  add("opened again at each step", 1, {.opening = Opening::kAgain}, [](Rank& r) {
    for (int step = 0; step < 10; ++step) writes(r.open("/s/f"), 0, 64 * kKiB, 64 * kKiB, 10);
  });
  add("read at random", 1,
      {.spatiality = Spatiality::kRandom,
       .phases = Phases::kRead,
       .flushing = Flushing::kUnknown,
       .writers = 0,
       .request = 4 * kKiB},
      [](Rank& r) {
        Open open = r.open("/s/f");
        std::uint64_t state = 1;
        for (int i = 0; i < 1000; ++i) open.read(somewhere(state), 4 * kKiB);
      });
  add("written at random", 1, {.spatiality = Spatiality::kRandom, .request = 4 * kKiB}, [](Rank& r) {
    Open open = r.open("/s/f");
    std::uint64_t state = 2;
    for (int i = 0; i < 1000; ++i) open.write(somewhere(state), 4 * kKiB);
  });
  add("read and written at random", 1,
      {.spatiality = Spatiality::kRandom, .phases = Phases::kMixed, .request = 4 * kKiB}, [](Rank& r) {
        Open open = r.open("/s/f");
        std::uint64_t state = 3;
        for (int i = 0; i < 500; ++i) {
          open.read(somewhere(state), 4 * kKiB);
          open.write(somewhere(state), 4 * kKiB);
        }
      });
  add("one column of a matrix", 1,
      {.spatiality = Spatiality::kStrided,
       .phases = Phases::kRead,
       .flushing = Flushing::kUnknown,
       .writers = 0,
       .request = 4 * kKiB,
       .steps = {.stride = 64 * kKiB, .block = 4 * kKiB}},
      [](Rank& r) { reads(r.open("/s/f"), 4 * kKiB, 4 * kKiB, 64 * kKiB, 200); });
  add("a few columns of it, one by one", 1,
      {.spatiality = Spatiality::kStrided,
       .request = 4 * kKiB,
       .steps = {.stride = 64 * kKiB, .block = 16 * kKiB}},
      [](Rank& r) {
        Open open = r.open("/s/f");
        for (std::uint64_t i = 0; i < 100; ++i) {
          for (std::uint64_t k = 0; k < 4; ++k) open.write(i * 64 * kKiB + k * 4 * kKiB, 4 * kKiB);
        }
      });
  add("read from its end to its beginning", 1,
      {.spatiality = Spatiality::kStrided,
       .phases = Phases::kRead,
       .flushing = Flushing::kUnknown,
       .writers = 0,
       .request = 4 * kKiB,
       .steps = {.stride = 4 * kKiB, .block = 4 * kKiB}},
      [](Rank& r) {
        Open open = r.open("/s/f");
        for (std::uint64_t i = 200; i > 0; --i) open.read(i * 4 * kKiB, 4 * kKiB);
      });
  add("forward in steps that grow", 1, {.spatiality = Spatiality::kStrided}, [](Rank& r) {
    Open open = r.open("/s/f");
    for (std::uint64_t i = 0; i < 100; ++i) open.write(i * i * 64 * kKiB, 64 * kKiB);
  });
  add("written, then read back", 1, {.phases = Phases::kSeparate, .opening = Opening::kAgain}, [](Rank& r) {
    writes(r.open("/s/f"), 0, 64 * kKiB, 64 * kKiB, 50);
    reads(r.open("/s/f"), 0, 64 * kKiB, 64 * kKiB, 50);
  });
  add("little files, each written and read back at once", 1, {.phases = Phases::kSeparate, .files = 10},
      [](Rank& r) {
        for (int i = 0; i < 10; ++i)
          r.open("/s/f" + std::to_string(i)).write(0, 64 * kKiB).read(0, 64 * kKiB).close();
      });
  add("records changed in place, one after the other", 1, {.phases = Phases::kMixed}, [](Rank& r) {
    Open open = r.open("/s/f");
    for (std::uint64_t i = 0; i < 100; ++i) {
      open.read(i * 64 * kKiB, 64 * kKiB);
      open.write(i * 64 * kKiB, 64 * kKiB);
    }
  });
  add("the same block again and again", 1, {}, [](Rank& r) { writes(r.open("/s/f"), 0, 64 * kKiB, 0, 100); });
  add("records of an odd size", 1, {.alignment = Alignment::kNone, .request = 100000},
      [](Rank& r) { writes(r.open("/s/f"), 0, 100000, 100000, 100); });
  add("blocks smaller than its stripes", 1, {.alignment = Alignment::kBlock}, [](Rank& r) {
    r.file("/s/f").stripe_size = kMiB;
    writes(r.open("/s/f"), 0, 64 * kKiB, 64 * kKiB, 100);
  });
  add("stripe by stripe", 1, {.alignment = Alignment::kStripe, .request = kMiB}, [](Rank& r) {
    r.file("/s/f").stripe_size = kMiB;
    writes(r.open("/s/f"), 0, kMiB, kMiB, 100);
  });
  add("files that were only looked at", 1,
      {.sharing = Sharing::kUnknown,
       .spatiality = Spatiality::kUnknown,
       .calls = Calls::kUnknown,
       .phases = Phases::kUnknown,
       .opening = Opening::kUnknown,
       .flushing = Flushing::kUnknown,
       .alignment = Alignment::kUnknown,
       .writers = 0,
       .files = 0,
       .request = 0},
      [](Rank& r) { ++r.shard("/s/f", Layer::kPosix).counters[Counter::stats]; });

  // ---- several ranks, a file for all
  const Expected shared{.sharing = Sharing::kShared, .writers = 8};
  add("a contiguous part a rank", 8, shared,
      [](Rank& r) { writes(r.open("/s/f"), r.number * 10 * kMiB, 64 * kKiB, 64 * kKiB, 160); });
  add("a contiguous part a rank in one call", 8, shared,
      [](Rank& r) { writes(r.open("/s/f"), r.number * 64 * kKiB, 64 * kKiB, 0, 1); });
  add("blocks of all ranks in turns", 8,
      {.sharing = Sharing::kShared,
       .spatiality = Spatiality::kStrided,
       .writers = 8,
       .steps = {.stride = 512 * kKiB, .block = 64 * kKiB}},
      [](Rank& r) { writes(r.open("/s/f"), r.number * 64 * kKiB, 64 * kKiB, 512 * kKiB, 50); });
  add("the same, each block in four calls", 8,
      {.sharing = Sharing::kShared,
       .spatiality = Spatiality::kStrided,
       .writers = 8,
       .request = 16 * kKiB,
       .steps = {.stride = 512 * kKiB, .block = 64 * kKiB}},
      [](Rank& r) {
        Open open = r.open("/s/f");
        for (std::uint64_t i = 0; i < 50; ++i) {
          for (std::uint64_t k = 0; k < 4; ++k)
            open.write(i * 512 * kKiB + r.number * 64 * kKiB + k * 16 * kKiB, 16 * kKiB);
        }
      });
  add("all ranks at random in one file", 8,
      {.sharing = Sharing::kShared, .spatiality = Spatiality::kRandom, .writers = 8, .request = 4 * kKiB},
      [](Rank& r) {
        Open open = r.open("/s/f");
        std::uint64_t state = r.number;
        for (int i = 0; i < 200; ++i) open.write(somewhere(state), 4 * kKiB);
      });
  add("all ranks read one file", 8,
      {.sharing = Sharing::kShared, .phases = Phases::kRead, .flushing = Flushing::kUnknown, .writers = 0},
      [](Rank& r) { reads(r.open("/s/f"), 0, 64 * kKiB, 64 * kKiB, 100); });
  add("one rank writes, the others read", 8,
      {.sharing = Sharing::kShared, .phases = Phases::kSeparate, .writers = 1},
      [](Rank& r) { (r.number == 0 ? writes : reads)(r.open("/s/f"), 0, 64 * kKiB, 64 * kKiB, 100); });
  add("a file a step, for all ranks", 8, {.sharing = Sharing::kShared, .writers = 8, .files = 10},
      [](Rank& r) {
        for (int step = 0; step < 10; ++step)
          writes(r.open("/s/step." + std::to_string(step)), r.number * kMiB, 64 * kKiB, 64 * kKiB, 16);
      });
  add("more of them than the sketch holds", 4, {.sharing = Sharing::kShared, .writers = 4, .files = 100},
      [](Rank& r) {
        for (int step = 0; step < 100; ++step)
          writes(r.open("/s/step." + std::to_string(step)), r.number * kMiB, 64 * kKiB, 64 * kKiB, 16);
      });

  // ---- several ranks, a file for each
  add("a file a rank", 8, {.sharing = Sharing::kFilePerProcess, .writers = 8, .files = 8},
      [](Rank& r) { writes(r.open(own(r)), 0, 64 * kKiB, 64 * kKiB, 50); });
  add("a file a rank and step", 8, {.sharing = Sharing::kFilePerProcess, .writers = 8, .files = 40},
      [](Rank& r) {
        for (int step = 0; step < 5; ++step)
          writes(r.open(own(r) + "." + std::to_string(step)), 0, 64 * kKiB, 64 * kKiB, 50);
      });
  add("a file a rank, at random", 8,
      {.sharing = Sharing::kFilePerProcess,
       .spatiality = Spatiality::kRandom,
       .writers = 8,
       .files = 8,
       .request = 4 * kKiB},
      [](Rank& r) {
        Open open = r.open(own(r));
        std::uint64_t state = r.number;
        for (int i = 0; i < 200; ++i) open.write(somewhere(state), 4 * kKiB);
      });
  add("a file for each of very many ranks", 300,
      {.sharing = Sharing::kFilePerProcess, .writers = 300, .files = 300},
      [](Rank& r) { writes(r.open(own(r)), 0, 64 * kKiB, 64 * kKiB, 5); });
  add("a file a rank, and one rank looks at all", 8,
      {.sharing = Sharing::kFilePerProcess, .writers = 8, .files = 8}, [](Rank& r) {
        writes(r.open(own(r)), 0, 64 * kKiB, 64 * kKiB, 50);
        for (int i = 0; r.number == 0 && i < 8; ++i)
          ++r.shard("/s/out." + std::to_string(i), Layer::kPosix).counters[Counter::stats];
      });
  add("one rank does it all", 8, {}, [](Rank& r) {
    if (r.number == 3) writes(r.open("/s/f"), 0, 64 * kKiB, 64 * kKiB, 50);
  });

  // ---- several ranks, files for some
  add("a file for each two ranks", 8, {.sharing = Sharing::kSubsetShared, .writers = 8, .files = 4},
      [](Rank& r) {
        writes(r.open("/s/pair." + std::to_string(r.number / 2)), r.number % 2 * 10 * kMiB, 64 * kKiB,
               64 * kKiB, 160);
      });
  add("a file a group of four, in turns", 16,
      {.sharing = Sharing::kSubsetShared,
       .spatiality = Spatiality::kStrided,
       .writers = 16,
       .files = 4,
       .steps = {.stride = 256 * kKiB, .block = 64 * kKiB}},
      [](Rank& r) {
        writes(r.open("/s/group." + std::to_string(r.number / 4)), r.number % 4 * 64 * kKiB, 64 * kKiB,
               256 * kKiB, 50);
      });
  add("a file for each two of very many ranks", 400,
      {.sharing = Sharing::kSubsetShared, .writers = 400, .files = 200}, [](Rank& r) {
        writes(r.open("/s/pair." + std::to_string(r.number / 2)), r.number % 2 * kMiB, 64 * kKiB, 64 * kKiB,
               5);
      });
  add("half of the ranks share a file, the others another", 8,
      {.sharing = Sharing::kSubsetShared, .writers = 8, .files = 2}, [](Rank& r) {
        writes(r.open(r.number < 4 ? "/s/f.1" : "/s/f.2"), r.number * 10 * kMiB, 64 * kKiB, 64 * kKiB, 160);
      });

  // ---- MPI-IO
  add("collective, written by an aggregator", 4,
      {.sharing = Sharing::kShared, .calls = Calls::kCollective, .writers = 4}, [](Rank& r) {
        Open open = r.open_by_mpi("/s/f", 4);
        for (std::uint64_t i = 0; i < 20; ++i) {
          open.mpi(Counter::collective, true, 64 * kKiB);
          if (r.number == 0) open.write(i * 256 * kKiB, 256 * kKiB);
        }
      });
  add("independent, in turns", 4,
      {.sharing = Sharing::kShared,
       .spatiality = Spatiality::kStrided,
       .writers = 4,
       .steps = {.stride = 256 * kKiB, .block = 64 * kKiB}},
      [](Rank& r) {
        Open open = r.open_by_mpi("/s/f", 4);
        for (std::uint64_t i = 0; i < 50; ++i)
          open.mpi(Counter::independent, true, 64 * kKiB).write((i * 4 + r.number) * 64 * kKiB, 64 * kKiB);
      });
  add("collective over half of the ranks each", 8,
      {.sharing = Sharing::kSubsetShared, .calls = Calls::kCollective, .writers = 8, .files = 2},
      [](Rank& r) {
        Open open = r.open_by_mpi("/s/f." + std::to_string(r.number / 4), 4);
        for (std::uint64_t i = 0; i < 20; ++i) {
          open.mpi(Counter::collective, true, 64 * kKiB);
          if (r.number % 4 == 0) open.write(i * 256 * kKiB, 256 * kKiB);
        }
      });
  add("a file a rank, by MPI-IO", 4, {.sharing = Sharing::kFilePerProcess, .writers = 4, .files = 4},
      [](Rank& r) {
        r.open(own(r)).close();  // ROMIO creates it in an open of its own
        Open open = r.open_by_mpi(own(r), 1);
        for (std::uint64_t i = 0; i < 20; ++i)
          open.mpi(Counter::independent, true, 64 * kKiB).write(i * 64 * kKiB, 64 * kKiB);
      });
  add("collective, read", 4,
      {.sharing = Sharing::kShared,
       .calls = Calls::kCollective,
       .phases = Phases::kRead,
       .flushing = Flushing::kUnknown,
       .writers = 0},
      [](Rank& r) {
        Open open = r.open_by_mpi("/s/f", 4);
        for (std::uint64_t i = 0; i < 20; ++i) {
          open.mpi(Counter::collective, false, 64 * kKiB);
          if (r.number == 0) open.read(i * 256 * kKiB, 256 * kKiB);
        }
      });
  return all;
}

TEST(Classify, EveryPatternIsWhatItWasMadeAs) {
  const std::vector<Pattern> all = patterns();
  EXPECT_GE(all.size(), 40U);
  std::set<std::string> names;
  for (const Pattern& pattern : all) {
    SCOPED_TRACE(pattern.name);
    EXPECT_TRUE(names.insert(pattern.name).second);
    const auto summary = simulate(pattern.ranks, pattern.program);
    ASSERT_EQ(summary->count, 1U);
    const FamilySummary& family = summary->families[0];
    const Expected& expected = pattern.expected;
    EXPECT_EQ(name(sharing_of(family)), name(expected.sharing));
    EXPECT_EQ(name(spatiality_of(family)), name(expected.spatiality));
    EXPECT_EQ(name(calls_of(family)), name(expected.calls));
    EXPECT_EQ(name(phases_of(family)), name(expected.phases));
    EXPECT_EQ(name(opening_of(family)), name(expected.opening));
    EXPECT_EQ(name(flushing_of(family)), name(expected.flushing));
    EXPECT_EQ(name(alignment_of(family)), name(expected.alignment));
    EXPECT_EQ(family.writers, expected.writers);
    EXPECT_EQ(request_of(calls_of_program(family)), expected.request);
    EXPECT_EQ(steps_of(family).stride, expected.steps.stride);
    EXPECT_EQ(steps_of(family).block, expected.steps.block);
    const bool exact = family.distinct.exact() || family.same_files_everywhere();
    EXPECT_NEAR(static_cast<double>(family.files()), static_cast<double>(expected.files),
                exact ? 0 : 0.39 * static_cast<double>(expected.files));
  }
}

TEST(Classify, TheOrderOfMergesDoesNotMatter) {
  for (const Pattern& pattern : patterns()) {
    SCOPED_TRACE(pattern.name);
    std::vector<std::uint64_t> order(pattern.ranks);
    for (std::uint64_t i = 0; i < pattern.ranks; ++i) order[i] = (i * 7 + 3) % pattern.ranks;
    if (std::set(order.begin(), order.end()).size() != order.size()) std::reverse(order.begin(), order.end());
    const auto one = simulate(pattern.ranks, pattern.program);
    const auto other = simulate(pattern.ranks, pattern.program, order);
    EXPECT_EQ(std::memcmp(&one->families[0], &other->families[0], sizeof(FamilySummary)), 0);
  }
}

TEST(Classify, MetadataIsHeavyWhereItTakesLongerThanTheData) {
  const auto time_in_opens = [](std::uint64_t took) {
    return simulate(1, [took](Rank& r) { r.open("/s/f").write(0, 100, 100 * kMicro).close(took); });
  };
  EXPECT_EQ(metadata_of(time_in_opens(20 * kMicro)->families[0]), Metadata::kLight);
  EXPECT_EQ(metadata_of(time_in_opens(200 * kMicro)->families[0]), Metadata::kHeavy);
}

TEST(Classify, TheReportGetsTheWordsAndTheNumbersThatTheyRestOn) {
  const auto summary = simulate(8, [](Rank& r) {
    r.file("/s/f").stripe_size = kMiB;
    writes(r.open("/s/f"), r.number * 64 * kKiB, 64 * kKiB, 512 * kKiB, 50);
  });
  const report::Pattern said = classify(summary->families[0]);
  EXPECT_EQ(said.sharing, "shared");
  EXPECT_EQ(said.spatiality, "strided");
  EXPECT_EQ(said.phases, "write");
  EXPECT_EQ(said.opening, "once");
  EXPECT_EQ(said.flushing, "seldom");
  EXPECT_EQ(said.metadata, "light");
  EXPECT_EQ(said.alignment, "block");
  EXPECT_EQ(said.stride, 512 * kKiB);
  EXPECT_EQ(said.block, 64 * kKiB);
  const auto share = [&](std::string_view name) -> std::pair<std::uint64_t, std::uint64_t> {
    for (const report::Share& one : said.shares) {
      if (one.name == name) return {one.part, one.whole};
    }
    return {};
  };
  // The first access of rank 0 follows the file's beginning; from the third on, they are strided.
  EXPECT_EQ(share("consecutive"), std::pair(std::uint64_t{1}, std::uint64_t{400}));
  EXPECT_EQ(share("sequential"), std::pair(std::uint64_t{400}, std::uint64_t{400}));
  EXPECT_EQ(share("strided"), std::pair(std::uint64_t{8 * 48}, std::uint64_t{400}));
  EXPECT_EQ(share("unaligned_block"), std::pair(std::uint64_t{0}, std::uint64_t{400}));
  // Of 16 blocks one starts a stripe.
  EXPECT_EQ(share("unaligned_stripe"), std::pair(std::uint64_t{375}, std::uint64_t{400}));
}

}  // namespace
}  // namespace toto::hints
