// SPDX-License-Identifier: BSD-3-Clause
// From the areas of a node to what a report needs: which areas belong to it, their sum, and what it is about.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/area.h"
#include "core/report.h"
#include "core/segment_file.h"
#include "core/summary.h"

namespace toto::collect {

// Some areas of one segment; large (32 KiB): not for small stacks.
class Areas {
 public:
  void add(Area& area) {
    if (count_ < list_.size()) list_[count_++] = &area;
  }
  void clear() { count_ = 0; }
  [[nodiscard]] std::span<Area* const> all() const { return {list_.data(), count_}; }

 private:
  std::array<Area*, segment::kMostAreas> list_{};
  std::size_t count_ = 0;
};

// Adds up the areas into `out`, which is empty before. Not for two threads at a time.
void summarise(std::span<Area* const> areas, bool same_boot, Summary& out);

// Makes this process the one that reports an area. False: another one does, or has.
bool take(Area& area, bool same_boot);

// Takes the areas of the segment that nobody has reported, or will, of this world or of none, and lists them.
// `world` 0: of any.
void claim(const segment::Mapping& segment, std::uint64_t world, Areas& out);

// The end of it: reported, or free again for others.
void settle(std::span<Area* const> areas, bool reported);

// What a report of these areas is about: who has rank 0 there, else the lowest rank, else the oldest process.
report::About about(std::span<Area* const> areas, const segment::Head* head);

}  // namespace toto::collect
