// SPDX-License-Identifier: BSD-3-Clause
// Each rule on a program that deserves it, and on its twin that does not.
#include "hints/advise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/unit/hints/simulated.h"

namespace toto::hints {
namespace {

constexpr std::uint64_t kKiB = 1024, kMiB = 1024 * kKiB, kSecond = 1'000'000'000;
using Program = std::function<void(Rank&)>;

AdviceList advice_on(const Summary& summary, std::uint64_t job_ns) {
  AdviceList list;
  advise(summary, job_ns, list);
  return list;
}
AdviceList advice_on(std::uint64_t ranks, const Program& program, std::uint64_t job_ns) {
  return advice_on(*simulate(ranks, program), job_ns);
}

std::string rules_of(const AdviceList& list) {
  std::string names;
  for (const Advice& one : list) names += (names.empty() ? "" : " ") + std::string(one.rule);
  return names;
}

std::uint64_t count(const Advice& advice, std::string_view name) {
  for (const Advice::Count& one : advice.counts) {
    if (one.name == name) return one.value;
  }
  ADD_FAILURE() << "no count " << name;
  return 0;
}

void expect_text(const Advice& advice, std::string_view part) {
  EXPECT_NE(advice.remedy.view().find(part), std::string_view::npos) << advice.remedy.view();
  EXPECT_FALSE(advice.remedy.truncated()) << advice.remedy.view();
}

// The only advice of a list.
class One {
 public:
  One(const AdviceList& list, std::string_view rule) {
    EXPECT_EQ(rules_of(list), rule);
    if (list.size() > 0) advice_ = *list.begin();
  }
  const Advice* operator->() const { return &advice_; }
  const Advice& operator*() const { return advice_; }

