// SPDX-License-Identifier: BSD-3-Clause
// Policies on simulated families of files: the extra write time against an oracle that knows the best count,
// in percent, over all seeds; the mean of the six shapes and the worst of them. The same seeds and the same
// noise for every policy.  tuner_sim [seeds]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/tuner_sim/policies.h"

namespace {

using namespace toto::sim;

struct Column {
  const char* name;  // as the figure has it
  const char* title;
  unsigned files;
  bool sure;
  bool off;  // the prior: by x4, or by /4 where there is no room above (seeds take turns)
};
constexpr auto kColumns = std::to_array<Column>({
    {"sure_10", "10 sure", 10, true, false},
    {"sure_30", "30 sure", 30, true, false},
    {"sure_100", "100 sure", 100, true, false},
    {"unsure_10", "10 unsure x4", 10, false, true},
    {"unsure_30", "30 unsure x4", 30, false, true},
    {"unsure_100", "100 unsure x4", 100, false, true},
    {"wrong_30", "30 sure x4", 30, true, true},
    {"wrong_100", "100 sure x4", 100, true, true},
    {"modest_30", "30 unsure right", 30, false, false},
});

std::size_t prior_of(std::size_t best, bool off, unsigned seed) {
  if (!off) return best;
  const bool up = best + 2 < kArms && (best < 2 || seed % 2 == 0);
  return up ? best + 2 : best - 2;
}

double extra_time(const Named& policy, const Shape& shape, const Column& column, unsigned seed) {
  const std::size_t best = best_arm(shape);
  const auto one =
      policy.make({.prior = prior_of(best, column.off, seed), .sure = column.sure, .seed = seed});
  Noise noise(seed * 7919 + 17);
  double time = 0, oracle = 0;
  for (unsigned i = 0; i < column.files; ++i) {
    const double factor = noise.next();
    const std::size_t arm = one->choose();
    const double bandwidth = std::log(shape.bandwidth(kCounts[arm])) + factor;
    time += std::exp(-bandwidth);
    oracle += std::exp(-std::log(shape.bandwidth(kCounts[best])) - factor);
    one->observe(arm, bandwidth);
  }
  return 100 * (time / oracle - 1);
}

constexpr std::size_t kX4First = 7;  // of the policies, the one peer that copes with a wrong prior

struct Result {
  double mean = 0, worst = 0;
  std::size_t worst_shape = 0;
};

Result run(const Named& policy, const Column& column, unsigned seeds) {
  Result result;
  for (std::size_t i = 0; i < kShapes.size(); ++i) {
    double sum = 0;
    for (unsigned seed = 1; seed <= seeds; ++seed) sum += extra_time(policy, kShapes[i], column, seed);
    const double mean = sum / seeds;
    result.mean += mean / kShapes.size();
    if (mean > result.worst) result.worst = mean, result.worst_shape = i;
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned seeds = argc > 1 ? static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)) : 1000;
  if (seeds == 0) {
    std::fprintf(stderr, "usage: tuner_sim [seeds]\n");
    return 2;
  }
  const auto& policies = all_policies();
  std::printf(
      "Extra write time over an oracle's, percent: mean of %zu shapes (worst shape); %u seeds\n\n%-26s",
      kShapes.size(), seeds, "");
  for (const Column& column : kColumns) std::printf("%16s", column.title);
  std::printf("\n");
  std::vector<std::vector<Result>> results;
  for (const Named& policy : policies) {
    std::printf("%-26s", policy.name);
    auto& row = results.emplace_back();
    for (const Column& column : kColumns) {
      const Result result = row.emplace_back(run(policy, column, seeds));
      char text[32];
      std::snprintf(text, sizeof text, "%.1f (%.0f)", result.mean, result.worst);
      std::printf("%16s", text);
      std::fflush(stdout);
    }
    std::printf("\n");
  }
  std::printf("\n");
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    double best = 1e9;
    const char* who = "";
    for (std::size_t p = 0; p < policies.size(); ++p) {
      if (policies[p].peer && results[p][i].mean < best) best = results[p][i].mean, who = policies[p].name;
    }
    std::printf("best of the others, %s: %s\n", kColumns[i].title, who);
    std::printf("figure tuner_sim.%s.ours %.1f\n", kColumns[i].name, results.back()[i].mean);
    std::printf("figure tuner_sim.%s.best_peer %.1f\n", kColumns[i].name, best);
    std::printf("figure tuner_sim.%s.x4_first %.1f\n", kColumns[i].name, results[kX4First][i].mean);
  }
}
