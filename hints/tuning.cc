// SPDX-License-Identifier: BSD-3-Clause
#include "hints/tuning.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <new>

#include "core/keep.h"
#include "core/path.h"
#include "hints/history.h"
#include "hints/learned.h"
#include "hints/own_files.h"

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
  std::uint64_t place = 0;
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

Context context_of(const Question& question) {
  const Situation& s = question.situation;
  return {.device = question.device,
          .ranks = s.ranks,
          .nodes = s.nodes,
          .targets = s.targets,
          .sharing = s.sharing,
          .calls = s.calls};
}

learned::Key key_of(std::string_view family, std::string_view file_system, std::uint64_t place,
                    const Context& context) {
  return {.family = family,
          .file_system = file_system,
          .place = place,
          .targets = context.targets,
          .ranks = context.ranks,
          .nodes = context.nodes};
}

void merge_all(history::Records& records, void*) {
  if (Table* const all = table.load(std::memory_order_acquire); all != nullptr) {
    for (const Entry& entry : *all) {
      if (entry.tuner.files() == 0) continue;
      history::Record found;
      const history::Record& before =
          learned::describe(key_of(entry.name, entry.file_system, entry.place, entry.context), entry.usage,
                            entry.tuner, entry.base, found);
      history::merge(found, before, records);
    }
  }
  own_files::merge_into(records);
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
  setup.start = std::min(setup.start, s.targets);  // kAllTargets; or some have gone
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
  entry.place = question.place;
  entry.tuner.begin(setup);
  if (again) entry.base = {};  // of another setting than what is learned from now on
  learned::resume(entry.base, entry.tuner);
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
  if (!learned::may_use_history() || question.prior == nullptr || question.prior->layout.count == 0)
    return answer;
  if (s.targets < 2 || s.sharing != Sharing::kShared || !question.seen) return answer;
  const Hold entry(entry_of(question.family));
  if (!entry || !entry->significant) return answer;
  if (!entry->tuner.begun() || entry->context != context_of(question) ||
      another_size(entry->bytes, s.bytes)) {
    begin(*entry.operator->(), question);
  }
  const tuner::Choice choice = entry->tuner.choose();
  const bool frozen = !learned::learns();
  answer.count = frozen ? entry->tuner.incumbent().count : choice.count;
  answer.untuned = !frozen && choice.kind == tuner::Kind::kUntuned;
  if (entry->tuner.files() == 0 && !entry->base.family.empty()) {
    learned::explain(entry->base, answer.count, answer.sentence);
  } else {
    entry->tuner.explain(answer.sentence);
  }
  return answer;
}

void observe(std::string_view family, const Measured& measured, const Usage& usage) {
  if (!learned::learns() || measured.count == 0 || measured.bytes == 0 || !(measured.seconds > 0)) return;
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
  const learned::Key key =
      key_of(question.family, question.file_system, question.place, context_of(question));
  const history::Record* const newest = learned::recall(
      key, [](const Usage& usage) { return usage.sharing == Sharing::kShared; }, learned::kLongPatience);
  const Hold entry(newest != nullptr ? entry_of(question.family) : nullptr);
  if (!entry) return std::nullopt;
  entry->base = *newest;
  entry->significant = true;
  return newest->usage;
}

void keep() {
  if (!learned::learns()) return;
  const Table* const all = table.load(std::memory_order_acquire);
  const bool any = all != nullptr && std::any_of(all->begin(), all->end(),
                                                 [](const Entry& entry) { return entry.tuner.files() > 0; });
  if (any || own_files::any_learned()) learned::write(merge_all, nullptr);
}

void tell(report::TunedVisitor visit, void* context) {
  if (const Table* const all = table.load(std::memory_order_acquire); all != nullptr) {
    for (const Entry& entry : *all) {
      FixedString<220> sentence;
      entry.tuner.explain(sentence);
      learned::tell(entry.name, entry.tuner, sentence, visit, context);
    }
  }
  own_files::tell(visit, context);
}

}  // namespace toto::hints::tuning
