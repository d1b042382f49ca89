// SPDX-License-Identifier: BSD-3-Clause
// Bandwidths are kept as logarithms: a gain of 0.05 is 5 %. The numbers below were chosen by bench/tuner_sim;
// around them its results hardly change.
#include "hints/tuner/tuner.h"

#include <algorithm>

#include "hints/tuner/numbers.h"

namespace toto::tuner {
namespace {

constexpr double kHopeless = -0.51;      // ln 0.6: so slow that one file says enough
constexpr double kWorthIt = 0.05;        // a gain below is none
constexpr double kTie = 0.03;            // a loss below is none, for fewer stripes ...
constexpr double kTieComparisons = 6;    // ... after so many comparisons
constexpr double kProbes = 2;            // files that a probe has at first
constexpr double kSureOfOne = 1.5;       // standard errors by which a single comparison must win
constexpr double kHope = 0.6;            // standard errors above its mean that an arm may really be
constexpr std::uint32_t kSureFiles = 2;  // files before a sure prior is questioned
constexpr std::uint32_t kPause = 4;      // files between two second looks
constexpr double kBudget = 0.10;         // of the I/O time, for probes
constexpr double kBudgetSettled = 0.03;  // ... for second looks
constexpr double kGrace = 1;             // files' time that may be lost beside the budget
constexpr double kGraceUnsure = 12;
constexpr double kRiskMore = 1;        // files' time that an unknown probe may cost: of more stripes
constexpr double kRiskFewer = 3;       // ... of fewer
constexpr double kOutlier = 0.7;       // a file counts as no further than this from the median
constexpr double kNoise = 0.2;         // standard deviation, before anything is known ...
constexpr double kNoiseWeight = 3;     // ... which is worth so many differences
constexpr double kNearest = 0.2;       // share of the nearest incumbent's file in what is usual
constexpr std::uint32_t kUnusual = 5;  // files in a row that re-open what was settled
constexpr double kGuards = 2;          // comparisons with an untuned file
constexpr double kGuardsInDoubt = 4;   // ... where these two are near to each other

constexpr double kMiB = 1024 * 1024;

}  // namespace

double Arm::median() const { return tuner::median({recent.data(), kept()}); }

double Arm::deviation() const {
  std::array<double, kRecent> away{};
  const double middle = median();
  for (std::size_t i = 0; i < kept(); ++i) away[i] = std::max(recent[i] - middle, middle - recent[i]);
  return tuner::median({away.data(), kept()});
}

double Arm::bytes_per_second() const { return files != 0 ? exp(median()) : 0; }

void Tuner::begin(const Setup& setup) {
  *this = Tuner{};
  Arms arms = setup.arms;
  if (setup.untuned != 0) arms.add(setup.untuned);  // the guard measures it
  for (const std::uint32_t count : arms.all()) arms_[size_++].count = count;
  if (const std::size_t start = index_of(setup.start); start != kMostArms) incumbent_ = start;
  untuned_ = setup.untuned;
  unsure_ = !setup.sure;
  plan();
}

void Tuner::resume(std::span<const Arm> arms, std::uint32_t incumbent, double weight) {
  const std::size_t leader = index_of(incumbent);
  if (leader == kMostArms) return;
  incumbent_ = leader;
  unsure_ = false;
  for (const Arm& arm : arms) {
    const std::size_t i = index_of(arm.count);
    if (i == kMostArms || arm.files == 0) continue;
    // What they reached then is not what they reach now: only how they compare is carried over.
    if (i == leader) continue;
    arms_[i].gain = arm.gain;
    arms_[i].compared = arm.compared > 0 ? std::max(arm.compared * weight, 1.0) : 0;
  }
  plan();
}

std::size_t Tuner::index_of(std::uint32_t count) const {
  for (std::size_t i = 0; i < size_; ++i) {
    if (arms_[i].count == count) return i;
  }
  return kMostArms;
}

bool Tuner::measured(std::size_t arm) const { return arm == incumbent_ || arms_[arm].compared > 0; }

// What the incumbent would reach now.
double Tuner::usual() const {
  const Arm& arm = arms_[incumbent_];
  return kNearest * arm.last() + (1 - kNearest) * arm.median();
}

double Tuner::noise() const {
  return root((squares_ / 2 + kNoiseWeight * kNoise * kNoise) / (differences_ + kNoiseWeight));
}

// Standard error of an arm's gain.
double Tuner::doubt(const Arm& arm) const {
  const double beside =
      std::min<double>(static_cast<double>(arms_[incumbent_].kept()), std::max(3.0, arm.compared));
  return noise() * root(1 / std::max(arm.compared, 1.0) + 1 / std::max(beside, 1.0));
}

void Tuner::note(Arm& arm, double value) {
  if (arm.files >= 3) value = std::clamp(value, arm.median() - kOutlier, arm.median() + kOutlier);
  if (arm.files >= 1) {
    const double step = std::clamp(value - arm.last(), -2 * kOutlier, 2 * kOutlier);
    squares_ += step * step;
    ++differences_;
  }
  arm.recent[arm.files % Arm::kRecent] = value;
  ++arm.files;
}

void Tuner::observe(std::uint32_t count, std::uint64_t bytes, double seconds) {
  const std::size_t index = index_of(count);
  if (index == kMostArms || bytes == 0 || !(seconds > 0)) return;
  const double value = ln(static_cast<double>(bytes) / seconds);
  // A file that took ten times as long as usual shall not buy probes.
  const double most = files_ != 0 && io_time_ > 0 ? 10 * io_time_ / files_ : seconds;
  ++files_;
  io_time_ += std::min(seconds, most);
  if (index == incumbent_) {
    if (open_ != kMostArms) {
      // Of the nearest files, the one after the probe counts as much as the one before.
      Arm& arm = arms_[open_];
      const double step = std::clamp(value - arms_[index].last(), -kOutlier, kOutlier);
      arm.gain -= step * kNearest / 2 / arm.compared;
      open_ = kMostArms;
    }
    watch(value);
    note(arms_[index], value);
    ++since_probe_;
  } else {
    compare(index, value, std::min(seconds, most));
  }
  for (std::size_t i = 0; i < size_; ++i) {
    if (i != incumbent_ && wins(i)) lead(i);
  }
  plan();
}

void Tuner::compare(std::size_t index, double value, double seconds) {
  Arm& arm = arms_[index];
  note(arm, value);
  if (arms_[incumbent_].files == 0) return;
  double gain = value - usual();
  if (gain < 0) extra_ += seconds * (1 - exp(gain));
  if (arm.compared >= 2) gain = std::clamp(gain, arm.gain - kOutlier, arm.gain + kOutlier);
  arm.compared += 1;
  arm.gain += (gain - arm.gain) / arm.compared;
  open_ = index;
  open_gain_ = gain;
  since_probe_ = 0;
}

bool Tuner::wins(std::size_t index) const {
  const Arm& arm = arms_[index];
  if (arm.compared < 1) return false;
  const double error = doubt(arm);
  if (arm.gain > std::max(kWorthIt, error * (arm.compared < 2 ? kSureOfOne : 1))) return true;
  if (arm.count == untuned_ && settled_ && arm.compared >= kGuards && arm.gain > 0 &&
      (arm.gain > error / 2 || arm.compared >= kGuardsInDoubt)) {
    return true;
  }
  return arm.count < arms_[incumbent_].count && arm.compared >= kTieComparisons && arm.gain > -kTie;
}

// A new incumbent: what is known of the others is how they compare with it.
void Tuner::lead(std::size_t index) {
  const double gain = arms_[index].gain, compared = arms_[index].compared;
  for (std::size_t i = 0; i < size_; ++i) {
    Arm& arm = arms_[i];
    if (i == incumbent_) {
      arm.gain = -gain;
      arm.compared = compared;
    } else if (arm.compared > 0) {
      arm.gain -= gain;
      arm.compared = std::max(1.0, arm.compared * compared / (arm.compared + compared));
    }
  }
  reverted_ = settled_ && arms_[index].count == untuned_;
  arms_[index].gain = arms_[index].compared = 0;
  incumbent_ = index;
  open_ = kMostArms;
  since_probe_ = 0;
}

// A change of the file system, or of what is written: what was learned is of another time.
void Tuner::watch(double value) {
  const Arm& arm = arms_[incumbent_];
  if (arm.files < 4) return;
  const double off = value - arm.median(), usual_off = 2 * noise();
  unusual_ = off > usual_off || off < -usual_off ? unusual_ + 1 : 0;
  if (unusual_ < kUnusual) return;
  for (std::size_t i = 0; i < size_; ++i) arms_[i] = Arm{.count = arms_[i].count};
  unusual_ = 0;
  unsure_ = settled_ = reverted_ = false;
}

// ln(arm / incumbent). Between two arms that were measured: on the line between them, over ln(count). Beyond:
// as the last one.
double Tuner::predicted(std::size_t index) const {
  if (measured(index)) return arms_[index].gain;
  std::size_t below = kMostArms, above = kMostArms;
  for (std::size_t i = 0; i < size_; ++i) {
    if (!measured(i)) continue;
    if (i < index) below = i;
    if (i > index && above == kMostArms) above = i;
  }
  if (below == kMostArms) return arms_[above].gain;
  if (above == kMostArms) return arms_[below].gain;
  const auto place = [&](std::size_t i) { return ln(arms_[i].count); };
  const double along = (place(index) - place(below)) / (place(above) - place(below));
  return arms_[below].gain + along * (arms_[above].gain - arms_[below].gain);
}

// Not worth a file: far too slow, or beyond one that lost.
bool Tuner::hopeless(std::size_t index) const {
  if (predicted(index) < kHopeless) return true;
  for (std::size_t i = 0; i < size_; ++i) {
    if (i == incumbent_ || !measured(i) || arms_[i].gain + doubt(arms_[i]) > -kWorthIt) continue;
    if ((i > incumbent_ && index > i) || (i < incumbent_ && index < i)) return true;
  }
  return false;
}

// What a file with this arm may take more than one with the incumbent, in files' time.
double Tuner::risk(std::size_t index) const {
  if (measured(index)) return std::max(0.0, exp(-arms_[index].gain) - 1);
  return arms_[index].count > arms_[incumbent_].count ? kRiskMore : kRiskFewer;
}

bool Tuner::affordable(std::size_t index, double budget, double grace) const {
  const double a_file = io_time_ / files_;
  return extra_ + risk(index) * a_file <= budget * io_time_ + grace * a_file;
}

// The arm nearest to `count` that was not measured yet.
std::size_t Tuner::near_to(double count) const {
  std::size_t best = kMostArms;
  double least = 0.36;  // within a factor of e^0.6
  for (std::size_t i = 0; i < size_; ++i) {
    const double away = ln(arms_[i].count / count);
    if (!measured(i) && away * away < least) {
      best = i;
      least = away * away;
    }
  }
  return best;
}

// Begun, and it may be better.
std::size_t Tuner::unfinished() const {
  for (std::size_t i = 0; i < size_; ++i) {
    const Arm& arm = arms_[i];
    if (i == incumbent_ || !measured(i) || arm.compared >= kProbes || hopeless(i)) continue;
    if (arm.gain + kHope * doubt(arm) > kWorthIt) return i;
  }
  return kMostArms;
}

std::size_t Tuner::untried() const {
  // 16: a plateau may be wide. 1: counts that are no power of two, between the others.
  constexpr std::array<double, 6> kSure{2, 4, 0.5, 0.25, 16, 1}, kUnsure{4, 0.25, 2, 0.5, 16, 1};
  for (const double step : unsure_ ? kUnsure : kSure) {
    const std::size_t arm = near_to(arms_[incumbent_].count * step);
    if (arm != kMostArms && !hopeless(arm)) return arm;
  }
  return kMostArms;
}

// The one that may be better by most, for a second look.
std::size_t Tuner::doubtful() const {
  std::size_t best = kMostArms;
  double most = kWorthIt;
  for (std::size_t i = 0; i < size_; ++i) {
    if (i == incumbent_ || !measured(i) || hopeless(i)) continue;
    const double may_be = arms_[i].gain + kHope * doubt(arms_[i]);
    if (may_be > most) {
      best = i;
      most = may_be;
    }
  }
  if (best != kMostArms) return best;
  // Or as good with fewer stripes: to know that takes more looks.
  for (std::size_t i = 0; i < incumbent_; ++i) {
    if (arms_[i].compared >= kProbes && arms_[i].compared < kTieComparisons && arms_[i].gain > -kTie)
      return i;
  }
  return kMostArms;
}

// Whether enough is known of untuned files.
bool Tuner::guarded() const {
  const std::size_t untuned = untuned_ != 0 ? index_of(untuned_) : kMostArms;
  if (untuned == kMostArms || untuned == incumbent_) return true;
  const Arm& arm = arms_[untuned];
  if (arm.compared >= 1 && arm.gain < kHopeless) return true;
  return arm.compared >= (arm.gain > 0 ? kGuardsInDoubt : kGuards);
}

void Tuner::plan() {
  const auto choose = [&](std::size_t arm, Kind kind) { next_ = {arms_[arm].count, kind}; };
  choose(incumbent_, reverted_ ? Kind::kUntuned : Kind::kIncumbent);
  if (files_ == 0 || arms_[incumbent_].files < (unsure_ ? 1 : kSureFiles)) return;
  // After a probe that looked worse the incumbent has a turn, so that it was measured on either side; while
  // nothing but an unsure prior speaks for it, that would be a turn for nothing.
  const bool hurry = unsure_ && arms_[incumbent_].files < 3;
  if (open_ != kMostArms && open_gain_ < 0 && !hurry) return;
  std::size_t arm = unfinished();
  if (arm == kMostArms) arm = untried();
  settled_ = arm == kMostArms;
  if (!settled_) {
    if (affordable(arm, kBudget, unsure_ ? kGraceUnsure : kGrace)) choose(arm, Kind::kProbe);
    return;
  }
  if (since_probe_ < kPause) return;
  if (!guarded() && affordable(index_of(untuned_), kBudget, 0))
    return choose(index_of(untuned_), Kind::kUntuned);
  arm = doubtful();
  if (arm != kMostArms && affordable(arm, kBudgetSettled, 0)) choose(arm, Kind::kProbe);
}

void Tuner::explain(FixedString<220>& text) const {
  text.clear();
  if (files_ == 0) return;
  const auto rounded = [](double number) {
    const auto whole = static_cast<std::uint64_t>(number);
    return number - static_cast<double>(whole) < 0.5 ? whole : whole + 1;
  };
  const auto speed = [&](const Arm& arm) { return rounded(arm.bytes_per_second() / kMiB); };
  const Arm& best = arms_[incumbent_];
  if (next_.kind == Kind::kProbe) {
    text.add("probe of ").add(next_.count).add(" stripes beside ");
  } else if (next_.kind == Kind::kUntuned && !reverted_) {
    text.add("untuned, as a check of ");
  } else if (reverted_) {
    text.add("untuned was no worse: back to it, ");
  }
  text.add(best.count).add(" stripes: ").add(speed(best)).add(" MiB/s (").add(best.files).add(")");
  bool first = true;
  for (const Arm& arm : arms()) {
    if (arm.count == best.count || arm.files == 0 || text.size() > 150) continue;
    text.add(first ? "; tried " : ", ")
        .add(arm.count)
        .add(": ")
        .add(speed(arm))
        .add(" (")
        .add(arm.files)
        .add(")");
    first = false;
  }
  if (io_time_ > 0) text.add("; probes cost ").add(rounded(100 * extra_ / io_time_)).add(" % of I/O time");
  if (settled_ && next_.kind == Kind::kIncumbent) text.add("; settled");
}

}  // namespace toto::tuner
