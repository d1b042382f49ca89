// SPDX-License-Identifier: BSD-3-Clause
#include "core/sketch.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/path.h"

namespace toto {
namespace {

// A family as two sketches have it: in one of them, or in both.
struct Joined {
  const Sketch::Family* one;
  const Sketch::Family* other;  // nullptr: only in one

  [[nodiscard]] std::uint64_t weight() const {
    return one->amounts.weight() + (other != nullptr ? other->amounts.weight() : 0);
  }
};
constexpr std::size_t kBoth = 2 * Sketch::kHeaviest;

// For each weight, how many are larger. No two have the same rank. Every weight is compared with every other,
// four at a time: no branch depends on them (thousands of sketches are merged, and each has other weights).
// Weights are told apart to one part in 2^18.
std::array<std::int32_t, kBoth> ranks_of(const std::array<std::uint64_t, kBoth>& weights) {
  using Four = std::int32_t __attribute__((vector_size(16)));
  constexpr std::size_t kFours = kBoth / 4;
  std::array<std::int32_t, kBoth> key, rank;  // NOLINT: written as a whole
  static_assert(kBoth == 32);
  for (std::size_t i = 0; i < kBoth; ++i) {
    // Positive floating-point numbers are in the order of their bits; the last five make each its own.
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int64_t>(weights[i])));
    key[i] = static_cast<std::int32_t>((bits & ~31U) | (31U - static_cast<std::uint32_t>(i)));
  }
  std::array<Four, kFours> keys, larger{};
  std::memcpy(keys.data(), key.data(), sizeof key);
  for (std::size_t i = 0; i < kBoth; ++i) {
    const Four other = Four{} + key[i];
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kFours; ++v) larger[v] -= other > keys[v];  // true is -1
  }
  std::memcpy(rank.data(), larger.data(), sizeof rank);
  return rank;
}

struct Folding {
  Sketch* sketch;
  clock::Rate rate;
};

void fold_file(File& file, const std::array<Totals, kLayers>& totals, void* context) {
  if (file.scratch) return;
  const auto& folding = *static_cast<const Folding*>(context);
  Sketch::Family family;
  family.hash = file.family_hash.load(std::memory_order_relaxed);
  if (family.hash == 0) {
    family.hash = file.folded ? file.path_hash : path::hash(path::family(file.path()));
    file.family_hash.store(family.hash, std::memory_order_relaxed);
  }
  family.nodes = 1;
  for (std::size_t i = 0; i < kLayers; ++i) {
    const Totals& layer = totals[i];
    const auto ns = [&](Counter counter) {
      return static_cast<std::uint64_t>(static_cast<double>(layer[counter]) * folding.rate.ns_per_tick);
    };
    const Sketch::Amounts amounts{.opens = layer[Counter::opens],
                                  .reads = layer[Counter::reads],
                                  .writes = layer[Counter::writes],
                                  .bytes_read = layer[Counter::bytes_read],
                                  .bytes_written = layer[Counter::bytes_written],
                                  .read_ns = ns(Counter::read_ticks),
                                  .write_ns = ns(Counter::write_ticks),
                                  .meta_ns = ns(Counter::meta_ticks)};
    folding.sketch->layers[i].add(amounts);
    // A family's bytes are those of the layer that moved most: they pass through all of them.
    if (amounts.weight() >= family.amounts.weight()) family.amounts = amounts;
  }
  family.amounts.files = 1;
  folding.sketch->add(family);
}

}  // namespace

void Sketch::merge(const Sketch& other) {
  nodes += other.nodes;
  undercount += other.undercount;
  for (std::size_t i = 0; i < kLayers; ++i) layers[i].add(other.layers[i]);
  std::array<Joined, kBoth> joined;  // NOLINT: only what is written is read
  std::array<std::uint64_t, kBoth> weights{};
  std::size_t size = 0, a = 0, b = 0;
  while (a < count || b < other.count) {
    const Family* mine = a < count ? &families[a] : nullptr;
    const Family* theirs = b < other.count ? &other.families[b] : nullptr;
    if (mine != nullptr && theirs != nullptr && mine->hash != theirs->hash)
      (mine->hash < theirs->hash ? theirs : mine) = nullptr;
    a += mine != nullptr ? 1 : 0;
    b += theirs != nullptr ? 1 : 0;
    joined[size] = mine != nullptr ? Joined{mine, theirs} : Joined{theirs, nullptr};
    weights[size] = joined[size].weight();
    ++size;
  }
  std::array<std::int32_t, kBoth> ranks{};
  if (size > kHeaviest) ranks = ranks_of(weights);
  std::array<Family, kHeaviest> kept;
  std::size_t keeps = 0;
  std::uint64_t lost = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (ranks[i] >= static_cast<std::int32_t>(kHeaviest)) {
      lost = std::max(lost, weights[i]);
      continue;
    }
    Family& next = kept[keeps++];
    next = *joined[i].one;
    if (joined[i].other == nullptr) continue;
    next.nodes += joined[i].other->nodes;
    next.amounts.add(joined[i].other->amounts);
  }
  std::copy_n(kept.begin(), keeps, families.begin());
  undercount += lost;
  count = keeps;
}

void Sketch::add(const Family& family) {
  const auto end = families.begin() + static_cast<std::ptrdiff_t>(count);
  const auto at = std::lower_bound(families.begin(), end, family.hash,
                                   [](const Family& one, std::uint64_t hash) { return one.hash < hash; });
  if (at != end && at->hash == family.hash) {
    at->amounts.add(family.amounts);
    return;
  }
  if (count < kHeaviest) {
    std::move_backward(at, end, end + 1);
    *at = family;
    ++count;
    return;
  }
  const auto lightest = std::min_element(families.begin(), end, [](const Family& x, const Family& y) {
    return x.amounts.weight() < y.amounts.weight();
  });
  if (family.amounts.weight() <= lightest->amounts.weight()) {
    undercount += family.amounts.weight();
    return;
  }
  undercount += lightest->amounts.weight();
  if (lightest < at) {
    std::move(lightest + 1, at, lightest);
    *(at - 1) = family;
  } else {
    std::move_backward(at, lightest, lightest + 1);
    *at = family;
  }
}

const Sketch::Family* Sketch::find(std::uint64_t hash) const {
  for (const Family& family : all()) {
    if (family.hash == hash) return &family;
  }
  return nullptr;
}

Sketch Sketch::since(const Sketch& before) const {
  Sketch window = *this;
  for (std::size_t i = 0; i < kLayers; ++i) window.layers[i].subtract(before.layers[i]);
  for (std::size_t i = 0; i < count; ++i) {
    if (const Family* earlier = before.find(window.families[i].hash)) {
      window.families[i].amounts.subtract(earlier->amounts);
    }
  }
  return window;
}

void Sketch::add(Area& area) {
  Folding folding{.sketch = this, .rate = area.rate(true)};
  area.for_each(fold_file, &folding);
}

}  // namespace toto
