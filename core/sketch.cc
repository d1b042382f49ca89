// SPDX-License-Identifier: BSD-3-Clause
#include "core/sketch.h"

#include <algorithm>

#include "core/path.h"

namespace toto {
namespace {

// The heaviest kHeaviest of `count` families, still in their order; how heavy the heaviest of the others is.
std::uint64_t keep_heaviest(std::span<Sketch::Family> from, std::span<Sketch::Family> to) {
  if (from.size() <= to.size()) {
    std::copy(from.begin(), from.end(), to.begin());
    return 0;
  }
  std::array<std::uint64_t, 2 * Sketch::kHeaviest> weights{};
  for (std::size_t i = 0; i < from.size(); ++i) weights[i] = from[i].amounts.weight();
  const auto nth = weights.begin() + static_cast<std::ptrdiff_t>(to.size());
  std::nth_element(weights.begin(), nth, weights.begin() + static_cast<std::ptrdiff_t>(from.size()),
                   std::greater<>());
  const std::uint64_t bound = *nth;  // the heaviest that goes
  std::size_t heavier = 0, kept = 0;
  for (const Sketch::Family& family : from) heavier += family.amounts.weight() > bound ? 1 : 0;
  std::size_t equals = to.size() - heavier;  // of those as heavy as the bound, so many stay
  for (const Sketch::Family& family : from) {
    const std::uint64_t weight = family.amounts.weight();
    if (weight < bound || (weight == bound && equals == 0)) continue;
    if (weight == bound) --equals;
    to[kept++] = family;
  }
  return bound;
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
  std::array<Family, 2 * kHeaviest> both;  // NOLINT: only what is written is read
  std::size_t size = 0, a = 0, b = 0;
  while (a < count || b < other.count) {
    const bool mine = b == other.count || (a < count && families[a].hash <= other.families[b].hash);
    const bool theirs = a == count || (b < other.count && other.families[b].hash <= families[a].hash);
    Family& next = both[size++];
    next = mine ? families[a] : other.families[b];
    if (mine && theirs) {
      next.nodes += other.families[b].nodes;
      next.amounts.add(other.families[b].amounts);
    }
    a += mine ? 1 : 0;
    b += theirs ? 1 : 0;
  }
  undercount += keep_heaviest({both.data(), size}, families);
  count = std::min(size, kHeaviest);
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

void Sketch::of_node(std::span<Area* const> areas, Sketch& out) {
  out.nodes = 1;
  for (Area* area : areas) {
    Folding folding{.sketch = &out, .rate = area->rate(true)};
    area->for_each(fold_file, &folding);
  }
}

}  // namespace toto
