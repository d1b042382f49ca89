// SPDX-License-Identifier: BSD-3-Clause
#include "hints/decide.h"

#include <cstddef>

#include "hints/prior.h"

namespace toto::hints {
namespace {

constexpr std::string_view kFactor = "striping_factor";
constexpr std::string_view kUnit = "striping_unit";
constexpr std::string_view kPool = "pool";
constexpr std::string_view kComponents = "components";

struct Value {
  std::string_view text;
  Origin origin = Origin::kNone;
  [[nodiscard]] bool given() const { return origin != Origin::kNone; }
};

// The key's own spelling counts before its aliases, as it does in the libraries that read both.
std::string_view find_program(const Sources& sources, std::string_view key) {
  std::string_view found;
  for (const ProgramHint& hint : sources.program) {
    if (hint.key == key) return hint.value;
    if (found.empty() && canonical(hint.key) == key) found = hint.value;
  }
  return found;
}

std::string_view find_rule(const Rules* rules, std::string_view path, std::string_view key) {
  return rules != nullptr ? rules->find(path, key) : std::string_view();
}

// What somebody says of a key, the strongest of them.
Value find_stated(const Sources& sources, std::string_view key) {
  const std::string_view rule = find_rule(sources.rules, sources.path, key);
  if (!rule.empty() && sources.mode == RuleMode::kOverride) return {rule, Origin::kUserOverride};
  const std::string_view cray = find_rule(sources.cray_environment, sources.path, key);
  if (!cray.empty()) return {cray, Origin::kCrayEnvironment};
  const std::string_view program = find_program(sources, key);
  if (!program.empty()) return {program, Origin::kProgram};
  if (!rule.empty()) return {rule, Origin::kUserFill};
  const std::string_view file = find_rule(sources.romio_file, sources.path, key);
  if (!file.empty()) return {file, Origin::kRomioFile};
  return {};
}

bool is_striping(std::string_view key) { return key == kFactor || key == kUnit; }

class Decision {
 public:
  Decision(const Sources& sources, Outcome& outcome)
      : sources_(sources),
        outcome_(outcome),
        factor_(find_stated(sources, kFactor)),
        unit_(find_stated(sources, kUnit)),
        pool_(find_stated(sources, kPool)),
        components_(find_stated(sources, kComponents)) {}

  void run() {
    read_stated_layout();
    if (sources_.use_prior) {
      Layout chosen = stated_;
      if (is_tuned()) chosen.count = sources_.tuned_count;
      prior_ = prior(sources_.situation, chosen);
    }
    if (sources_.can_set_layout) ask_for_layout();
    add_reason();
    // A POSIX creation knows no hints.
    if (sources_.library == MpiIo::kUnknown) return;
    add_user_hints();
    if (sources_.use_prior) add_aggregators_a_stripe();
    add_prior_hints();
    list_program_hints();  // last, as these are the ones that may fall off the end of the list
  }

 private:
  void read_stated_layout() {
    if (factor_.given() && !parse_stripe_count(factor_.text, stated_.count)) factor_unreadable_ = true;
    if (unit_.given() && !parse_size(unit_.text, stated_.size)) unit_unreadable_ = true;
    if (components_.given()) {
      stated_.components = components_.text;
      if (stated_.components.truncated()) stated_.components.clear();
    }
    if (pool_.given()) {
      stated_.pool = pool_.text;
      // Half a name is another pool's name.
      if (stated_.pool.truncated()) stated_.pool.clear();
    }
  }

  void ask_for_layout() {
    Layout& asked = outcome_.asked;
    asked = stated_;
    // "0" is a wish as well: for the folder's default.
    if (!is_untuned()) {
      if (!factor_.given()) asked.count = prior_.layout.count;
      if (!unit_.given()) asked.size = prior_.layout.size;
    }
    if (is_tuned() && (asked.count != 0 || is_untuned())) outcome_.layout_origin = Origin::kHistory;
    if (components_.given()) {  // they say it all
      asked.count = 0;
      asked.size = 0;
      note_origin(components_);
    }
    if (asked.count != 0) note_origin(factor_);
    if (asked.size != 0) note_origin(unit_);
    if (!asked.pool.empty()) note_origin(pool_);
  }

  // The tuner speaks of new files whose count nobody stated.
  [[nodiscard]] bool is_tuned() const {
    return sources_.use_prior && sources_.can_set_layout && sources_.tuned_count != 0 && !factor_.given();
  }
  [[nodiscard]] bool is_untuned() const { return is_tuned() && sources_.tuned_untuned; }

  void note_origin(const Value& value) {
    const Origin origin = value.given() ? value.origin : Origin::kPrior;
    if (outcome_.layout_origin == Origin::kNone || origin < outcome_.layout_origin) {
      outcome_.layout_origin = origin;
    }
  }

  void add_stated(std::string_view key, const Value& value) {
    auto& text = outcome_.reason;
    if (!value.given()) return;
    if (!text.empty()) text.add(", ");
    text.add(key).add("=").add(value.text.substr(0, 24)).add(" (").add(name(value.origin)).add(")");
  }

