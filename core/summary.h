// SPDX-License-Identifier: BSD-3-Clause
// What a process, a node or a job did, by family of files: of a fixed size, and two of them merge into one,
// so that combining over ranks costs the same however many files there are. Times are nanoseconds here;
// moments are nanoseconds of the wall clock.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/area.h"
#include "core/clock.h"
#include "core/counters.h"
#include "core/time_line.h"

namespace toto {

struct FamilySummary {
  std::array<char, 256> name{};  // NUL-terminated
  std::uint64_t ranks = 0;       // ranks (processes) that opened a file of it
  std::uint64_t writers = 0;     // of these, ranks that wrote
  std::uint64_t most_files = 0;  // files a rank, the most of any rank
  std::uint64_t sum_files = 0;   // and added up
  std::uint64_t mpi_ranks = 0;   // largest communicator that opened one by MPI-IO
  // Sum of the path hashes of a rank's files: equal on all ranks when they opened the same files.
  std::uint64_t least_paths = 0;
  std::uint64_t most_paths = 0;
  std::uint64_t slowest_ns = 0;  // of one rank: its read, write and metadata time
  std::array<Totals, kLayers> layers{};

  [[nodiscard]] std::string_view name_view() const { return {name.data()}; }
  [[nodiscard]] std::uint64_t bytes() const;  // moved, over all layers
  [[nodiscard]] bool same_files_everywhere() const { return least_paths == most_paths; }
  [[nodiscard]] std::uint64_t files() const { return same_files_everywhere() ? most_files : sum_files; }
  void merge(const FamilySummary& other);
};

// The time that a rank spent in I/O: the largest and the smallest of all ranks, and which ranks that were.
struct RankTimes {
  std::uint64_t ranks = 0;
  std::uint64_t sum_ns = 0;
  std::uint64_t slowest_ns = 0, slowest_rank = 0;
  std::uint64_t fastest_ns = 0, fastest_rank = 0;

  void add(std::uint64_t rank, std::uint64_t ns);
  void merge(const RankTimes& other);
};

struct Summary {
  static constexpr std::size_t kFamilies = 24;

  std::uint64_t processes = 0;
  RankTimes rank_times;
  JobTimeLine time_line;
  std::uint64_t families_folded = 0;  // families that are in `rest`
  std::uint64_t count = 0;            // used entries of `families`, the heaviest by bytes
  std::array<FamilySummary, kFamilies> families{};
  FamilySummary rest;                    // all others
  std::array<Totals, kLayers> layers{};  // of everything, exact

  void merge(const Summary& other);
  void add(const FamilySummary& family);

  // What was counted in an area, by one rank or by a process without MPI. (A Summary is large, tens of KiB:
  // keep it off small stacks.)
  static void of_area(Area& area, bool same_boot, Summary& out);
};

// Ticks to nanoseconds, moments to the wall clock.
void to_nanoseconds(Totals& totals, const clock::Rate& rate);

}  // namespace toto
