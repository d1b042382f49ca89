// SPDX-License-Identifier: BSD-3-Clause
#include "hints/own_files.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <new>

#include "core/clock.h"
#include "core/job.h"
#include "core/keep.h"
#include "core/path.h"
#include "core/segment.h"
#include "hints/history.h"
#include "hints/learned.h"
#include "hints/prior.h"
#include "hints/shared.h"
#include "hints/waves.h"

namespace toto::hints::own_files {
namespace {

// What this process knows of a family of the table, at the same place.
struct Own {
  std::atomic<bool> busy{false};
  bool asked = false;      // the history
  std::uint32_t last = 0;  // the last wave that it had a file in
  std::array<bool, waves::kWaves> counted{};
  std::uint64_t bytes = 0;  // of a file, as the tuner's measurements are
  history::Record base;     // what the history had; family empty: nothing
  tuner::Tuner tuner;
};

// What has to be known of a file whose family may turn out to be worth tuning.
struct Basis {
  Situation situation;
  std::string_view file_system;  // of the table of known ones
  std::uint64_t place = 0;       // history::Record::place
  std::uint32_t untuned = 0;
};

struct Slot {
  enum State : std::uint8_t { kFree, kBeingMade, kOpen };
  std::atomic<State> state{kFree};
  std::atomic<const File*> file{nullptr};
  Basis basis;
  waves::Family* family = nullptr;  // nullptr: not in the table
  std::uint32_t wave = 0;
  std::uint32_t count = 0;                       // stripes that it is to have ...
  bool untuned = false;                          // ... from its folder
  std::uint64_t bytes = 0, read = 0, ticks = 0;  // counted for its name before
};

struct State {
  std::array<Slot, 64> slots;
  std::array<Own, waves::kFamilies> own;
};
constinit std::atomic<State*> state{nullptr};
constinit std::atomic<std::uint32_t> open_files{0};

State* the_state() {
  State* there = state.load(std::memory_order_acquire);
  if (there != nullptr) return there;
  void* memory = keep_memory(sizeof(State));
  if (memory == nullptr) return nullptr;
  State* fresh = ::new (memory) State;
  return state.compare_exchange_strong(there, fresh) ? fresh : there;
}

bool is_alone() { return job.ranks.load(std::memory_order_relaxed) <= 1; }

// Whether this process may make experiments: it sees what its neighbours do.
bool may_probe() { return learned::learns() && (segment::nonce() != 0 || is_alone()); }

// nullptr: there is none (yet).
waves::Table* the_table(bool make) {
  Shared* const there = shared(make);
  return there != nullptr ? &there->waves : nullptr;
}

std::size_t index_of(const waves::Table& table, const waves::Family& family) {
  return static_cast<std::size_t>(&family - table.families.data());
}

// Held while one thread looks; another one does not wait: its file is decided by the rule.
class Hold {
 public:
  explicit Hold(Own& own) : own_(!own.busy.exchange(true) ? &own : nullptr) {}
  ~Hold() {
    if (own_ != nullptr) own_->busy.store(false, std::memory_order_release);
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;
  explicit operator bool() const { return own_ != nullptr; }

 private:
  Own* own_;
};

std::uint32_t at_least_one(int number) { return static_cast<std::uint32_t>(std::max(1, number)); }

// One file of one process, as the rules see it: all ranks have one, unless there is only one process, or the
// name does not tell the rank.
Situation situation_of(Situation s, std::uint64_t bytes, std::uint64_t request) {
  s.ranks = at_least_one(job.ranks.load());
  s.nodes = at_least_one(job.nodes.load());
  const bool each = s.ranks > 1 && s.sharing != Sharing::kSerial;
  s.sharing = each ? Sharing::kFilePerProcess : Sharing::kSerial;
  s.files = each ? s.ranks : 1;
  s.calls = Calls::kIndependent;
  s.bytes = bytes;
  s.request = request;
  return s;
}

// `first`: stripes that its first file had, by the rule as far as it knew then; 0: not known. Tuning goes on
// from there.
waves::Facts facts_of(std::string_view name, const Basis& basis, std::uint64_t bytes, std::uint64_t request,
                      std::uint32_t first) {
  const Situation s = situation_of(basis.situation, bytes, request);
  const Prior rule = prior(s);
  waves::Facts facts;
  facts.name = name;
  facts.file_system = basis.file_system;
  facts.place = basis.place;
  facts.bytes = bytes;
  facts.request = request;
  facts.targets = s.targets;
  facts.untuned = basis.untuned;
  facts.rule_leaves = rule.layout.count == 0;
  facts.start = facts.rule_leaves ? basis.untuned : std::min(rule.layout.count, s.targets);
  facts.sure = rule.confident;
  if (first != 0 && first != facts.start) {
    facts.start = first;
    facts.sure = facts.rule_leaves = false;
  }
  facts.alone = s.sharing == Sharing::kSerial;
  return facts;
}

learned::Key key_of(std::string_view family, std::string_view file_system, std::uint64_t place,
                    std::uint32_t targets) {
  return {.family = family,
          .file_system = file_system,
          .place = place,
          .targets = targets,
          .ranks = at_least_one(job.ranks.load()),
          .nodes = at_least_one(job.nodes.load())};
}

learned::Key key_of(const waves::Facts& facts) {
  return key_of(facts.name, facts.file_system, facts.place, facts.targets);
}

Usage usage_of(const waves::Facts& facts, std::uint64_t bytes) {
  Usage usage;
  usage.sharing = facts.alone ? Sharing::kSerial : Sharing::kFilePerProcess;
  usage.calls = Calls::kIndependent;
  usage.writers = facts.alone ? 1 : at_least_one(job.ranks.load());
  usage.bytes = bytes;
  usage.request = facts.request;
  return usage;
}

const history::Record* recall(const learned::Key& key) {
  if (job.rank.load(std::memory_order_relaxed) < 0) return nullptr;
  return learned::recall(
      key,
      [](const Usage& usage) {
        return usage.sharing == Sharing::kFilePerProcess || usage.sharing == Sharing::kSerial;
      },
      learned::kPatience);
}

bool another_size(std::uint64_t a, std::uint64_t b) { return a >= 2 * b || b >= 2 * a; }

void begin_tuning(Own& own, const waves::Facts& facts, std::uint64_t bytes) {
  const bool again = own.tuner.begun();
  tuner::Setup setup;
  setup.start = std::min(again ? own.tuner.incumbent().count : facts.start, facts.targets);
  setup.sure = again || facts.sure;
  setup.untuned = facts.untuned;
  setup.arms = tuner::arms_of(
      {.targets = facts.targets, .nodes = at_least_one(job.nodes.load()), .start = setup.start});
  own.bytes = bytes;
  own.tuner.begin(setup);
  if (again) own.base = {};
  learned::resume(own.base, own.tuner);
}

// The tuner hears of all waves that have become complete.
void catch_up(Own& own, const waves::Family& family) {
  if (!own.asked) {
    own.asked = true;
    const history::Record* const before = recall(key_of(family.facts));
    if (before != nullptr) own.base = *before;
  }
  if (!own.tuner.begun()) begin_tuning(own, family.facts, family.facts.bytes);
  const std::uint32_t current = std::min(family.current.load(std::memory_order_acquire), waves::kWaves);
  for (std::uint32_t wave = 1; wave <= current; ++wave) {
    if (own.counted[wave - 1]) continue;
    const auto result = waves::result(family, wave);
    if (!result) continue;
    own.counted[wave - 1] = true;
    if (result->bytes == 0 || result->slowest_ns == 0) continue;
    const double seconds = static_cast<double>(result->slowest_ns) / 1e9;
    if (static_cast<double>(result->bytes) / seconds > tuning::kMemorySpeed) continue;
    const std::uint64_t of_a_file = result->bytes / result->files;
    if (another_size(of_a_file, own.bytes)) begin_tuning(own, family.facts, of_a_file);
    own.tuner.observe(result->count, of_a_file, seconds);
  }
}

void say(const Own& own, std::uint32_t count, FixedString<220>& sentence) {
  if (own.tuner.files() != 0) {
    FixedString<220> text;
    own.tuner.explain(text);
    sentence.add("a file: ").add(text);
  } else if (!own.base.family.empty()) {
    learned::explain(own.base, count, sentence);
  } else {
    sentence.add(count).add(count == 1 ? " stripe" : " stripes").add(" to begin with");
  }
}

Slot* take_slot(State& all, Ticket& ticket) {
  for (Slot& slot : all.slots) {
    Slot::State free = Slot::kFree;
    if (!slot.state.compare_exchange_strong(free, Slot::kBeingMade)) continue;
    ticket = static_cast<Ticket>(&slot - all.slots.data()) + 1;
    slot.family = nullptr;
    slot.wave = slot.count = 0;
    slot.untuned = false;
    return &slot;
  }
  return nullptr;
}

Slot* slot_of(Ticket ticket) {
  State* const all = state.load(std::memory_order_acquire);
  return ticket != 0 && all != nullptr ? &all->slots[ticket - 1] : nullptr;
}

void free_slot(Slot& slot) {
  if (slot.family != nullptr && slot.wave != 0) waves::cancel(*slot.family, slot.wave);
  slot.state.store(Slot::kFree, std::memory_order_release);
}

struct Amount {
  std::uint64_t bytes = 0, ticks = 0, writes = 0, read = 0;
};
// Of the layer that has most: what is seen in two layers was done once.
Amount amount_of(const File& file) {
  std::array<Totals, kLayers> layers{};
  file.totals(layers);
  Amount most;
  for (const Totals& one : layers) {
    most.read = std::max(most.read, one[Counter::bytes_read]);
    most.ticks =
        std::max(most.ticks, one[Counter::write_ticks] + one[Counter::read_ticks] + one[Counter::meta_ticks]);
    if (one[Counter::bytes_written] <= most.bytes) continue;
    most.bytes = one[Counter::bytes_written];
    most.writes = one[Counter::writes];
  }
  return most;
}

}  // namespace

tuning::Answer choose(const tuning::Question& question, Ticket& ticket) {
  ticket = 0;
  tuning::Answer answer;
  // Without a count of untuned files the folder's default is a layout of its own (Lustre: progressive).
  if (!learned::may_use_history() || question.situation.targets < 2 || question.untuned == 0) return answer;
  State* const all = the_state();
  if (all == nullptr) return answer;
  Slot* const slot = may_probe() ? take_slot(*all, ticket) : nullptr;
  const Basis basis{.situation = question.situation,
                    .file_system = question.file_system,
                    .place = question.place,
                    .untuned = question.untuned};
  if (slot != nullptr) slot->basis = basis;
  const std::uint64_t hash = path::hash(question.family);
  waves::Table* table = the_table(false);
  waves::Family* family = table != nullptr ? waves::find(*table, hash) : nullptr;
  if (family == nullptr) {
    const history::Record* const before =
        recall(key_of(question.family, question.file_system, question.place, question.situation.targets));
    if (before == nullptr || (table = the_table(true)) == nullptr) return answer;
    family = waves::claim(*table, hash,
                          facts_of(question.family, basis, before->usage.bytes, before->usage.request, 0));
  }
  if (family == nullptr) return answer;
  Own& own = all->own[index_of(*table, *family)];
  const Hold hold(own);
  if (!hold) {
    drop(ticket);
    return answer;
  }
  catch_up(own, *family);
  std::uint32_t count = own.tuner.incumbent().count;
  if (slot != nullptr) {
    const waves::Place place = waves::join(*family, own.last, own.tuner.choose().count);
    if (place.wave != 0) {
      own.last = slot->wave = place.wave;
      count = place.count;
    } else {
      drop(ticket);
    }
  }
  answer.count = count;
  answer.untuned = family->facts.rule_leaves && count == family->facts.untuned;
  say(own, count, answer.sentence);
  if (slot != nullptr && ticket != 0) {
    slot->family = family;
    slot->count = count;
    slot->untuned = answer.untuned;
  }
  return answer;
}

void asked(Ticket& ticket, bool by_us, const Outcome& outcome) {
  const Slot* const slot = slot_of(ticket);
  if (slot == nullptr || slot->family == nullptr) return;
  const bool as_chosen = slot->untuned ? !by_us && outcome.layout_status == LayoutStatus::kNone
                                       : by_us && outcome.asked.count == slot->count;
  if (!as_chosen) drop(ticket);
}

void made(Ticket& ticket, bool by_us, const Outcome& outcome) {
  Slot* const slot = slot_of(ticket);
  if (slot == nullptr) return;
  if (slot->family == nullptr) slot->count = outcome.obtained.count;
  if (!by_us || (slot->family != nullptr && outcome.obtained.count != slot->count)) drop(ticket);
}

void drop(Ticket& ticket) {
  if (Slot* slot = slot_of(ticket); slot != nullptr) free_slot(*slot);
  ticket = 0;
}

void begin(Ticket ticket, File& file) {
  Slot* const slot = slot_of(ticket);
  if (slot == nullptr) return;
  if (file.folded) return free_slot(*slot);  // others count there, too
  const Amount before = amount_of(file);
  slot->bytes = before.bytes;
  slot->read = before.read;
  slot->ticks = before.ticks;
  slot->file.store(&file, std::memory_order_relaxed);
  slot->state.store(Slot::kOpen, std::memory_order_release);
  open_files.fetch_add(1, std::memory_order_relaxed);
}

bool any_open() { return open_files.load(std::memory_order_relaxed) != 0; }

void ended(File& file) {
  if (!any_open()) return;
  State* const all = state.load(std::memory_order_acquire);
  for (Slot& slot : all->slots) {
    Slot::State open = Slot::kOpen;
    if (slot.file.load(std::memory_order_relaxed) != &file ||
        !slot.state.compare_exchange_strong(open, Slot::kBeingMade)) {
      continue;
    }
    open_files.fetch_sub(1, std::memory_order_relaxed);
    slot.file.store(nullptr, std::memory_order_relaxed);
    const Amount now = amount_of(file);
    std::uint64_t bytes = now.bytes - slot.bytes;
    if (now.read - slot.read > bytes / 8) bytes = 0;  // not a file that is written
    const double ns = static_cast<double>(now.ticks - slot.ticks) * clock::rate().ns_per_tick;
    if (slot.family != nullptr && slot.wave != 0) {
      if (bytes != 0) {
        waves::leave(*slot.family, slot.wave, bytes, static_cast<std::uint64_t>(ns));
      } else {  // it tells nothing, and is no part of what the others tell
        waves::cancel(*slot.family, slot.wave);
      }
    } else if (bytes >= tuning::kLargeFile || (bytes != 0 && ns >= tuning::kLongWrite * 1e9)) {
      const path::Family name = path::family(file.path());
      if (waves::Table* const table = the_table(true); table != nullptr && !name.truncated()) {
        waves::claim(
            *table, path::hash(name),
            facts_of(name, slot.basis, bytes, bytes / std::max<std::uint64_t>(now.writes, 1), slot.count));
      }
    }
    slot.state.store(Slot::kFree, std::memory_order_release);
    return;
  }
}

void after_fork() {
  learned::after_fork();
  State* const all = state.load(std::memory_order_acquire);
  if (all == nullptr) return;
  open_files = 0;
  for (Slot& slot : all->slots) {
    slot.file.store(nullptr, std::memory_order_relaxed);
    slot.state.store(Slot::kFree, std::memory_order_relaxed);
  }
  for (Own& own : all->own) own.busy.store(false, std::memory_order_relaxed);
}

bool any_learned() {
  if (job.rank.load() != 0 || !may_probe()) return false;
  const waves::Table* const table = the_table(false);
  return table != nullptr &&
         std::any_of(table->families.begin(), table->families.end(), [](const waves::Family& family) {
           for (std::uint32_t wave = 1; wave <= family.current.load(); ++wave) {
             const auto result = waves::result(family, wave);
             if (result && result->bytes != 0) return true;
           }
           return false;
         });
}

namespace {

// Calls visit(family, own) for each family, with what is known of it by now.
template <class Visit>
void for_each_family(Visit visit) {
  waves::Table* const table = the_table(false);
  State* const all = table != nullptr ? the_state() : nullptr;
  if (all == nullptr) return;
  for (waves::Family& family : table->families) {
    if (!family.ready.load(std::memory_order_acquire)) continue;
    Own& own = all->own[index_of(*table, family)];
    const Hold hold(own);
    if (!hold) continue;
    catch_up(own, family);
    visit(family, own);
  }
}

}  // namespace

void tell(report::TunedVisitor visit, void* context) {
  for_each_family([&](const waves::Family& family, const Own& own) {
    FixedString<220> sentence;
    say(own, own.tuner.incumbent().count, sentence);
    learned::tell(family.facts.name, own.tuner, sentence, visit, context);
  });
}

void merge_into(history::Records& records) {
  if (!any_learned()) return;
  for_each_family([&](const waves::Family& family, const Own& own) {
    if (own.tuner.files() == 0) return;
    history::Record found;
    const history::Record& before = learned::describe(key_of(family.facts), usage_of(family.facts, own.bytes),
                                                      own.tuner, own.base, found);
    history::merge(found, before, records);
  });
}

}  // namespace toto::hints::own_files
