// SPDX-License-Identifier: BSD-3-Clause
// A job of small processes for the tests of the node segment: each is a forked child with the library's
// settings, and counts single writes. What they end with is added up in memory that they share.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "core/collect.h"
#include "core/config.h"
#include "core/log.h"
#include "core/registry.h"
#include "core/segment.h"

namespace toto::testing_segment {

// Holds processes until it is opened.
class Gate {
 public:
  Gate() { EXPECT_EQ(pipe(ends_.data()), 0); }
  ~Gate() {
    close(ends_[0]);
    close(ends_[1]);
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  void open() {
    for (int i = 0; i < 64; ++i) EXPECT_EQ(write(ends_[1], "x", 1), 1);
  }
  void wait() {
    char c = 0;
    EXPECT_EQ(read(ends_[0], &c, 1), 1);
  }

 private:
  std::array<int, 2> ends_{};
};

// A number from one process to another.
class Word {
 public:
  Word() { EXPECT_EQ(pipe(ends_.data()), 0); }
  ~Word() {
    close(ends_[0]);
    close(ends_[1]);
  }
  Word(const Word&) = delete;
  Word& operator=(const Word&) = delete;
  void tell(std::uint32_t value) { EXPECT_EQ(write(ends_[1], &value, sizeof value), ssize_t{sizeof value}); }
  std::uint32_t told() {
    std::uint32_t value = 0;
    EXPECT_EQ(read(ends_[0], &value, sizeof value), ssize_t{sizeof value});
    return value;
  }

 private:
  std::array<int, 2> ends_{};
};

class Job {
 public:
  Job() : told_(new_told()) {
    std::string name = std::filesystem::temp_directory_path() / "toto-segment-XXXXXX";
    folder_ = mkdtemp(name.data());
    segments_ = folder_ / "segments";
    std::filesystem::create_directory(segments_);
  }
  ~Job() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    munmap(told_, sizeof(Told));
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::filesystem::path segments() const { return segments_; }
  void set_segments(const std::filesystem::path& path) { segments_ = path; }

  // A process of the job. In it: count(), after_fork(), end().
  template <class Body>
  pid_t start(Body body) {
    const pid_t pid = fork();
    if (pid != 0) return pid;
    setenv("TOTO_SEGMENT_DIR", segments_.c_str(), 1);
    setenv("TOTO_REPORT", (folder_ / "report.json").c_str(), 1);
    setenv("TOTO_JOB_ID", "job", 1);
    setenv("TOTO_LOG_LEVEL", "off", 1);
    setenv("TOTO_MEMORY_KIB", "256", 1);
    log::forget_warnings();
    config::load();
    log::set_level(log::Level::kOff);
    const bool had_failed = testing::Test::HasFailure();
    body();
    _exit(testing::Test::HasFailure() && !had_failed ? 1 : 0);
  }
  template <class Body>
  void run(Body body) {
    wait_for(start(body));
  }
  static void wait_for(pid_t pid) {
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }

  // One write to a file.
  void count(const std::string& path = "/s/file") {
    ASSERT_TRUE(registry::start());
    File& file = *registry::find_or_add(path);
    Shard& mine = registry::shard(file, Layer::kPosix);
    if (mine.owner != 0) {
      Owned::add(mine.counters[Counter::writes], 1);
    } else {
      Shared::add(mine.counters[Counter::writes], 1);
    }
  }
  // As at the end of a program: the last process tells what all have counted.
  void end() {
    told_->warnings += log::warnings().size();
    if (segment::nonce() == 0) {
      ++told_->alone;
      told_->writes += writes_of(*registry::area());
      return;
    }
    segment::Mapping all;
    if (!segment::leave(all)) return;
    ++told_->closed;
    static collect::Areas areas;
    collect::claim(all, 0, areas);
    for (Area* area : areas.all()) told_->writes += writes_of(*area);
    segment::remove();
  }

  [[nodiscard]] std::uint64_t writes() const { return told_->writes; }
  [[nodiscard]] std::uint64_t closed() const { return told_->closed; }      // segments
  [[nodiscard]] std::uint64_t alone() const { return told_->alone; }        // processes without one
  [[nodiscard]] std::uint64_t warnings() const { return told_->warnings; }  // of all processes

  // Files in the segments' folder.
  [[nodiscard]] std::vector<std::filesystem::path> left() const {
    std::vector<std::filesystem::path> out;
    for (const auto& entry : std::filesystem::directory_iterator(segments_)) out.push_back(entry.path());
    return out;
  }

  static std::uint64_t writes_of(Area& area) {
    std::uint64_t sum = 0;
    area.for_each([](File&, const std::array<Totals, kLayers>& totals,
                     void* context) { *static_cast<std::uint64_t*>(context) += totals[0][Counter::writes]; },
                  &sum);
    return sum;
  }

 private:
  struct Told {
    std::atomic<std::uint64_t> writes{0}, closed{0}, alone{0}, warnings{0};
  };
  static Told* new_told() {
    void* memory = mmap(nullptr, sizeof(Told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return new (memory) Told;
  }

  std::filesystem::path folder_, segments_;
  Told* told_;
};

// A process that is in the job, with one count, until it is let go.
class Holder {
 public:
  explicit Holder(Job& job) : job_(job) {
    pid_ = job.start([&] {
      job_.count();
      is_in_.open();
      may_go_.wait();
      areas_at_end_.tell(segment::areas());
      job_.end();
    });
    is_in_.wait();
  }
  // Areas in the segment at its end.
  std::uint32_t let_go() {
    may_go_.open();
    Job::wait_for(pid_);
    return areas_at_end_.told();
  }

 private:
  Job& job_;
  Gate is_in_, may_go_;
  Word areas_at_end_;
  pid_t pid_ = 0;
};

}  // namespace toto::testing_segment
