// SPDX-License-Identifier: BSD-3-Clause
// What the nodes exchange while the program runs: of a fixed size, whatever the number of files, and
// mergeable.
//
// Totals are exact. Of the families of files the kHeaviest by bytes are kept, by hash. When a merge finds
// more, the lightest go; how much any one family may have lost that way is bounded: `undercount` sums up the
// heaviest family that went in each merge (mergeable summaries, Agarwal et al., ACM TODS 38(4), 2013, section
// 3: the same reasoning for counters that are dropped rather than lowered).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/area.h"
#include "core/counters.h"

namespace toto {

struct Sketch {
  static constexpr std::size_t kHeaviest = 16;

  // X(name): all sums; times in nanoseconds.
#define TOTO_SKETCH(X) \
  X(files)             \
  X(opens)             \
  X(reads)             \
  X(writes)            \
  X(bytes_read)        \
  X(bytes_written)     \
  X(read_ns)           \
  X(write_ns)          \
  X(meta_ns)
  struct Amounts {
#define TOTO_X(name) std::uint64_t name = 0;
    TOTO_SKETCH(TOTO_X)
#undef TOTO_X
    void add(const Amounts& other) {
#define TOTO_X(name) name += other.name;
      TOTO_SKETCH(TOTO_X)
#undef TOTO_X
    }
    // What came since `before`; 0 where there is less now.
    void subtract(const Amounts& before) {
#define TOTO_X(name) (name) -= (name) < before.name ? (name) : before.name;
      TOTO_SKETCH(TOTO_X)
#undef TOTO_X
    }
    [[nodiscard]] std::uint64_t weight() const { return bytes_read + bytes_written; }
  };
  struct Family {
    std::uint64_t hash = 0;
    std::uint64_t nodes = 0;  // that used it
    Amounts amounts;
  };

  std::uint64_t nodes = 0;
  std::uint64_t undercount = 0;  // bytes that a family may have beyond what is told here
  std::uint64_t count = 0;       // families told
  std::array<Amounts, kLayers> layers{};
  std::array<Family, kHeaviest> families{};  // in the order of their hashes

  void merge(const Sketch& other);
  // One family more, or more of one that is there.
  void add(const Family& family);
  [[nodiscard]] std::span<const Family> all() const { return {families.data(), count}; }
  [[nodiscard]] const Family* find(std::uint64_t hash) const;
  // This sketch less an earlier one of the same job: what happened in between.
  [[nodiscard]] Sketch since(const Sketch& before) const;

  // What a process of our node has done so far.
  void add(Area& area);
};

}  // namespace toto
