// SPDX-License-Identifier: BSD-3-Clause
// Where the segment cannot be had, a process says so once, goes on, and counts by itself; where there is too
// little room, files fold. No signal, no count lost, nobody else's file touched.
#include <sys/mount.h>
#include <sys/stat.h>

#include <fstream>
#include <functional>

#include "core/segment.h"
#include "segment_job.h"

namespace toto::segment {
namespace {

using testing_segment::Gate;
using testing_segment::Holder;
using testing_segment::Job;

void expect_alone(Job& job) {
  job.run([&] {
    job.count();
    job.count("/s/b");
    job.end();
  });
  EXPECT_EQ(job.alone(), 1U);
  EXPECT_EQ(job.writes(), 2U);
  EXPECT_EQ(job.warnings(), 1U);
}

// Where the job's segment will be: learnt from a process that is there and killed.
std::filesystem::path place_of(Job& job) {
  const pid_t killed = job.start([&] {
    job.count();
    kill(getpid(), SIGKILL);
  });
  waitpid(killed, nullptr, 0);
  return job.left().at(0);
}

TEST(SegmentRefused, WhatIsThereUnderItsNameAndIsNoneOfOursStaysAsItIs) {
  struct Case {
    const char* name;
    std::function<void(const std::filesystem::path&, const Job&)> make;
  };
  const auto change = [](const std::filesystem::path& path, std::streamoff at) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(at);
    file.put(99);
  };
  const std::vector<Case> cases{
      {"a link to a segment",
       [](const auto& path, const Job& job) {
         std::filesystem::rename(path, job.folder() / "elsewhere");
         std::filesystem::create_symlink(job.folder() / "elsewhere", path);
       }},
      {"a link to nothing",
       [](const auto& path, const Job& job) {
         std::filesystem::remove(path);
         std::filesystem::create_symlink(job.folder() / "nothing", path);
       }},
      {"open to others", [](const auto& path, const Job&) { chmod(path.c_str(), 0644); }},
      {"a folder",
       [](const auto& path, const Job&) {
         std::filesystem::remove(path);
         std::filesystem::create_directory(path);
       }},
      {"a pipe",
       [](const auto& path, const Job&) {
         std::filesystem::remove(path);
         mkfifo(path.c_str(), 0600);
       }},
      {"empty", [](const auto& path, const Job&) { std::filesystem::resize_file(path, 0); }},
      {"cut off", [](const auto& path, const Job&) { std::filesystem::resize_file(path, kHeadBytes - 1); }},
      {"another magic number", [&](const auto& path, const Job&) { change(path, 0); }},
      {"another format", [&](const auto& path, const Job&) { change(path, offsetof(Head, format)); }},
      {"areas of no size", [&](const auto& path, const Job&) { change(path, offsetof(Head, area_bytes)); }},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    Job job;
    const std::filesystem::path path = place_of(job);
    one.make(path, job);
    struct stat before {
    }, after{};
    lstat(path.c_str(), &before);
    expect_alone(job);
    ASSERT_EQ(lstat(path.c_str(), &after), 0);
    EXPECT_EQ(before.st_ino, after.st_ino);
    EXPECT_EQ(before.st_mode, after.st_mode);
    EXPECT_EQ(before.st_size, after.st_size);
    EXPECT_FALSE(std::filesystem::exists(job.folder() / "nothing"));
  }
}

TEST(SegmentRefused, OneOfAnotherUserIsNotEntered) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root";
  Job job;
  ASSERT_EQ(chown(place_of(job).c_str(), 12345, 0), 0);
  expect_alone(job);
}

TEST(SegmentRefused, ItsFileIsNobodyElsesAndWasNeverSeenHalfMade) {
  Job job;
  struct stat about {};
  const mode_t before = umask(0);
  ASSERT_EQ(stat(place_of(job).c_str(), &about), 0);
  umask(before);
  EXPECT_EQ(about.st_mode & 07777U, 0600U);
  EXPECT_GE(static_cast<std::size_t>(about.st_size), kHeadBytes);
}

