// SPDX-License-Identifier: BSD-3-Clause
// What the library's messages and memory measure, and what merging two of them takes, as JSON for the model
// of bench/scale_sim: nothing of it is copied by hand.
#include <algorithm>
#include <cstdio>
#include <memory>

#include "core/area.h"
#include "core/clock.h"
#include "core/sketch.h"
#include "core/summary.h"
#include "pmpi/decision.h"

namespace {

constexpr int kNames = 24;

// Nanoseconds of one merge, the quietest of several: full ones, since these take longest.
template <class T>
double merge_ns(const T& one, const T& other) {
  const auto into = std::make_unique<T>(one);
  double best = 1e18;
  for (int round = 0; round < 50; ++round) {
    *into = one;
    const std::uint64_t start = toto::clock::monotonic_ns();
    into->merge(other);
    best = std::min(best, static_cast<double>(toto::clock::monotonic_ns() - start));
  }
  return best;
}

toto::FamilySummary family(int number) {
  toto::FamilySummary one;
  const char name[] = {'/', 'a', static_cast<char>('a' + number % 26), static_cast<char>('a' + number / 26),
                       0};
  one.ranks = 1;
  const auto identity = static_cast<std::uint64_t>(number) + 1;
  one.name_file({name, 4}, identity, identity);
  one.layers[0][toto::Counter::bytes_written] = 1000U + static_cast<unsigned>(number);
  return one;
}

toto::Sketch sketch(int first) {
  toto::Sketch one;
  one.nodes = 1;
  for (int i = first; i < first + kNames; ++i) {
    toto::Sketch::Family next;
    next.hash = static_cast<std::uint64_t>(i + 1) * 0x9e37'79b9'7f4a'7c15U;
    next.nodes = 1;
    next.amounts.bytes_written = 1000U + static_cast<unsigned>(i);
    one.add(next);
  }
  return one;
}

std::unique_ptr<toto::Summary> summary(int first) {
  auto one = std::make_unique<toto::Summary>();
  for (int i = first; i < first + kNames; ++i) one->add(family(i));
  one->processes = 1;
  return one;
}

}  // namespace

int main() {
  std::printf("{\"decision\": %zu, \"family\": %zu, \"summary\": %zu, \"sketch\": %zu, \"area_head\": %zu,\n",
              sizeof(toto::pmpi::Decision), sizeof(toto::FamilySummary), sizeof(toto::Summary),
              sizeof(toto::Sketch), sizeof(toto::Area));
  std::printf(" \"merge_ns\": {\"family\": %.0f, \"summary\": %.0f, \"sketch\": %.0f}}\n",
              merge_ns(family(1), family(1)), merge_ns(*summary(0), *summary(kNames / 2)),
              merge_ns(sketch(0), sketch(kNames / 2)));
  return 0;
}
