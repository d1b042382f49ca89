// SPDX-License-Identifier: BSD-3-Clause
#include "bench/tuner_sim/policies.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "hints/tuner/tuner.h"

namespace toto::sim {
namespace {

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n == 0 ? 0 : (values[n / 2] + values[(n - 1) / 2]) / 2;
}

// One arm for ever: the default, or the rule.
struct Fixed : Policy {
  explicit Fixed(std::size_t fixed) : arm(fixed) {}
  std::size_t choose() override { return arm; }
  void observe(std::size_t, double) override {}
  std::size_t arm;
};

// What the others share: each arm's measurements.
struct Measuring : Policy {
  explicit Measuring(const Start& start) : prior(start.prior), random(start.seed) {}
  void observe(std::size_t arm, double log_bandwidth) override {
    values[arm].push_back(log_bandwidth);
    ++files;
  }
  [[nodiscard]] std::size_t best_mean() const {
    std::size_t best = prior;
    for (std::size_t i = 0; i < kArms; ++i) {
      if (!values[i].empty() && (values[best].empty() || mean(values[i]) > mean(values[best]))) best = i;
    }
    return best;
  }
  std::size_t prior;
  std::mt19937_64 random;
  std::array<std::vector<double>, kArms> values;
  std::size_t files = 0;
};

struct ExploreAll : Measuring {
  using Measuring::Measuring;
  std::size_t choose() override { return files < kArms ? files : best_mean(); }
};

struct Ucb1 : Measuring {
  using Measuring::Measuring;
  std::size_t choose() override {
    if (files < kArms) return files;
    std::size_t best = 0;
    double most = -1e9;
    for (std::size_t i = 0; i < kArms; ++i) {
      const auto n = static_cast<double>(values[i].size());
      const double bound = mean(values[i]) + 0.3 * std::sqrt(2 * std::log(static_cast<double>(files)) / n);
      if (bound > most) most = bound, best = i;
    }
    return best;
  }
};

struct EpsilonGreedy : Measuring {
  using Measuring::Measuring;
  std::size_t choose() override {
    if (files > 0 && random() % 10 == 0) return random() % kArms;
    return best_mean();
  }
};

// Thompson sampling among the leader and its neighbours (Combes and Proutiere 2014; Trinh and Combes 2021).
struct UnimodalThompson : Measuring {
  using Measuring::Measuring;
  std::size_t choose() override {
    const std::size_t leader = best_mean();
    if (files < 2 || led[leader]++ % 3 == 0) return leader;
    std::size_t best = leader;
    double most = -1e9;
    for (std::size_t i = leader > 0 ? leader - 1 : 0; i <= std::min(leader + 1, kArms - 1); ++i) {
      const auto n = static_cast<double>(values[i].size());
      // A neighbour that nobody tried: about as good as the leader, give or take 40 %.
      const double centre = values[i].empty() ? mean(values[leader]) : mean(values[i]);
      const double sample = centre + normal(random) * (values[i].empty() ? 0.4 : 0.3 / std::sqrt(n));
      if (sample > most) most = sample, best = i;
    }
    return best;
  }
  std::normal_distribution<double> normal;
  std::array<unsigned, kArms> led{};
};

// One or two probes of an arm near the incumbent, 5 % hysteresis (more where it is noisy), until none is
// left.
struct HillClimb : Measuring {
  HillClimb(const Start& start, bool far) : Measuring(start), incumbent(start.prior) {
    if (far) steps = {2, -2, 1, -1};
  }
  std::size_t choose() override {
    if (values[incumbent].size() < 2) return incumbent;
    while (!probe && next < steps.size()) {
      const int arm = static_cast<int>(incumbent) + steps[next];
      if (arm >= 0 && arm < static_cast<int>(kArms) && values[static_cast<std::size_t>(arm)].empty()) {
        probe = static_cast<std::size_t>(arm);
      } else {
        ++next;
      }
    }
    return probe ? *probe : incumbent;
  }
  void observe(std::size_t arm, double log_bandwidth) override {
    Measuring::observe(arm, log_bandwidth);
    if (!probe || arm != *probe) return;
    const double gain = median(values[arm]) - median(values[incumbent]);
    if (values[arm].size() < 2 && gain > std::log(0.6)) return;  // a second one
    const double threshold = std::max(0.05, 0.2 / std::sqrt(static_cast<double>(values[arm].size())));
    if (gain > threshold) {
      incumbent = arm;
      next = 0;
    } else {
      ++next;
    }
    probe.reset();
  }
  std::vector<int> steps{1, -1};
  std::size_t incumbent, next = 0;
  std::optional<std::size_t> probe;
};

struct Ours : Policy {
  Ours(const Start& start, bool guard) {
    tuner::Setup setup;
    setup.arms = tuner::arms_of({.targets = kCounts.back(), .nodes = 16, .start = kCounts[start.prior]});
    setup.start = kCounts[start.prior];
    setup.untuned = guard ? kCounts[kDefault] : 0;
    setup.sure = start.sure;
    tuner.begin(setup);
  }
  std::size_t choose() override {
    return static_cast<std::size_t>(std::find(kCounts.begin(), kCounts.end(), tuner.choose().count) -
                                    kCounts.begin());
  }
  void observe(std::size_t arm, double log_bandwidth) override {
    constexpr double kBytes = 1e12;
    tuner.observe(kCounts[arm], static_cast<std::uint64_t>(kBytes), 1e3 / std::exp(log_bandwidth));
  }
  tuner::Tuner tuner;
};

template <class P>
std::unique_ptr<Policy> make(const Start& start) {
  return std::make_unique<P>(start);
}

}  // namespace

const std::vector<Named>& all_policies() {
  static const std::vector<Named> kAll{
      {"default, 4 stripes", false,
       [](const Start&) -> std::unique_ptr<Policy> { return std::make_unique<Fixed>(kDefault); }},
      {"rule alone", false,
       [](const Start& s) -> std::unique_ptr<Policy> { return std::make_unique<Fixed>(s.prior); }},
      {"explore all, then greedy", true, make<ExploreAll>},
      {"UCB1", true, make<Ucb1>},
      {"epsilon-greedy 0.1", true, make<EpsilonGreedy>},
      {"unimodal Thompson", true, make<UnimodalThompson>},
      {"hill climb, neighbours", true,
       [](const Start& s) -> std::unique_ptr<Policy> { return std::make_unique<HillClimb>(s, false); }},
      {"hill climb, x4 first", true,
       [](const Start& s) -> std::unique_ptr<Policy> { return std::make_unique<HillClimb>(s, true); }},
      {"ours, without the guard", false,
       [](const Start& s) -> std::unique_ptr<Policy> { return std::make_unique<Ours>(s, false); }},
      {"ours", false,
       [](const Start& s) -> std::unique_ptr<Policy> { return std::make_unique<Ours>(s, true); }},
  };
  return kAll;
}

}  // namespace toto::sim
