// SPDX-License-Identifier: BSD-3-Clause
#include "hints/learned.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <new>

#include "core/aside.h"
#include "core/config.h"
#include "core/keep.h"
#include "core/log.h"
#include "core/path.h"
#include "core/sys.h"
#include "hints/tuner/numbers.h"

namespace toto::hints::learned {
namespace {

using history::Record;
using history::Records;

constexpr int kPatienceAtTheEnd = 5;  // seconds; another job may hold the lock
constexpr double kMillion = 1e6;

struct Reading {
  FixedString<1023> path;
  history::Read result = history::Read::kMissing;
  Records* records = nullptr;
  std::atomic<bool> begun{false};
  std::atomic<bool> done{false};
  std::atomic<bool> waited{false};  // a short time: once is enough
  std::atomic<bool> left{false};    // nobody waits for it any more
  std::atomic<bool> noted{false};   // what is wrong with it was said
};
constinit Reading reading;

void read_aside(void*) {
  struct statx about;
  // Where there is none, no memory is spent on it.
  if (sys::statx(AT_FDCWD, reading.path.c_str(), 0, STATX_TYPE, &about) == 0 || errno != ENOENT) {
    if (void* memory = keep_memory(sizeof(Records)); memory != nullptr) {
      auto* records = ::new (memory) Records;
      reading.result = history::read(reading.path.c_str(), *records);
      reading.records = records;
    }
  }
  reading.done.store(true, std::memory_order_release);
}

void say_slow(std::string_view path, int seconds) {
  log::warn(log::Line("TOTO_HISTORY: ")
                .add(path)
                .add(" does not answer within ")
                .add(seconds)
                .add(" s: this run goes on without it"));
}

void wait_for_reading(int milliseconds) {
  const bool is_long = milliseconds >= kLongPatience;
  if (reading.left.load() || (!is_long && reading.waited.exchange(true))) return;
  constexpr int kAMillisecond = 10;  // has so many pauses
  const timespec pause{.tv_sec = 0, .tv_nsec = 100'000};
  for (int i = 0; i < milliseconds * kAMillisecond && !reading.done.load(std::memory_order_acquire); ++i)
    ::syscall(SYS_nanosleep, &pause, nullptr);
  if (is_long && !reading.done.load(std::memory_order_acquire) && !reading.left.exchange(true))
    say_slow(reading.path, milliseconds / 1000);
}

// The history as it was when it was asked for first; nullptr: there is none, or it is not read yet.
const Records* the_history(int patience) {
  if (!reading.done.load(std::memory_order_acquire)) {
    if (patience >= kLongPatience) begin_to_read();
    if (!reading.begun.load() || reading.path.empty()) return nullptr;
    wait_for_reading(patience);
    if (!reading.done.load(std::memory_order_acquire)) return nullptr;
  }
  if (reading.records == nullptr) return nullptr;
  if (reading.result != history::Read::kOk && reading.result != history::Read::kMissing &&
      !reading.noted.exchange(true)) {
    log::warn(log::Line("TOTO_HISTORY: ")
                  .add(reading.path)
                  .add(" is ")
                  .add(history::name(reading.result))
                  .add(": nothing is learned from it, and it is left as it is"));
  }
  return reading.records;
}

std::string_view program() {
  static constinit FixedString<1023> exe;
  if (exe.empty()) {
    std::array<char, 1023> name{};
    const ssize_t size = sys::readlinkat(AT_FDCWD, "/proc/self/exe", name.data(), name.size());
    exe = std::string_view(name.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  }
  return path::base_name(exe);
}

void fill(const Key& key, Record& record) {
  record.family = key.family;
  record.program = program();
  record.file_system = key.file_system;
  record.place = key.place;
  record.targets = key.targets;
  record.ranks = key.ranks;
  record.nodes = key.nodes;
}

// As Record::same_place, without a record of one's own: the stack may be a small one.
bool is_of(const Record& record, const Key& key) {
  // (A record of before places were kept is of any.)
  return (record.place == key.place || record.place == 0) && record.targets == key.targets &&
         record.ranks == key.ranks && record.nodes == key.nodes && record.family == key.family &&
         record.program == program() && record.file_system == key.file_system;
}

std::uint64_t now_s() {
  timespec now{};
  sys::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::uint64_t>(now.tv_sec);
}

// What is found counts half as much every 30 days.
double weight_of(std::uint64_t when) {
  constexpr double kMonth = 30 * 86400;
  const std::uint64_t now = now_s();
  const double age = now > when ? static_cast<double>(now - when) : 0;
  return tuner::exp(-tuner::kLn2 * std::min(age / kMonth, 60.0));
}

struct Writing {
  FixedString<1023> path;
  void (*merge)(Records&, void*) = nullptr;
  void* context = nullptr;
  int error = 0;
  history::Read found = history::Read::kOk;
};
void write_aside(void* what) {
  auto& writing = *static_cast<Writing*>(what);
  writing.error = history::update(writing.path.c_str(), writing.merge, writing.context, writing.found);
}

}  // namespace

bool learns() { return config::settings().learn == "on"; }
bool may_use_history() { return config::settings().learn != "off"; }

void begin_to_read() {
  if (reading.begun.exchange(true)) return;
  reading.path = history::path();
  if (!reading.path.empty() && !start_aside(read_aside, nullptr)) reading.left = true;
}

void after_fork() {
  if (!reading.done.load()) reading.left = true;
}

const Record* recall(const Key& key, bool (*fits)(const Usage& usage), int patience) {
  if (!may_use_history()) return nullptr;
  const Records* const known = the_history(patience);
  if (known == nullptr) return nullptr;
  const Record* newest = nullptr;
  for (const Record& record : known->used()) {
    if (is_of(record, key) && fits(record.usage) && (newest == nullptr || record.when > newest->when))
      newest = &record;
  }
  return newest;
}

void resume(const Record& base, tuner::Tuner& tuner) {
  if (base.family.empty()) return;
  std::array<tuner::Arm, tuner::kMostArms> arms;
  std::size_t count = 0;
  for (const history::ArmRecord& kept : base.all_arms()) {
    arms[count++] = {.count = kept.count,
                     .files = kept.files,
                     // A written-over file may hold any number; beyond e^3 all is the same.
                     .gain = std::clamp(static_cast<double>(kept.gain) / kMillion, -3.0, 3.0),
                     .compared = std::min(static_cast<double>(kept.compared) / 1000, 500.0)};
  }
  tuner.resume({arms.data(), count}, base.best, weight_of(base.when));
}

void explain(const Record& base, std::uint32_t count, FixedString<220>& sentence) {
  std::uint64_t files = 0;
  for (const history::ArmRecord& arm : base.all_arms()) files += arm.files;
  sentence.add(count).add(" stripes: best of ").add(base.arm_count).add(" counts in ");
  sentence.add(files).add(" files of earlier runs");
}

const Record& describe(const Key& key, const Usage& usage, const tuner::Tuner& tuner, const Record& base,
                       Record& record) {
  static constinit const Record kNothing{};
  fill(key, record);
  record.usage = usage;
  const Record& before = record.same_key(base) ? base : kNothing;
  record.best = tuner.incumbent().count;
  record.when = now_s();
  for (const tuner::Arm& arm : tuner.arms()) {
    history::ArmRecord kept{.count = arm.count};
    for (const history::ArmRecord& one : before.all_arms()) {
      if (one.count == arm.count) kept = one;
    }
    kept.files += arm.files;
    if (arm.files != 0) {
      kept.speed = static_cast<std::uint64_t>(arm.bytes_per_second());
      kept.deviation = static_cast<std::uint64_t>(arm.deviation() * kMillion);
    }
    kept.gain = static_cast<std::int64_t>(arm.gain * kMillion);
    kept.compared = static_cast<std::uint64_t>(arm.compared * 1000);
    if (kept.files != 0) record.arms[record.arm_count++] = kept;
  }
  return before;
}

void tell(std::string_view family, const tuner::Tuner& tuner, std::string_view sentence,
          report::TunedVisitor visit, void* context) {
  if (tuner.files() == 0) return;
  std::array<report::Tried, tuner::kMostArms> tried;
  std::size_t count = 0;
  for (const tuner::Arm& arm : tuner.arms()) {
    if (arm.files == 0) continue;
    tried[count++] = {.stripes = arm.count,
                      .files = arm.files,
                      .bytes_per_second = static_cast<std::uint64_t>(arm.bytes_per_second())};
  }
  visit({.family = family,
         .reason = sentence,
         .best = tuner.incumbent().count,
         .settled = tuner.settled(),
         .tried = {tried.data(), count}},
        context);
}

void write(void (*merge)(Records& records, void* context), void* context) {
  static constinit Writing writing;
  writing.path = history::path();
  if (writing.path.empty()) return;
  writing.merge = merge;
  writing.context = context;
  if (!run_aside(write_aside, &writing, kPatienceAtTheEnd)) {
    say_slow(history::path(), kPatienceAtTheEnd);
    return;
  }
  const int error = writing.error;
  // What is not understood was said when it was read.
  if (error == 0 || (error == EPROTO && reading.noted.load())) return;
  log::Line line("what was learned about families of files cannot be kept in ");
  line.add(writing.path.view()).add(" (");
  line.add(error == EPROTO ? history::name(writing.found) : std::string_view(strerrordesc_np(error)))
      .add(")");
  log::warn(line);
}

}  // namespace toto::hints::learned
