// SPDX-License-Identifier: BSD-3-Clause
// Processes of one job on one node: they enter, count, end or are killed, and nothing is lost or left.
#include "core/segment.h"

#include <csignal>
#include <ctime>

#include "segment_job.h"

namespace toto::segment {
namespace {

using testing_segment::Gate;
using testing_segment::Holder;
using testing_segment::Job;

TEST(Segment, TheLastProcessHasTheCountsOfAllAndNothingIsLeft) {
  Job job;
  Holder last(job);
  job.run([&] {
    job.count();
    job.count("/s/other");
    job.end();
  });
  EXPECT_EQ(job.closed(), 0U);
  EXPECT_EQ(job.left().size(), 1U);
  last.let_go();
  EXPECT_EQ(job.closed(), 1U);
  EXPECT_EQ(job.writes(), 3U);
  EXPECT_TRUE(job.left().empty());
  EXPECT_EQ(job.warnings(), 0U);
}

TEST(Segment, TheAreaOfAProcessThatEndedIsTakenOverWithItsCounts) {
  Job job;
  Holder holder(job);
  for (int i = 0; i < 20; ++i) {
    job.run([&] {
      job.count("/s/short." + std::to_string(i));
      job.end();
    });
  }
  EXPECT_EQ(holder.let_go(), 2U);
  EXPECT_EQ(job.writes(), 21U);
  EXPECT_TRUE(job.left().empty());
}

TEST(Segment, AnAreaOfAnMpiRankOrOneThatIsReportedIsNotTakenOver) {
  for (const bool mpi : {true, false}) {
    Job job;
    Holder holder(job);
    job.run([&] {
      job.count();
      if (mpi) {
        registry::area()->world = 7;
      } else {
        registry::area()->reporter = Area::kReported;
      }
      job.end();
    });
    job.run([&] {
      job.count();
      job.end();
    });
    EXPECT_EQ(holder.let_go(), 3U);
    EXPECT_EQ(job.writes(), mpi ? 3U : 2U);
  }
}

TEST(Segment, AForkedChildThatOutlivesItsParentIsTheLastHoweverLateItStarts) {
  for (const bool starts_late : {false, true}) {
    Job job;
    Gate parent_is_leaving, parent_has_ended, child_is_through;
    const pid_t parent = job.start([&] {
      job.count();
      registry::before_fork();
      if (fork() == 0) {
        if (starts_late) {
          parent_is_leaving.wait();
          usleep(20'000);  // only makes it likelier that the parent would be gone
        }
        registry::after_fork();
        parent_has_ended.wait();
        job.count();
        job.end();
        child_is_through.open();
        _exit(0);
      }
      parent_is_leaving.open();
      job.end();
    });
    Job::wait_for(parent);
    EXPECT_EQ(job.closed(), 0U);
    parent_has_ended.open();
    child_is_through.wait();
    EXPECT_EQ(job.closed(), 1U);
    EXPECT_EQ(job.writes(), 2U);
    EXPECT_TRUE(job.left().empty());
  }
}

TEST(Segment, AForkThatFailedKeepsNobodyFromEnding) {
  Job job;
  job.run([&] {
    job.count();
    registry::before_fork();
    job.end();
  });
  EXPECT_EQ(job.closed(), 1U);
  EXPECT_TRUE(job.left().empty());
}

TEST(Segment, WhatAKilledProcessCountedIsThereForTheLast) {
  Job job;
  Holder last(job);
  const pid_t killed = job.start([&] {
    job.count();
    kill(getpid(), SIGKILL);
  });
  waitpid(killed, nullptr, 0);
  last.let_go();
  EXPECT_EQ(job.writes(), 2U);
  EXPECT_TRUE(job.left().empty());
}

TEST(Segment, OfAJobWhoseProcessesWereAllKilledTheNextProcessTellsAll) {
  Job job;
  for (int i = 0; i < 3; ++i) {
    const pid_t killed = job.start([&] {
      job.count();
      kill(getpid(), SIGKILL);
    });
    waitpid(killed, nullptr, 0);
  }
  EXPECT_EQ(job.left().size(), 1U);
  job.run([&] {
    job.count();
    job.end();
  });
  EXPECT_EQ(job.writes(), 4U);
  EXPECT_TRUE(job.left().empty());
}

TEST(Segment, ManyProcessesThatComeAndGoLoseNoCountAndLeaveNothing) {
  constexpr int kProcesses = 400, kAtOnce = 8, kWrites = 5;
  Job job;
  int running = 0;
  for (int i = 0; i < kProcesses; ++i) {
    job.start([&] {
      for (int k = 0; k < kWrites; ++k) job.count("/s/file." + std::to_string(k));
      job.end();
    });
    if (++running < kAtOnce) continue;
    Job::wait_for(-1);
    --running;
  }
  for (; running > 0; --running) Job::wait_for(-1);
  EXPECT_EQ(job.writes(), std::uint64_t{kProcesses} * kWrites);
  EXPECT_EQ(job.alone(), 0U);
  EXPECT_EQ(job.warnings(), 0U);
  EXPECT_TRUE(job.left().empty());
}

// Does something to the segment that a killed process of the job left.
template <class Change>
void change_what_is_left(Job& job, Change change) {
  const pid_t killed = job.start([&] {
    job.count();
    kill(getpid(), SIGKILL);
  });
  waitpid(killed, nullptr, 0);
  ASSERT_EQ(job.left().size(), 1U);
  Mapping mapping;
  ASSERT_EQ(mapping.open(job.left()[0].c_str()), 0);
  Member* member = nullptr;
  for (Member& one : mapping.head().members) {
    if (one.pid.load() == killed) member = &one;
  }
  ASSERT_NE(member, nullptr);
  change(mapping.head(), *member);
}

TEST(Segment, AnotherProcessUnderTheNumberOfADeadOneIsNoMember) {
  Job job;
  change_what_is_left(job, [](Head&, Member& member) {
    member.pid = getppid();  // lives, and was born long before
    member.born = birth_of(getppid()) + 1'000'000;
  });
  job.run([&] {
    job.count();
    job.end();
  });
  EXPECT_EQ(job.closed(), 1U);
  EXPECT_EQ(job.writes(), 2U);
}

// exec keeps the number of a process, and what it counted before.
TEST(Segment, AProgramThatBecameAnotherIsOneMember) {
  Job job;
  job.run([&] {
    change_what_is_left(job, [](Head&, Member& member) {
      member.pid = getpid();
      member.born = birth_of(getpid());
    });
    job.count();
    job.end();
  });
  EXPECT_EQ(job.closed(), 1U);
  EXPECT_EQ(job.writes(), 2U);
  EXPECT_TRUE(job.left().empty());
}

TEST(Segment, OneWhoDiedWhileClosingItLocksNobodyOut) {
  Job job;
  change_what_is_left(job, [](Head& head, Member& member) { head.closer = member.pid.load(); });
  job.run([&] {
    job.count();
    job.end();
  });
  EXPECT_EQ(job.alone(), 0U);
  EXPECT_EQ(job.writes(), 2U);
  EXPECT_TRUE(job.left().empty());
}

TEST(Segment, NoDescriptorFreeAtTheEndLeavesItForRecovery) {
  Job job;
  job.run([&] {
    job.count();
    while (dup(0) >= 0) {
    }
    job.end();
    EXPECT_EQ(job.closed(), 0U);
  });
  EXPECT_EQ(job.left().size(), 1U);
}

constexpr std::int64_t kHour = std::int64_t{3600} * 1'000'000'000;

// A segment of another job that a killed process left `age` ago, under another name.
void leave_old(Job& job, const std::string& name, std::int64_t age, pid_t living, bool other_boot = false) {
  change_what_is_left(job, [&](Head& head, Member& member) {
    head.created_wall_ns -= age;
    if (living != 0) {
      member.pid = living;
      member.born = birth_of(living);
    }
    if (other_boot) head.boot = "another";
  });
  std::filesystem::rename(job.left()[0], job.folder() / ("toto-" + std::to_string(geteuid()) + "-" + name));
}

TEST(Segment, DeadOnesAreSweptAfterADayAndThoseOfTheLivingNever) {
  Job job;
  leave_old(job, "old", 25 * kHour, 0);
  leave_old(job, "young", 23 * kHour, 0);
  leave_old(job, "old-and-alive", 25 * kHour, getpid());
  leave_old(job, "old-of-another-boot", 25 * kHour, getpid(), true);
  for (const char* name : {"old", "young", "old-and-alive", "old-of-another-boot"}) {
    const std::string file = "toto-" + std::to_string(geteuid()) + "-" + name;
    std::filesystem::rename(job.folder() / file, job.segments() / file);
  }
  std::filesystem::copy_file("/etc/passwd", job.segments() / "not-ours");
  job.run([&] {
    job.count();
    job.end();
  });
  EXPECT_EQ(job.writes(), 1U);
  std::vector<std::string> left;
  for (const auto& path : job.left()) left.push_back(path.filename());
  std::sort(left.begin(), left.end());
  const std::string ours = "toto-" + std::to_string(geteuid()) + "-";
  EXPECT_EQ(left, (std::vector<std::string>{"not-ours", ours + "old-and-alive", ours + "young"}));
}

}  // namespace
}  // namespace toto::segment
