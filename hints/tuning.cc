// SPDX-License-Identifier: BSD-3-Clause
#include "hints/tuning.h"

#include <array>
#include <atomic>
#include <bit>
#include <new>

#include "core/config.h"
#include "core/keep.h"
#include "core/path.h"

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
  Measured first;           // measured before anything was known of the family
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

Context context_of(const Question& question) {
  const Situation& s = question.situation;
  return {.device = question.device,
          .ranks = s.ranks,
          .nodes = s.nodes,
          .targets = s.targets,
          .sharing = s.sharing,
          .calls = s.calls};
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
  entry.tuner.begin(setup);
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
  if (!learns() || question.prior == nullptr || question.prior->layout.count == 0) return answer;
  if (s.targets < 2 || s.sharing != Sharing::kShared || !question.seen) return answer;
  const Hold entry(entry_of(question.family));
  if (!entry || !entry->significant) return answer;
  if (!entry->tuner.begun() || entry->context != context_of(question) ||
      another_size(entry->bytes, s.bytes)) {
    begin(*entry.operator->(), question);
  }
  const tuner::Choice choice = entry->tuner.choose();
  answer.count = choice.count;
  answer.untuned = choice.kind == tuner::Kind::kUntuned;
  entry->tuner.explain(answer.sentence);
  return answer;
}

void observe(std::string_view family, const Measured& measured) {
  if (!learns() || measured.count == 0 || measured.bytes == 0 || !(measured.seconds > 0)) return;
  const double speed = static_cast<double>(measured.bytes) / measured.seconds;
  if (speed > kMemorySpeed * measured.nodes) return;
  const Hold entry(entry_of(family));
  if (!entry) return;
  if (measured.bytes >= kLargeFile || measured.seconds >= kLongWrite) entry->significant = true;
  if (!entry->significant) return;
  if (!entry->tuner.begun()) {
    entry->first = measured;
  } else {
    entry->tuner.observe(measured.count, measured.bytes, measured.seconds);
  }
}

const tuner::Tuner* of(std::string_view family) {
  Table* const all = table.load(std::memory_order_acquire);
  if (all == nullptr) return nullptr;
  const std::uint64_t hash = path::hash(family);
  for (const Entry& entry : *all) {
    if (entry.family.load(std::memory_order_acquire) == hash && entry.tuner.begun()) return &entry.tuner;
  }
  return nullptr;
}

}  // namespace toto::hints::tuning
