// SPDX-License-Identifier: BSD-3-Clause
// Merges the sketches of 8192 leaders in one process, level by level as an all-reduce does, and prints how
// long all merges took (the quietest of several times) and how many levels there were:  merge LEADERS ->
// "LEVELS MILLISECONDS"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "core/clock.h"
#include "core/sketch.h"

namespace {

// Each leader has 24 families, some of them everybody's: more than a sketch holds.
std::vector<toto::Sketch> make(std::size_t leaders) {
  std::mt19937_64 random(1);
  std::vector<toto::Sketch> sketches(leaders);
  for (toto::Sketch& sketch : sketches) {
    sketch.nodes = 1;
    for (int i = 0; i < 24; ++i) {
      toto::Sketch::Family family;
      family.hash = i < 12 ? static_cast<std::uint64_t>(i + 1) * 0x9e37'79b9'7f4a'7c15U : random() | 1U;
      family.nodes = 1;
      family.amounts.files = 1;
      family.amounts.bytes_written = random() % (1U << 20);
      sketch.add(family);
    }
  }
  return sketches;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t leaders = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 8192;
  const std::vector<toto::Sketch> fresh = make(leaders);
  double best = 1e9;
  int levels = 0;
  for (int round = 0; round < 20; ++round) {
    std::vector<toto::Sketch> sketches = fresh;
    levels = 0;
    const std::uint64_t start = toto::clock::monotonic_ns();
    for (std::size_t step = 1; step < leaders; step *= 2, ++levels) {
      for (std::size_t i = 0; i + step < leaders; i += 2 * step) sketches[i].merge(sketches[i + step]);
    }
    best = std::min(best, static_cast<double>(toto::clock::monotonic_ns() - start) * 1e-6);
    if (sketches[0].nodes != leaders) return 1;
  }
  std::printf("%d %.3f\n", levels, best);
  return 0;
}