TEST(SegmentRefused, NoFolderOneThatIsNoFolderAndOneThatHoldsNoNamelessFiles) {
  for (const char* path : {"/no/such/folder", "/etc/passwd", "/proc", "", "/sys"}) {
    SCOPED_TRACE(path);
    Job job;
    if (*path != '\0') {
      job.set_segments(path);
    } else {
      job.set_segments(job.folder() / std::string(300, 'x'));  // too long
    }
    expect_alone(job);
  }
}

// A file system for a test; skips it where we may not mount.
class Mounted {
 public:
  Mounted(const Job& job, const char* type, unsigned long flags, const std::string& options)
      : path_(job.segments()), there_(mount(type, path_.c_str(), type, flags, options.c_str()) == 0) {}
  ~Mounted() {
    if (there_) umount2(path_.c_str(), MNT_DETACH);
  }
  Mounted(const Mounted&) = delete;
  Mounted& operator=(const Mounted&) = delete;
  [[nodiscard]] bool there() const { return there_; }

 private:
  std::filesystem::path path_;
  bool there_;
};

TEST(SegmentRefused, AFileSystemThatIsReadOnlyOrReservesNoRoom) {
  for (const auto& [type, flags] :
       {std::pair{"tmpfs", static_cast<unsigned long>(MS_RDONLY)}, std::pair{"ramfs", 0UL}}) {
    SCOPED_TRACE(type);
    Job job;
    const Mounted mounted(job, type, flags, "");
    if (!mounted.there()) GTEST_SKIP() << "may not mount";
    expect_alone(job);
    EXPECT_TRUE(job.left().empty());
  }
}

// From no room at all to enough for everybody: some processes get a segment, some none, some too little.
TEST(SegmentRefused, AFullFolderCostsNoCountAndNoSignal) {
  constexpr int kProcesses = 3, kFiles = 800;
  for (int kib = 4; kib <= 1024; kib = kib * 5 / 4 / 4 * 4 + 4) {
    SCOPED_TRACE(kib);
    Job job;
    const Mounted mounted(job, "tmpfs", 0, "size=" + std::to_string(kib) + "k");
    if (!mounted.there()) GTEST_SKIP() << "may not mount";
    Gate all_are_in;
    std::vector<pid_t> processes;
    for (int p = 0; p < kProcesses; ++p) {
      processes.push_back(job.start([&] {
        for (int i = 0; i < kFiles; ++i)
          job.count("/s/" + std::to_string(p) + "/" + std::to_string(i) + "/" + std::string(i % 20, 'x'));
        all_are_in.wait();
        job.end();
      }));
    }
    all_are_in.open();
    for (const pid_t process : processes) Job::wait_for(process);
    EXPECT_EQ(job.writes(), std::uint64_t{kProcesses} * kFiles);
    EXPECT_TRUE(job.left().empty());
  }
}

// Somebody else fills the folder while there is a segment, and areas are asked for that cannot be.
TEST(SegmentRefused, AFolderThatIsFilledMeanwhileCostsNoCountAndNoSignal) {
  for (const int kib_left : {0, 4, 8, 60, 64, 68, 128}) {
    SCOPED_TRACE(kib_left);
    Job job;
    const Mounted mounted(job, "tmpfs", 0, "size=8m");
    if (!mounted.there()) GTEST_SKIP() << "may not mount";
    Holder holder(job);
    const std::string stuffing = job.segments() / "stuffing";
    const int fd = open(stuffing.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
    const std::vector<char> block(4096);
    off_t size = 0;
    while (write(fd, block.data(), block.size()) == static_cast<ssize_t>(block.size())) size += 4096;
    ASSERT_EQ(ftruncate(fd, size - kib_left * 1024), 0);
    close(fd);
    for (int i = 0; i < 3; ++i) {  // one after the other: is an area left half made?
      job.run([&] {
        for (int k = 0; k < 500; ++k) job.count("/s/more." + std::to_string(k) + "/x");
        job.end();
      });
    }
    EXPECT_EQ(holder.let_go(), kib_left < 68 ? 1U : 2U);
    unlink(stuffing.c_str());
    EXPECT_EQ(job.writes(), 1501U);
    EXPECT_TRUE(job.left().empty());
  }
}

}  // namespace
}  // namespace toto::segment
