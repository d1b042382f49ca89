// SPDX-License-Identifier: BSD-3-Clause
// The stripe counts that are worth trying for a family of files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace toto::tuner {

inline constexpr std::size_t kMostArms = 24;

struct Arms {
  std::array<std::uint32_t, kMostArms> count{};  // ascending, distinct
  std::size_t size = 0;

  [[nodiscard]] std::span<const std::uint32_t> all() const { return {count.data(), size}; }
  void add(std::uint32_t arm);  // keeps the order; nothing happens when it is there, or no room is left
};

struct ArmsOf {
  std::uint32_t targets = 0;  // T; 0: not known, then nothing is worth trying but the start
  std::uint32_t nodes = 1;    // N
  bool collective = false;    // ROMIO takes a divisor of the count for its aggregators: no large primes
  std::uint32_t start = 0;    // the prior's count: always an arm; 0: none
};

// Powers of two up to T, T itself, N/2, N and 2N where they are not above T, and the start. For collective
// families a count with a prime factor above 3 is left out (but for the start), since ROMIO's Lustre driver
// takes the largest divisor of the count that is not above cb_nodes as its number of aggregators
// (adio/ad_lustre/ad_lustre_aggregate.c).
// Never more than Lustre's 2000 (LOV_MAX_STRIPE_COUNT in its lustre_user.h).
[[nodiscard]] Arms arms_of(const ArmsOf& what);

}  // namespace toto::tuner
