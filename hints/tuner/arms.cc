// SPDX-License-Identifier: BSD-3-Clause
#include "hints/tuner/arms.h"

#include <algorithm>

namespace toto::tuner {
namespace {

constexpr std::uint64_t kMostStripes = 2000;

// Only factors of 2 and 3: many divisors.
bool divides_well(std::uint32_t count) {
  for (const std::uint32_t factor : {2U, 3U}) {
    while (count % factor == 0) count /= factor;
  }
  return count == 1;
}

}  // namespace

void Arms::add(std::uint32_t arm) {
  auto* const end = count.begin() + size;
  auto* const at = std::lower_bound(count.begin(), end, arm);
  if (size == count.size() || (at != end && *at == arm)) return;
  std::copy_backward(at, end, end + 1);
  *at = arm;
  ++size;
}

Arms arms_of(const ArmsOf& what) {
  Arms arms;
  if (what.start != 0) arms.add(what.start);
  const auto add = [&](std::uint64_t arm) {
    if (arm == 0 || arm > std::min<std::uint64_t>(what.targets, kMostStripes)) return;
    const auto count = static_cast<std::uint32_t>(arm);
    if (!what.collective || divides_well(count)) arms.add(count);
  };
  for (std::uint64_t power = 1; power <= what.targets; power *= 2) add(power);
  add(what.targets);
  add(what.nodes);
  add(what.nodes / 2);
  add(std::uint64_t{what.nodes} * 2);
  return arms;
}

}  // namespace toto::tuner