 private:
  Advice advice_;
};

std::uint64_t somewhere(std::uint64_t& state) {
  state = state * 6364136223846793005U + 1442695040888963407U;
  return (state >> 33) % 16384 * 4 * kKiB;
}

// ---- the seeds' programs

TEST(Advise, OpenInLoop) {
  const auto program = [](int opens, int lines) {
    return [=](Rank& r) {
      for (int i = 0; i < opens; ++i) {
        Open open = r.open("/s/data_42.dat");
        for (int k = 0; k < lines / opens; ++k) open.append(20, 4 * kMicro);
        open.close();
      }
    };
  };
  const One bad(advice_on(1, program(5000, 5000), kSecond), "open-in-loop");
  EXPECT_EQ(count(*bad, "opens"), 5000U);
  EXPECT_EQ(count(*bad, "closes"), 5000U);
  EXPECT_EQ(count(*bad, "writes"), 5000U);
  EXPECT_EQ(bad->ns, 5000 * 20 * kMicro);
  EXPECT_EQ(bad->severity, Severity::kMedium);  // a tenth of a second in one
  EXPECT_EQ(bad->family, "/s/data_#.dat");
  expect_text(*bad, "Opened 5000 times by 1 process, 5000 times a file, to move 20 B each time.");
  EXPECT_EQ(rules_of(advice_on(1, program(999, 999), kSecond / 100)), "");
  EXPECT_EQ(rules_of(advice_on(1, program(5000, 5000), 100 * kSecond)),
            "");  // one open in 20 ms is no hot loop
  EXPECT_EQ(rules_of(advice_on(1, program(1, 500), kSecond)), "");
  // Many files, each opened a few times, are something else.
  EXPECT_EQ(rules_of(advice_on(
                1,
                [](Rank& r) {
                  for (int i = 0; i < 5000; ++i)
                    r.open("/s/step" + std::to_string(i % 500)).write(0, kMiB, kMicro).close();
                },
                kSecond)),
            "");
}

TEST(Advise, FlushPerLine) {
  const auto program = [](int every, std::uint64_t line) {
    return [=](Rank& r) {
      Open open = r.open("/s/log", Layer::kStdio);
      for (int i = 0; i < 10000; ++i) {
        open.append(line, kMicro / 10);
        if (i % every == 0) open.count(Counter::flushes);
      }
      open.close();
    };
  };
  const One bad(advice_on(1, program(1, 40), kSecond), "flush-per-line");
  EXPECT_EQ(count(*bad, "flushes"), 10000U);
  EXPECT_EQ(count(*bad, "writes"), 10000U);
  EXPECT_EQ(bad->ns, 10000 * 10 * kMicro);
  expect_text(*bad, "10000 flushes, one for 40 B each");
  EXPECT_EQ(rules_of(advice_on(1, program(100, 40), kSecond)), "");       // a hundred
  EXPECT_EQ(rules_of(advice_on(1, program(1, 64 * kKiB), kSecond)), "");  // large ones
  EXPECT_EQ(rules_of(advice_on(1, program(1, 40), 3600 * kSecond)), "");  // in an hour
}

TEST(Advise, WritePerLine) {
  const auto program = [](std::uint64_t bytes, int writes) {
    return [=](Rank& r) {
      Open open = r.open("/s/data");
      for (int i = 0; i < writes; ++i) open.append(bytes, 2 * kMicro);
      open.close();
    };
  };
  const One bad(advice_on(1, program(9, 20000), kSecond / 10), "write-per-line");
  EXPECT_EQ(count(*bad, "writes"), 20000U);
  EXPECT_EQ(count(*bad, "bytes_written"), 180000U);
  EXPECT_EQ(bad->ns, 20000 * 2 * kMicro);
  EXPECT_EQ(bad->severity, Severity::kHigh);
  expect_text(*bad, "20000 writes one after the other of 9 B each");
  EXPECT_EQ(rules_of(advice_on(1, program(8191, 22), kSecond / 10)), "");     // the good twin
  EXPECT_EQ(rules_of(advice_on(1, program(8191, 20000), kSecond / 10)), "");  // more of it
  // Tiny ones all over the file are another matter.
  EXPECT_EQ(rules_of(advice_on(
                1,
                [](Rank& r) {
                  Open open = r.open("/s/data");
                  std::uint64_t state = 1;
                  for (int i = 0; i < 20000; ++i) open.write(somewhere(state), 9, 2 * kMicro);
                },
                kSecond / 10)),
            "random-small");
  EXPECT_EQ(rules_of(advice_on(1, program(9, 20000), 3600 * kSecond)), "");  // a log of an hour
}

TEST(Advise, SyncPerWrite) {
  const auto program = [](int every, std::uint64_t bytes) {
    return [=](Rank& r) {
      Open open = r.open("/s/journal");
      for (int i = 0; i < 2000; ++i) {
        open.append(bytes);
        if (i % every == 0) open.count(Counter::syncs, 5000 * kMicro);
      }
    };
  };
  const One bad(advice_on(1, program(1, 4 * kKiB), 20 * kSecond), "sync-per-write");
  EXPECT_EQ(count(*bad, "syncs"), 2000U);
  EXPECT_EQ(bad->ns, 2000 * 5000 * kMicro);
  EXPECT_EQ(bad->severity, Severity::kHigh);
  EXPECT_EQ(rules_of(advice_on(1, program(100, 4 * kKiB), 20 * kSecond)), "");
  EXPECT_EQ(rules_of(advice_on(1, program(1, kMiB), 20 * kSecond)), "");
}

TEST(Advise, ManySmallFiles) {
  const auto program = [](int files, int folders, std::uint64_t bytes, bool stay = true) {
    return [=](Rank& r) {
      for (int i = 0; i < files; ++i) {
        const std::string path = "/s/run7/d" + std::to_string(i % folders) + "/f" + std::to_string(i);
        r.create(path);
        r.open(path).write(0, bytes).close();
        if (!stay) r.unlink(path);
      }
    };
  };
  const One bad(advice_on(1, program(1500, 1, 4 * kKiB), kSecond), "many-small-files");
  EXPECT_EQ(count(*bad, "files"), 1500U);
  EXPECT_EQ(count(*bad, "creates"), 1500U);
  EXPECT_EQ(count(*bad, "bytes"), 1500 * 4 * kKiB);
  EXPECT_EQ(bad->ns, 1500 * 20 * kMicro);
  EXPECT_EQ(bad->severity, Severity::kLow);
  expect_text(*bad, "1500 files of 4.0 KiB on average in one folder");
  // Said for what it does to others, even where the job itself hardly notices.
  EXPECT_EQ(rules_of(advice_on(1, program(1500, 1, 4 * kKiB), 3600 * kSecond)), "many-small-files");
  EXPECT_EQ(rules_of(advice_on(1, program(1000, 1, 4 * kKiB), kSecond)), "");
  EXPECT_EQ(rules_of(advice_on(1, program(1500, 30, 4 * kKiB), kSecond)), "");
  EXPECT_EQ(rules_of(advice_on(1, program(1500, 1, 2 * kMiB), kSecond)), "");
  EXPECT_EQ(rules_of(advice_on(1, program(1500, 1, 4 * kKiB, false), kSecond)), "");
}

TEST(Advise, ManySmallFilesOfSeveralFamiliesAndRanksAreOneFoldersLoad) {
  const auto program = [](Rank& r) {
    for (const std::string kind : {"mesh", "field"}) {
      for (int i = 0; i < 100; ++i) {
        const std::string path = "/s/" + kind + "." + std::to_string(r.number) + "." + std::to_string(i);
        r.create(path);
        r.open(path).write(0, 100).close();
      }
    }
  };
  const One bad(advice_on(8, program, kSecond), "many-small-files");
  EXPECT_EQ(count(*bad, "files"), 1600U);
  EXPECT_EQ(bad->family, "/s/field.#.#");
}

TEST(Advise, RandomSmall) {
  const auto program = [](std::uint64_t bytes, bool random, int calls) {
    return [=](Rank& r) {
      Open open = r.open("/s/table");
      std::uint64_t state = 1;
      for (int i = 0; i < calls; ++i)
        open.read(random ? somewhere(state) : static_cast<std::uint64_t>(i) * bytes, bytes, 100 * kMicro);
    };
  };
  const One bad(advice_on(1, program(4 * kKiB, true, 5000), kSecond), "random-small");
  EXPECT_EQ(count(*bad, "accesses"), 5000U);
  EXPECT_EQ(count(*bad, "reads"), 5000U);
  EXPECT_EQ(count(*bad, "writes"), 0U);
  EXPECT_EQ(bad->ns, 5000 * 100 * kMicro);
  EXPECT_EQ(bad->severity, Severity::kHigh);
  expect_text(*bad, "5000 accesses of 4.0 KiB at random places of files of up to ");
  EXPECT_EQ(rules_of(advice_on(1, program(4 * kKiB, false, 5000), kSecond)), "");
  EXPECT_EQ(rules_of(advice_on(1, program(4 * kMiB, true, 5000), kSecond)), "");
  EXPECT_EQ(rules_of(advice_on(1, program(4 * kKiB, true, 900), kSecond)), "");
}

TEST(Advise, ScratchOnNetwork) {
  const auto program = [](bool read_back, bool removed, std::uint64_t mebibytes) {
    return [=](Rank& r) {
      const std::string path = "/s/tmp." + std::to_string(r.number);
      r.create(path);
      Open open = r.open(path);
      for (std::uint64_t i = 0; i < mebibytes; ++i) open.write(i * kMiB, kMiB, 1000 * kMicro);
      for (std::uint64_t i = 0; read_back && i < mebibytes; ++i) open.read(i * kMiB, kMiB, 1000 * kMicro);
      open.close();
      if (removed) r.unlink(path);
    };
  };
  const One bad(advice_on(4, program(true, true, 50), 2 * kSecond), "scratch-on-network");
  EXPECT_EQ(count(*bad, "creates"), 4U);
  EXPECT_EQ(count(*bad, "unlinks"), 4U);
  EXPECT_EQ(count(*bad, "bytes_written"), 200 * kMiB);
  EXPECT_EQ(count(*bad, "bytes_read"), 200 * kMiB);
  EXPECT_EQ(bad->ns, 4 * (100 * 1000 * kMicro + 20 * kMicro));
  EXPECT_EQ(rules_of(advice_on(4, program(true, false, 50), 2 * kSecond)), "");
  EXPECT_EQ(rules_of(advice_on(4, program(false, true, 50), 2 * kSecond)), "");
  EXPECT_EQ(rules_of(advice_on(4, program(true, true, 1), kSecond / 10)), "");
  // From one process to another it has to be where both see it.
  const auto handed_on = [](Rank& r) {
    if (r.number == 0) r.create("/s/exchange");
    Open open = r.open("/s/exchange");
    for (std::uint64_t i = 0; i < 100; ++i) {
      if (r.number == 0) open.write(i * kMiB, kMiB, 1000 * kMicro);
      if (r.number == 1) open.read(i * kMiB, kMiB, 1000 * kMicro);
    }
    if (r.number == 1) r.unlink("/s/exchange");
  };
  EXPECT_EQ(rules_of(advice_on(2, handed_on, kSecond)), "");
}

// ---- MPI-IO

TEST(Advise, SmallCollective) {
  const auto program = [](std::uint64_t bytes, int calls, Counter kind) {
    return [=](Rank& r) {
      Open open = r.open_by_mpi("/s/f", 4);
      for (int i = 0; i < calls; ++i) {
        open.mpi(kind, true, bytes, 200 * kMicro);
        if (r.number == 0) open.append(bytes * 4);
      }
    };
  };
  const One bad(advice_on(4, program(128, 1000, Counter::collective), kSecond), "small-collective");
  EXPECT_EQ(count(*bad, "collective"), 4000U);
  EXPECT_EQ(count(*bad, "bytes"), 512000U);
  EXPECT_EQ(bad->ns, 4000 * 200 * kMicro);
  expect_text(*bad, "1000 collective calls by 4 ranks moved 512 B each");
  EXPECT_EQ(rules_of(advice_on(4, program(kMiB, 1000, Counter::collective), kSecond)), "");
  EXPECT_EQ(rules_of(advice_on(4, program(128, 200, Counter::collective), kSecond)), "");
  EXPECT_EQ(rules_of(advice_on(4, program(128, 1000, Counter::independent), kSecond)), "");
}

TEST(Advise, SmallIndependent) {
  const auto program = [](std::uint64_t bytes, bool interleaved, bool mpi) {
    return [=](Rank& r) {
      Open open = mpi ? r.open_by_mpi("/s/f", 4) : r.open("/s/f");
      for (std::uint64_t i = 0; i < 500; ++i) {
        if (mpi) open.mpi(Counter::independent, true, bytes, 200 * kMicro);
        open.write((interleaved ? i * 4 + r.number : r.number * 500 + i) * bytes, bytes, 150 * kMicro);
      }
    };
  };
  const One bad(advice_on(4, program(16 * kKiB, true, true), kSecond), "small-independent");
  EXPECT_EQ(count(*bad, "independent"), 2000U);
  EXPECT_EQ(count(*bad, "writers"), 4U);
  EXPECT_EQ(bad->ns, 2000 * 200 * kMicro);
  EXPECT_EQ(count(*bad, "requests"), 2000U);
  expect_text(*bad, "2000 requests of 16.0 KiB by 4 processes, interleaved in a shared file");
  expect_text(*bad, "MPI_File_write_at_all");
  // One call with a view, many requests.
  const One view(advice_on(
                     4,
                     [](Rank& r) {
                       Open open = r.open_by_mpi("/s/f", 4);
                       open.mpi(Counter::independent, true, 500 * 16 * kKiB, 200'000 * kMicro);
                       for (std::uint64_t i = 0; i < 500; ++i)
                         open.write((i * 4 + r.number) * 16 * kKiB, 16 * kKiB, 150 * kMicro);
                     },
                     kSecond),
                 "small-independent");
  EXPECT_EQ(count(*view, "independent"), 4U);
  EXPECT_EQ(count(*view, "requests"), 2000U);
  const One posix(advice_on(4, program(16 * kKiB, true, false), kSecond), "small-independent");
  EXPECT_EQ(count(*posix, "independent"), 2000U);
  for (const bool mpi : {false, true}) {
    EXPECT_EQ(rules_of(advice_on(4, program(16 * kKiB, false, mpi), kSecond)), "");
    EXPECT_EQ(rules_of(advice_on(4, program(4 * kMiB, true, mpi), kSecond)), "");
  }
}

TEST(Advise, SievingWrites) {
  const auto program = [](bool reads_itself, std::uint64_t sieved) {
    return [=](Rank& r) {
      Open open = r.open_by_mpi("/s/f", 2);
      if (reads_itself) open.mpi(Counter::independent, false, sieved);
      for (std::uint64_t i = 0; i < 100; ++i) {
        open.mpi(Counter::independent, true, 256 * kKiB, 3000 * kMicro);
        const std::uint64_t at = (r.number * 100 + i) * 512 * kKiB;
        if (sieved > 0) open.read(at, sieved, 1000 * kMicro);
        open.write(at, 512 * kKiB, 1000 * kMicro);
      }
    };
  };
  const One bad(advice_on(2, program(false, 512 * kKiB), kSecond), "sieving-writes");
  EXPECT_EQ(count(*bad, "mpi_reads"), 200U);
  EXPECT_EQ(count(*bad, "mpi_bytes_read"), 100 * kMiB);
  EXPECT_EQ(count(*bad, "bytes_written"), 50 * kMiB);
  EXPECT_EQ(bad->ns, 200 * 1000 * kMicro + 200 * 500 * kMicro);  // half of what it wrote was there before
  expect_text(*bad,
              "only writes (50.0 MiB), but the MPI library read 100.0 MiB in 200 calls and wrote 100.0 MiB");
  // In turns, it is still the sieving that is to be mended first.
  const auto in_turns = [](Rank& r) {
    Open open = r.open_by_mpi("/s/f", 2);
    open.mpi(Counter::independent, true, 100 * kMiB, kSecond / 10);
    for (std::uint64_t i = 0; i < 400; ++i) {
      const std::uint64_t at = (i * 2 + r.number) * 512 * kKiB;
      open.read(at, 512 * kKiB, 1000 * kMicro).write(at, 512 * kKiB, 1000 * kMicro);
    }
  };
  EXPECT_EQ(rules_of(advice_on(2, in_turns, kSecond)), "sieving-writes");
  EXPECT_EQ(rules_of(advice_on(2, program(true, 512 * kKiB), kSecond)), "");
  EXPECT_EQ(rules_of(advice_on(2, program(false, 0), kSecond)), "");
  EXPECT_EQ(rules_of(advice_on(2, program(false, 4 * kKiB), kSecond)), "");  // blocks at the edges only
}

TEST(Advise, AllReadOne) {
  const auto program = [](bool whole, bool writes) {
    return [=](Rank& r) {
      Open open = r.open("/s/input");
      const std::uint64_t part = whole ? 32 : 16, from = whole ? 0 : r.number * part;
      for (std::uint64_t i = 0; i < part; ++i) open.read((from + i) * kMiB, kMiB, 1000 * kMicro);
      if (writes) open.append(kMiB);
      open.close();
    };
  };
  const One bad(advice_on(8, program(true, false), kSecond), "all-read-one");
  EXPECT_EQ(count(*bad, "ranks"), 8U);
  EXPECT_EQ(count(*bad, "reads"), 256U);
  EXPECT_EQ(count(*bad, "bytes_read"), 256 * kMiB);
  EXPECT_EQ(bad->ns, 8 * (32 * 1000 + 20) * kMicro);
  expect_text(*bad, "Each of 8 ranks reads the same 32.0 MiB, 256.0 MiB in all.");
  EXPECT_EQ(rules_of(advice_on(8, program(false, false), kSecond)), "");  // each its part
  EXPECT_EQ(rules_of(advice_on(2, program(true, false), kSecond)), "");   // two ranks
  EXPECT_EQ(rules_of(advice_on(8, program(true, true), kSecond)), "");
}

TEST(Advise, UnalignedShared) {
  const auto program = [](std::uint64_t header, std::uint64_t stripe, bool interleaved,
                          std::uint64_t bytes = 4 * kMiB) {
    return [=](Rank& r) {
      r.file("/s/f").stripe_size = static_cast<std::uint32_t>(stripe);
      Open open = r.open("/s/f");
      for (std::uint64_t i = 0; i < 50; ++i)
        open.write(header + (interleaved ? i * 4 + r.number : r.number * 50 + i) * bytes, bytes,
                   1000 * kMicro);
    };
  };
  const One bad(advice_on(4, program(2048, 4 * kMiB, true), kSecond), "unaligned-shared");
  EXPECT_EQ(count(*bad, "unaligned_stripe"), 200U);
  EXPECT_EQ(count(*bad, "writes"), 200U);
  EXPECT_EQ(count(*bad, "writers"), 4U);
  EXPECT_EQ(bad->ns, 200 * 1000 * kMicro);
  expect_text(*bad, "200 of 200 accesses to a file with 4 writers start inside a stripe of 4.0 MiB");
  const One block(advice_on(4, program(2048, 0, true), kSecond), "unaligned-shared");
  EXPECT_EQ(count(*block, "unaligned_block"), 200U);
  EXPECT_EQ(rules_of(advice_on(4, program(0, 4 * kMiB, true), kSecond)), "");
  EXPECT_EQ(rules_of(advice_on(4, program(4 * kMiB, 4 * kMiB, true), kSecond)), "");
  EXPECT_EQ(rules_of(advice_on(4, program(2048, 4 * kMiB, false), kSecond)), "");
  EXPECT_EQ(rules_of(advice_on(1, program(2048, 4 * kMiB, true), kSecond)), "");
  EXPECT_EQ(rules_of(advice_on(4, program(2048, 4 * kMiB, true, 512 * kKiB), kSecond)), "");
}

TEST(Advise, SlowRank) {
  const auto program = [](std::uint64_t slowness, std::uint64_t more) {
    return [=](Rank& r) {
      Open open = r.open("/s/out." + std::to_string(r.number));
      const bool is_it = r.number == 5;
      for (std::uint64_t i = 0; i < 100 * (is_it ? more : 1); ++i)
        open.write(i * kMiB, kMiB, (is_it ? slowness : 1) * 10000 * kMicro);
    };
  };
  const One bad(advice_on(16, program(20, 1), 60 * kSecond), "slow-rank");
  EXPECT_EQ(count(*bad, "rank"), 5U);
  EXPECT_EQ(count(*bad, "ranks"), 16U);
  EXPECT_NEAR(static_cast<double>(bad->ns), 20e9 - (15e9 / 15 * 15 + 20e9) / 16, 1e6);
  EXPECT_EQ(bad->severity, Severity::kHigh);  // the others wait for it
  expect_text(*bad, "Rank 5 needed 20 s, 16 ranks 2.18 s on average");
  EXPECT_EQ(rules_of(advice_on(16, program(1, 1), 30 * kSecond)), "");
  EXPECT_EQ(rules_of(advice_on(16, program(2, 1), 30 * kSecond)), "");
  EXPECT_EQ(rules_of(advice_on(16, program(1, 20), 30 * kSecond)), "");  // it has more to do
  EXPECT_EQ(rules_of(advice_on(2, program(20, 1), 30 * kSecond)), "");
}

TEST(Advise, WhatMpiIoMadeOfItsCallsIsNotTheProgramsStyle) {
  const auto by_mpi = [](Counter kind, std::uint32_t members, std::uint64_t calls, const Program& below) {
    return [=](Rank& r) {
      Open open = r.open_by_mpi("/s/f", members);
      for (std::uint64_t i = 0; i < calls; ++i) open.mpi(kind, true, 2 * kMiB, 20000 * kMicro);
      below(r);
    };
  };
  const Program at_random = [](Rank& r) {
    Open open = r.open_by_mpi("/s/f", 4);
    std::uint64_t state = r.number;
    for (int i = 0; i < 1000; ++i) open.write(somewhere(state), 4 * kKiB, 100 * kMicro);
  };
  const Program in_turns = [](Rank& r) {
    Open open = r.open_by_mpi("/s/f", 4);
    for (std::uint64_t i = 0; i < 1000; ++i) open.write((i * 4 + r.number) * kKiB, kKiB, 100 * kMicro);
  };
  const Program lines = [](Rank& r) {
    Open open = r.open_by_mpi("/s/f", 1);
    for (std::uint64_t i = 0; i < 2000; ++i) open.append(20, 100 * kMicro);
  };
  EXPECT_EQ(rules_of(advice_on(4, by_mpi(Counter::independent, 4, 10, at_random), kSecond)),
            "small-independent");
  EXPECT_EQ(rules_of(advice_on(4, by_mpi(Counter::collective, 4, 10, at_random), kSecond)), "");
  EXPECT_EQ(rules_of(advice_on(4, by_mpi(Counter::collective, 4, 10, in_turns), kSecond)), "");
  EXPECT_EQ(rules_of(advice_on(1, by_mpi(Counter::independent, 1, 10, lines), kSecond)), "");
}

// ---- the list

void several(Rank& r) {
  Open table = r.open("/s/table");
  std::uint64_t state = r.number;
  for (int i = 0; i < 1500; ++i) table.read(somewhere(state), 4 * kKiB, 200 * kMicro);
  Open log = r.open("/s/log." + std::to_string(r.number));
  for (int i = 0; i < 2000; ++i) log.append(30, 50 * kMicro);
  for (int i = 0; i < 1000; ++i) r.open("/s/state." + std::to_string(r.number)).append(100, kMicro).close();
  Open journal = r.open("/s/journal." + std::to_string(r.number));
  for (int i = 0; i < 200; ++i) journal.append(100).count(Counter::syncs, 1000 * kMicro);
}

TEST(Advise, TheWorstComesFirst) {
  const AdviceList list = advice_on(8, several, kSecond);
  EXPECT_EQ(rules_of(list), "random-small sync-per-write write-per-line open-in-loop");
  EXPECT_EQ(list.begin()[0].severity, Severity::kHigh);
  EXPECT_EQ(list.begin()[1].severity, Severity::kHigh);
  EXPECT_EQ(list.begin()[2].severity, Severity::kMedium);
  EXPECT_EQ(list.begin()[3].severity, Severity::kLow);
}

TEST(Advise, TheOrderOfMergesDoesNotMatter) {
  const AdviceList one = advice_on(8, several, kSecond);
  for (const std::vector<std::uint64_t>& order :
       {std::vector<std::uint64_t>{7, 6, 5, 4, 3, 2, 1, 0}, {3, 1, 4, 0, 5, 2, 6, 7}}) {
    const AdviceList other = advice_on(*simulate(8, several, order), kSecond);
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      const Advice &a = one.begin()[i], &b = other.begin()[i];
      EXPECT_EQ(a.rule, b.rule);
      EXPECT_EQ(a.severity, b.severity);
      EXPECT_EQ(a.family.view(), b.family.view());
      EXPECT_EQ(a.ns, b.ns);
      EXPECT_EQ(a.remedy.view(), b.remedy.view());
      for (std::size_t k = 0; k < a.counts.size(); ++k) EXPECT_EQ(a.counts[k].value, b.counts[k].value);
    }
  }
}

TEST(Advise, AFullListKeepsTheWorst) {
  AdviceList list;
  for (std::uint64_t i = 0; i < 40; ++i) {
    Advice advice;
    advice.rule = "r";
    advice.severity = static_cast<Severity>(i % 3);
    advice.ns = i * 17 % 40;
    list.add(advice);
  }
  ASSERT_EQ(list.size(), AdviceList::kMost);
  EXPECT_EQ(list.omitted(), 40 - AdviceList::kMost);
  std::uint64_t before = ~std::uint64_t{0};
  for (const Advice& one : list) {
    EXPECT_EQ(one.severity, Severity::kHigh);  // fourteen of them
    EXPECT_LT(one.ns, before);
    before = one.ns;
  }
  EXPECT_GT(before, 2U);
}

TEST(Advise, NothingIsSaidOfNothing) { EXPECT_EQ(advice_on(*std::make_unique<Summary>(), 0).size(), 0U); }

}  // namespace
}  // namespace toto::hints
