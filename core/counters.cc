// SPDX-License-Identifier: BSD-3-Clause
#include "core/counters.h"

#include <algorithm>

namespace toto {
namespace {

void merge_one(Merge kind, std::uint64_t& into, std::uint64_t value) {
  switch (kind) {
    case Merge::kSum:
      into += value;
      break;
    case Merge::kMax:
      into = std::max(into, value);
      break;
    case Merge::kFirst:
      if (value != 0 && (into == 0 || value < into)) into = value;
      break;
  }
}

}  // namespace

void Totals::merge(const Totals& other) {
  for (std::size_t i = 0; i < kCounters; ++i) merge_one(kMerge[i], value[i], other.value[i]);
  for (std::size_t i = 0; i < kBins; ++i) read_sizes[i] += other.read_sizes[i];
  for (std::size_t i = 0; i < kBins; ++i) write_sizes[i] += other.write_sizes[i];
}

void Totals::subtract(const Totals& before) {
  for (std::size_t i = 0; i < kCounters; ++i) {
    if (kMerge[i] == Merge::kSum) value[i] -= before.value[i];
  }
  for (std::size_t i = 0; i < kBins; ++i) read_sizes[i] -= before.read_sizes[i];
  for (std::size_t i = 0; i < kBins; ++i) write_sizes[i] -= before.write_sizes[i];
}

bool Totals::empty() const {
  return std::all_of(value.begin(), value.end(), [](std::uint64_t v) { return v == 0; });
}

void Counters::read_into(Totals& totals) const {
  Totals mine;
  for (std::size_t i = 0; i < kCounters; ++i) mine.value[i] = value[i].load(std::memory_order_relaxed);
  for (std::size_t i = 0; i < kBins; ++i) {
    mine.read_sizes[i] = read_sizes[i].load(std::memory_order_relaxed);
    mine.write_sizes[i] = write_sizes[i].load(std::memory_order_relaxed);
  }
  totals.merge(mine);
  // Every consecutive access is sequential, too; the data path counts it once.
  totals[Counter::reads_sequential] +=
      value[static_cast<std::size_t>(Counter::reads_consecutive)].load(std::memory_order_relaxed);
  totals[Counter::writes_sequential] +=
      value[static_cast<std::size_t>(Counter::writes_consecutive)].load(std::memory_order_relaxed);
}

void Counters::clear() {
  for (auto& cell : value) cell.store(0, std::memory_order_relaxed);
  for (auto& cell : read_sizes) cell.store(0, std::memory_order_relaxed);
  for (auto& cell : write_sizes) cell.store(0, std::memory_order_relaxed);
}

}  // namespace toto
