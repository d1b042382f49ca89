// SPDX-License-Identifier: BSD-3-Clause
#include "core/sketch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace toto {
namespace {

using Bytes = std::map<std::uint64_t, std::uint64_t>;  // by the family's hash

Sketch::Family family(std::uint64_t hash, std::uint64_t bytes) {
  Sketch::Family out;
  out.hash = hash;
  out.nodes = 1;
  out.amounts.files = 1;
  out.amounts.writes = 1;
  out.amounts.bytes_written = bytes;
  return out;
}

Sketch node_with(const Bytes& bytes) {
  Sketch out;
  out.nodes = 1;
  for (const auto& [hash, amount] : bytes) {
    out.layers[0].bytes_written += amount;
    out.add(family(hash, amount));
  }
  return out;
}

// What must hold of a sketch, whatever was merged into it in whatever order.
void expect_sound(const Sketch& sketch, const Bytes& truth) {
  std::uint64_t all = 0;
  for (const auto& [hash, bytes] : truth) all += bytes;
  EXPECT_EQ(sketch.layers[0].bytes_written, all);
  EXPECT_LE(sketch.count, Sketch::kHeaviest);
  EXPECT_TRUE(std::is_sorted(sketch.all().begin(), sketch.all().end(),
                             [](const auto& a, const auto& b) { return a.hash < b.hash; }));
  for (const auto& [hash, bytes] : truth) {
    const Sketch::Family* told = sketch.find(hash);
    const std::uint64_t least = told != nullptr ? told->amounts.weight() : 0;
    EXPECT_LE(least, bytes) << hash;
    EXPECT_LE(bytes, least + sketch.undercount) << hash;
  }
}

std::vector<Bytes> random_nodes(std::mt19937_64& random, std::size_t count, std::uint64_t families) {
  std::vector<Bytes> nodes(count);
  for (Bytes& node : nodes) {
    for (std::uint64_t i = random() % (2 * families); i > 0; --i)
      node[random() % families + 1] += (std::uint64_t{1} << (random() % 20));
  }
  return nodes;
}

Bytes truth_of(const std::vector<Bytes>& nodes) {
  Bytes all;
  for (const Bytes& node : nodes) {
    for (const auto& [hash, bytes] : node) all[hash] += bytes;
  }
  return all;
}

TEST(Sketch, UpToItsNumberOfFamiliesItIsExact) {
  Bytes bytes;
  for (std::uint64_t i = 1; i <= Sketch::kHeaviest; ++i) bytes[i * 977 % 101] = i;
  Sketch sketch = node_with(bytes);
  sketch.merge(node_with(bytes));
  EXPECT_EQ(sketch.undercount, 0U);
  EXPECT_EQ(sketch.nodes, 2U);
  for (const auto& [hash, amount] : bytes) {
    ASSERT_NE(sketch.find(hash), nullptr);
    EXPECT_EQ(sketch.find(hash)->amounts.weight(), 2 * amount);
    EXPECT_EQ(sketch.find(hash)->amounts.files, 2U);
    EXPECT_EQ(sketch.find(hash)->nodes, 2U);
  }
  EXPECT_EQ(sketch.find(12345), nullptr);
}

TEST(Sketch, ANodeKeepsItsHeaviestFamiliesWhateverTheOrder) {
  for (const std::uint64_t step : {1U, 7U, 49U}) {
    Sketch sketch;
    for (std::uint64_t i = 0; i < 50; ++i) sketch.add(family(i * step % 50 + 1, i * step % 50 + 1));
    ASSERT_EQ(sketch.count, Sketch::kHeaviest);
    for (std::uint64_t heavy = 35; heavy <= 50; ++heavy) EXPECT_NE(sketch.find(heavy), nullptr) << step;
  }
}

TEST(Sketch, AnyTreeOfMergesKeepsTotalsExactAndFamiliesWithinTheBound) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    const std::vector<Bytes> nodes = random_nodes(random, 2 + random() % 20, 1 + random() % 60);
    std::vector<Sketch> parts;
    for (const Bytes& node : nodes) parts.push_back(node_with(node));
    while (parts.size() > 1) {  // any two of them
      std::swap(parts[random() % parts.size()], parts.back());
      const Sketch last = parts.back();
      parts.pop_back();
      parts[random() % parts.size()].merge(last);
    }
    EXPECT_EQ(parts[0].nodes, nodes.size());
    expect_sound(parts[0], truth_of(nodes));
  }
}

// A family that is heavier than all that was ever dropped cannot be missing.
TEST(Sketch, AFamilyThatIsMuchHeavierThanTheOthersIsAlwaysThere) {
  std::mt19937_64 random(2);
  Sketch all;
  for (int i = 0; i < 100; ++i) {
    Bytes node{{99'999, 1'000'000}};
    for (int k = 0; k < 40; ++k) node[random() % 5000 + 1] += random() % 100;
    all.merge(node_with(node));
  }
  ASSERT_NE(all.find(99'999), nullptr);
  EXPECT_EQ(all.find(99'999)->amounts.weight(), 100'000'000U);
  EXPECT_EQ(all.find(99'999)->nodes, 100U);
}

TEST(Sketch, EqualWeightsAreDroppedDownToTheBoundAndNoFurther) {
  Bytes low, high;
  for (std::uint64_t i = 1; i <= Sketch::kHeaviest; ++i) low[i] = high[i + 100] = 5;
  Sketch sketch = node_with(low);
  sketch.merge(node_with(high));
  EXPECT_EQ(sketch.count, Sketch::kHeaviest);
  EXPECT_EQ(sketch.undercount, 5U);
}

TEST(Sketch, AWindowIsWhatCameSinceTheLastRound) {
  const Sketch before = node_with({{1, 10}, {2, 20}});
  Sketch now = node_with({{1, 15}, {2, 20}, {3, 7}});
  const Sketch window = now.since(before);
  EXPECT_EQ(window.layers[0].bytes_written, 12U);
  EXPECT_EQ(window.find(1)->amounts.bytes_written, 5U);
  EXPECT_EQ(window.find(2)->amounts.bytes_written, 0U);
  EXPECT_EQ(window.find(3)->amounts.bytes_written, 7U);
  // What is less than before (a process left no trace) is nothing, not a wrap-around.
  EXPECT_EQ(before.since(now).layers[0].bytes_written, 0U);
}

}  // namespace
}  // namespace toto
