// SPDX-License-Identifier: BSD-3-Clause
// What is simulated: six curves of bandwidth over the stripe count, and the noise of a busy file system.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <random>

namespace toto::sim {

inline constexpr std::array<unsigned, 7> kCounts{1, 2, 4, 8, 16, 32, 64};
inline constexpr std::size_t kArms = kCounts.size();
inline constexpr std::size_t kDefault = 2;  // an untuned file has 4 stripes

// Relative bandwidth with c stripes. Formulas of our own for shapes that measurements show:
struct Shape {
  const char* name;
  double (*bandwidth)(double c);
};
inline constexpr auto kShapes = std::to_array<Shape>({
    // each target adds its share, until the clients are the limit
    {"saturating", [](double c) { return c / (c + 16); }},
    // a plateau of lock conflicts until there is a target for each of 16 writers (lsmio: 7 to 22 times, from
    // 4 to 16
    // stripes with 16 writers), then a slow decline
    {"cliff at 16", [](double c) { return c < 16 ? 0.12 + 0.0025 * c : 1 - 0.004 * (c - 16); }},
    // one file a process: every further stripe is a further server to talk to
    {"file per process", [](double c) { return 1 / (1 + 0.06 * (c - 1)); }},
    {"flat", [](double) { return 1.0; }},
    {"peak at 8", [](double c) { return std::exp(-0.16 * std::pow(std::log2(c / 8), 2)); }},
    {"peak at 2", [](double c) { return std::exp(-0.10 * std::pow(std::log2(c / 2), 2)); }},
});

// The fewest stripes of those within 1 % of the best.
inline std::size_t best_arm(const Shape& shape) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < kArms; ++i) {
    if (shape.bandwidth(kCounts[i]) > 1.01 * shape.bandwidth(kCounts[best])) best = i;
  }
  return best;
}

// ln of a factor on the bandwidth of each file in turn, as a year of daily runs on production systems shows
// it (coefficient of variation 0.13 to 0.5; 1 to 12 % of files below half the median; correlation with the
// file before, 0 to 0.67): normal noise that follows itself, and now and then a file that somebody else
// slowed down.
class Noise {
 public:
  explicit Noise(unsigned seed) : random_(seed) {
    const double variation = draw(0.13, 0.5);
    deviation_ = std::sqrt(std::log(1 + variation * variation));
    correlation_ = draw(0, 0.67);
    slow_ = draw(0.01, 0.08);
    state_ = normal_(random_);
  }
  double next() {
    state_ = correlation_ * state_ + std::sqrt(1 - correlation_ * correlation_) * normal_(random_);
    double value = deviation_ * state_;
    if (draw(0, 1) < slow_) value -= 0.7 + 0.5 * -std::log(1 - draw(0, 0.999));
    return value;
  }

 private:
  // std::uniform_real_distribution differs between libraries.
  double draw(double least, double most) {
    return least + (most - least) * static_cast<double>(random_() >> 11) * 0x1p-53;
  }
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  double deviation_ = 0, correlation_ = 0, slow_ = 0, state_ = 0;
};

}  // namespace toto::sim