  void add_reason() {
    auto& text = outcome_.reason;
    text.clear();
    add_stated(kFactor, factor_);
    add_stated(kUnit, unit_);
    add_stated(kPool, pool_);
    add_stated(kComponents, components_);
    if (pool_.given() && stated_.pool.empty()) text.add(": no such long pool names, left out");
    if (factor_unreadable_ || unit_unreadable_) text.add(": not understood, left to the MPI library");
    if (!sources_.use_prior) return;
    if (!text.empty()) text.add("; ");
    if (is_tuned() && !sources_.tuned_reason.empty()) {
      text.add("tuner: ").add(sources_.tuned_reason);
      return;
    }
    if (!sources_.can_set_layout) text.add("L12: no layout to choose (existing file, or no control here); ");
    if (sources_.can_set_layout || prior_.layout.count == 0) text.add(prior_.reason);
  }

  // True when the program or the user has a say on `key`, so that nothing weaker may be added.
  [[nodiscard]] bool is_stated(std::string_view key) const { return find_stated(sources_, key).given(); }

  void add_user_hints() {
    add_rules(sources_.rules,
              sources_.mode == RuleMode::kOverride ? Origin::kUserOverride : Origin::kUserFill);
    add_rules(sources_.cray_environment, Origin::kCrayEnvironment);
    add_rules(sources_.romio_file, Origin::kRomioFile);
  }

  void add_rules(const Rules* rules, Origin origin) {
    if (rules == nullptr) return;
    rules->for_each(sources_.path, [&](std::string_view key, std::string_view value) {
      if (key == kPool || key == kComponents) return;  // no MPI library's
      if (find_stated(sources_, key).origin != origin) return;
      // A new file's striping_unit alone is taken for "all targets" by ROMIO on Lustre. Where no count is
      // known the unit is left to the layout, which keeps the folder's count.
      if (key == kUnit && sources_.can_set_layout && !factor_.given() && prior_.layout.count == 0) return;
      add(key, value, origin);
    });
  }

  // ROMIO's Lustre driver uses one aggregator a stripe, however many cb_nodes asks for, unless it is told how
  // many may share a stripe (adio/ad_lustre/ad_lustre_aggregate.c).
  void add_aggregators_a_stripe() {
    constexpr std::string_view kRatio = "romio_lustre_co_ratio";
    const Value nodes = find_stated(sources_, "cb_nodes");
    std::uint32_t aggregators = 0, stripes = factor_.given() ? stated_.count : prior_.layout.count;
    if (sources_.situation.file_system != FileSystem::kLustre || !is_romio(sources_.library)) return;
    if (!nodes.given() || !parse_stripe_count(nodes.text, aggregators) || aggregators == kAllTargets) return;
    if (stripes == kAllTargets) stripes = sources_.situation.targets;
    if (stripes == 0 || aggregators <= stripes || is_stated(kRatio)) return;
    add(kRatio, FixedString<12>().add((aggregators + stripes - 1) / stripes), nodes.origin);
  }

  void add_prior_hints() {
    if (is_untuned()) return;
    for (std::uint32_t i = 0; i < prior_.hint_count; ++i) {
      const std::string_view key = prior_.hints[i].key;
      // Striping hints are for new files; GPFS's striping_unit, without a count, aligns any file.
      if (is_striping(key) && prior_.layout.count != 0 && !sources_.can_set_layout) continue;
      if (is_striping(key) && components_.given()) continue;
      if (is_stated(key) || names(sources_.library, key).none()) continue;
      add(key, prior_.hints[i].value, Origin::kPrior);
    }
  }

  void list_program_hints() {
    for (const ProgramHint& hint : sources_.program) {
      const bool replaced = find_stated(sources_, canonical(hint.key)).origin < Origin::kProgram;
      if (replaced || !outcome_.add(hint.key, hint.value, Origin::kProgram)) continue;
      if (Hint* listed = outcome_.find(hint.key); listed != nullptr && listed->origin == Origin::kProgram) {
        listed->status = HintStatus::kKept;
      }
    }
  }

  void add(std::string_view key, std::string_view value, Origin origin) {
    // MPI libraries read plain numbers: no units, no words.
    FixedString<24> number;
    const MpiKey* known = find_key(key);
    std::uint64_t bytes = 0;
    std::uint32_t count = 0;
    if (known != nullptr && (known->kind == ValueKind::kSize || known->kind == ValueKind::kStripeSize) &&
        parse_size(value, bytes)) {
      value = number.add(bytes);
    } else if (known != nullptr && known->kind == ValueKind::kStripeCount &&
               parse_stripe_count(value, count) && count == kAllTargets) {
      value = number = "-1";
    }
    const Names read = names(sources_.library, key);
    if (read.none()) {
      add_one(key, value, origin, HintStatus::kIgnored);
      return;
    }
    add_one(read.first, value, origin, HintStatus::kRequested);
    if (!read.second.empty()) add_one(read.second, value, origin, HintStatus::kRequested);
  }

  void add_one(std::string_view key, std::string_view value, Origin origin, HintStatus status) {
    // A cut key or value would be another hint.
    if (decltype(Hint::key)(key).truncated() || decltype(Hint::value)(value).truncated()) return;
    if (!outcome_.add(key, value, origin)) return;
    if (Hint* added = outcome_.find(key); added != nullptr && added->origin == origin) added->status = status;
  }

  const Sources& sources_;
  Outcome& outcome_;
  Value factor_, unit_, pool_, components_;
  bool factor_unreadable_ = false, unit_unreadable_ = false;
  Layout stated_;
  Prior prior_;
};

}  // namespace

void decide(const Sources& sources, Outcome& outcome) { Decision(sources, outcome).run(); }

}  // namespace toto::hints
