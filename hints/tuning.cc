// SPDX-License-Identifier: BSD-3-Clause
#include "hints/tuning.h"

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
#include "hints/history.h"
#include "hints/tuner/numbers.h"

namespace toto::hints::tuning {
namespace {

// What a family's measurements hold for: where one of these changes, they are of something else.
struct Context {
  std::uint64_t device = 0;
  std::uint32_t ranks = 0, nodes = 0, targets = 0;
  Sharing sharing = Sharing::kUnknown;
  Calls calls = Calls::kUnknown;
  bool operator==(const Context&) const = default;
};

struct Entry {
  std::atomic<std::uint64_t> family{0};  // hash; 0: free
  std::atomic<bool> busy{false};
  bool significant = false;
  Context context;
  std::uint64_t bytes = 0;  // of a file, as the tuner's measurements are
  Usage usage;              // of its last file
  FixedString<256> name;
  FixedString<20> file_system;
  history::Record base;  // what the history had when this run began; family empty: nothing
  Measured first;        // measured before anything was known of the family
  tuner::Tuner tuner;
};
constexpr std::size_t kFamilies = 64;
using Table = std::array<Entry, kFamilies>;
constinit std::atomic<Table*> table{nullptr};

Table* the_table() {
  Table* there = table.load(std::memory_order_acquire);
  if (there != nullptr) return there;
  void* memory = keep_memory(sizeof(Table));
  if (memory == nullptr) return nullptr;
  Table* fresh = ::new (memory) Table;
  // Who comes second takes the first one's; its own stays unused.
  return table.compare_exchange_strong(there, fresh) ? fresh : there;
}

Entry* entry_of(std::string_view family) {
  Table* const all = the_table();
  if (all == nullptr) return nullptr;
  const std::uint64_t hash = path::hash(family);
  for (std::size_t step = 0; step < all->size(); ++step) {
    Entry& entry = (*all)[(hash + step) % all->size()];
    std::uint64_t seen = 0;
    if (entry.family.compare_exchange_strong(seen, hash) || seen == hash) return &entry;
  }
  return nullptr;  // more families than that are not tuned
}

// Held while one thread looks at an entry. Another one does not wait: its file is decided by the rule, or
// does not count.
class Hold {
 public:
  explicit Hold(Entry* entry) : entry_(entry != nullptr && !entry->busy.exchange(true) ? entry : nullptr) {}
  ~Hold() {
    if (entry_ != nullptr) entry_->busy.store(false, std::memory_order_release);
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;
  explicit operator bool() const { return entry_ != nullptr; }
  Entry* operator->() const { return entry_; }

 private:
  Entry* entry_;
};

bool learns() { return config::settings().learn == "on"; }
bool may_use_history() { return config::settings().learn != "off"; }

using history::Records;
constinit std::atomic<Records*> loaded{nullptr};
constinit std::atomic<bool> loading{false};

constexpr int kPatience = 2;      // seconds that a decision waits for the user's home
constexpr int kLongPatience = 5;  // at the end, where another job may hold the lock

struct Reading {
  FixedString<1023> path;
  history::Read result = history::Read::kMissing;
  Records* records = nullptr;
};
void read_aside(void* what) {
  auto& reading = *static_cast<Reading*>(what);
  struct statx about;
  // Where there is none, no memory is spent on it.
  if (sys::statx(AT_FDCWD, reading.path.c_str(), 0, STATX_TYPE, &about) != 0 && errno == ENOENT) return;
  void* memory = keep_memory(sizeof(Records));
  if (memory == nullptr) return;
  reading.records = ::new (memory) Records;
  reading.result = history::read(reading.path.c_str(), *reading.records);
}

void say_slow(std::string_view path, int seconds) {
  log::warn(log::Line("TOTO_HISTORY: ")
                .add(path)
                .add(" does not answer within ")
                .add(seconds)
                .add(" s: this run goes on without it"));
}

// The history as it was when it was asked for first; nullptr: there is none, or another thread reads it just
// now.
const Records* the_history() {
  if (const Records* there = loaded.load(std::memory_order_acquire); there != nullptr) return there;
  if (loading.exchange(true)) return nullptr;
  static constinit Reading reading;
  reading.path = history::path();
  const FixedString<1023> path = reading.path;
  if (path.empty()) return nullptr;
  if (!run_aside(read_aside, &reading, kPatience)) {
    say_slow(path, kPatience);
    return nullptr;
  }
  Records* const records = reading.records;
  if (records == nullptr) return nullptr;
  const history::Read read = reading.result;
  if (read != history::Read::kOk && read != history::Read::kMissing) {
    log::warn(log::Line("TOTO_HISTORY: ")
                  .add(path.view())
                  .add(" is ")
                  .add(history::name(read))
                  .add(": nothing is learned from it, and it is left as it is"));
  }
  loaded.store(records, std::memory_order_release);
  return records;
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

Context context_of(const Question& question) {
  const Situation& s = question.situation;
  return {.device = question.device,
          .ranks = s.ranks,
          .nodes = s.nodes,
          .targets = s.targets,
          .sharing = s.sharing,
          .calls = s.calls};
}

void describe(std::string_view family, std::string_view file_system, const Context& context,
              history::Record& record) {
  record.family = family;
  record.program = program();
  record.file_system = file_system;
  record.targets = context.targets;
  record.ranks = context.ranks;
  record.nodes = context.nodes;
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

constexpr double kMillion = 1e6;

// A family as the history keeps it: what it had, and what this run found beyond. Returns what it had:
// nothing, where the run began from files of another size.
const history::Record& describe(const Entry& entry, history::Record& record) {
  describe(entry.name, entry.file_system, entry.context, record);
  static constinit const history::Record kNothing{};
  record.usage = entry.usage;
  const history::Record& base = record.same_key(entry.base) ? entry.base : kNothing;
  record.best = entry.tuner.incumbent().count;
  record.when = now_s();
  for (const tuner::Arm& arm : entry.tuner.arms()) {
    history::ArmRecord kept{.count = arm.count};
    for (const history::ArmRecord& before : base.all_arms()) {
      if (before.count == arm.count) kept = before;
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
  return base;
}

void resume(Entry& entry) {
  if (entry.base.family.empty()) return;
  std::array<tuner::Arm, tuner::kMostArms> arms;
  std::size_t count = 0;
  for (const history::ArmRecord& kept : entry.base.all_arms()) {
    arms[count++] = {.count = kept.count,
                     .files = kept.files,
                     // A written-over file may hold any number; beyond e^3 all is the same.
                     .gain = std::clamp(static_cast<double>(kept.gain) / kMillion, -3.0, 3.0),
                     .compared = std::min(static_cast<double>(kept.compared) / 1000, 500.0)};
  }
  entry.tuner.resume({arms.data(), count}, entry.base.best, weight_of(entry.base.when));
}

void merge_all(Records& records, void* context) {
  for (const Entry& entry : *static_cast<Table*>(context)) {
    if (entry.tuner.files() == 0) continue;
    history::Record found;
    history::merge(found, describe(entry, found), records);
  }
}

// Twice as large or half as large.
bool another_size(std::uint64_t a, std::uint64_t b) { return a >= 2 * b || b >= 2 * a; }

void begin(Entry& entry, const Question& question) {
  const Situation& s = question.situation;
  const Context context = context_of(question);
  // The same program in another setting: what was best there is a better start than the rule.
  const bool again = entry.tuner.begun() && entry.context.device == context.device &&
                     entry.context.targets == context.targets && entry.tuner.files() > 2;
  tuner::Setup setup;
  setup.start = again ? entry.tuner.incumbent().count : question.prior->layout.count;
  if (setup.start == kAllTargets) setup.start = s.targets;
  setup.sure = again ? entry.context.nodes == context.nodes : question.prior->confident;
  setup.untuned = question.untuned;
  setup.arms = tuner::arms_of({.targets = s.targets,
                               .nodes = s.nodes,
                               .collective = s.calls == Calls::kCollective,
                               .start = setup.start});
  entry.context = context;
  entry.bytes = s.bytes;
  entry.name = question.family;
  entry.file_system = question.file_system;
  entry.tuner.begin(setup);
  if (again) entry.base = {};  // of another setting than what is learned from now on
  resume(entry);
  const Measured& first = entry.first;
  if (first.count != 0 && !another_size(first.bytes, s.bytes)) {
    entry.tuner.observe(first.count, first.bytes, first.seconds);
  }
  entry.first = {};
}

}  // namespace

Answer choose(const Question& question) {
  Answer answer;
  const Situation& s = question.situation;
  if (!may_use_history() || question.prior == nullptr || question.prior->layout.count == 0) return answer;
  if (s.targets < 2 || s.sharing != Sharing::kShared || !question.seen) return answer;
  const Hold entry(entry_of(question.family));
  if (!entry || !entry->significant) return answer;
  if (!entry->tuner.begun() || entry->context != context_of(question) ||
      another_size(entry->bytes, s.bytes)) {
    begin(*entry.operator->(), question);
  }
  const tuner::Choice choice = entry->tuner.choose();
  const bool frozen = !learns();
  answer.count = frozen ? entry->tuner.incumbent().count : choice.count;
  answer.untuned = !frozen && choice.kind == tuner::Kind::kUntuned;
  if (entry->tuner.files() == 0 && !entry->base.family.empty()) {
    std::uint64_t files = 0;
    for (const history::ArmRecord& arm : entry->base.all_arms()) files += arm.files;
    answer.sentence.add(answer.count).add(" stripes: best of ").add(entry->base.arm_count).add(" counts in ");
    answer.sentence.add(files).add(" files of earlier runs");
  } else {
    entry->tuner.explain(answer.sentence);
  }
  return answer;
}

void observe(std::string_view family, const Measured& measured, const Usage& usage) {
  if (!learns() || measured.count == 0 || measured.bytes == 0 || !(measured.seconds > 0)) return;
  const double speed = static_cast<double>(measured.bytes) / measured.seconds;
  if (speed > kMemorySpeed * measured.nodes) return;
  const Hold entry(entry_of(family));
  if (!entry) return;
  if (measured.bytes >= kLargeFile || measured.seconds >= kLongWrite) entry->significant = true;
  if (!entry->significant) return;
  entry->usage = usage;
  if (!entry->tuner.begun()) {
    entry->first = measured;
  } else {
    entry->tuner.observe(measured.count, measured.bytes, measured.seconds);
  }
}

std::optional<Usage> recall(const Question& question) {
  if (!may_use_history()) return std::nullopt;
  const Records* const known = the_history();
  if (known == nullptr) return std::nullopt;
  history::Record key;
  describe(question.family, question.file_system, context_of(question), key);
  const history::Record* newest = nullptr;
  for (const history::Record& record : known->used()) {
    if (record.same_place(key) && (newest == nullptr || record.when > newest->when)) newest = &record;
  }
  const Hold entry(newest != nullptr ? entry_of(question.family) : nullptr);
  if (!entry) return std::nullopt;
  entry->base = *newest;
  entry->significant = true;
  return newest->usage;
}

namespace {

struct Keeping {
  FixedString<1023> path;
  int error = 0;
  history::Read found = history::Read::kOk;
};
void keep_aside(void* what) {
  auto& keeping = *static_cast<Keeping*>(what);
  keeping.error = history::update(keeping.path.c_str(), merge_all, table.load(), keeping.found);
}

}  // namespace

void keep() {
  Table* const all = table.load(std::memory_order_acquire);
  if (all == nullptr || !learns()) return;
  const bool any =
      std::any_of(all->begin(), all->end(), [](const Entry& entry) { return entry.tuner.files() > 0; });
  const FixedString<1023> path = history::path();
  if (!any || path.empty()) return;
  static constinit Keeping keeping;
  keeping.path = path;
  if (!run_aside(keep_aside, &keeping, kLongPatience)) {
    say_slow(path, kLongPatience);
    return;
  }
  const int error = keeping.error;
  // What is not understood was said when it was read.
  if (error == 0 || (error == EPROTO && loaded.load() != nullptr)) return;
  log::Line line("what was learned about families of files cannot be kept in ");
  line.add(path.view()).add(" (");
  line.add(error == EPROTO ? history::name(keeping.found) : std::string_view(strerrordesc_np(error)))
      .add(")");
  log::warn(line);
}

}  // namespace toto::hints::tuning
