// SPDX-License-Identifier: BSD-3-Clause
// How many distinct things there are, over all ranks, in a fixed size: the smallest hashes that were seen (a
// "k minimum values" sketch). Exact up to kKept things; beyond, the kKept-th smallest hash tells how densely
// the hashes lie, with a standard error of 1 / sqrt(kKept - 2) = 13 %. Merging two sketches gives that of
// both together, in any order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace toto {

class Distinct {
 public:
  static constexpr std::size_t kKept = 64;

  // The same thing counts once. Weak hashes will do: they are mixed here.
  void add(std::uint64_t hash);
  void merge(const Distinct& other);
  [[nodiscard]] bool exact() const { return beyond_ == 0; }
  [[nodiscard]] std::uint64_t count() const;

 private:
  void insert(std::uint64_t mixed);

  // 64-bit words only: it travels as an array of them.
  std::uint64_t kept_ = 0;
  std::uint64_t beyond_ = 0;                  // 1: more were seen than are kept
  std::array<std::uint64_t, kKept> least_{};  // ascending
};

}  // namespace toto
