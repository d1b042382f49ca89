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
#include "core/distinct.h"
#include "core/time_line.h"

namespace toto {

struct FamilySummary {
  std::array<char, 256> name{};  // NUL-terminated
  std::uint64_t ranks = 0;       // ranks (processes) that opened a file of it
  std::uint64_t writers = 0;     // ranks that wrote
  // Files that a rank opened and that have a slot of their own: the most of any rank, all ranks' added up,
  // and how many distinct ones these are.
  std::uint64_t most_files = 0;
  std::uint64_t sum_files = 0;
  Distinct distinct;
  // Hash of the folder that they are in, the least and the most of any; 0: no such file.
  std::uint64_t least_folder = 0;
  std::uint64_t most_folder = 0;
  std::uint64_t stripe_size = 0;  // largest that is known of a file
  std::uint64_t mpi_ranks = 0;    // largest communicator that opened one by MPI-IO
  // Sums of the identities of a rank's files, of the ranks that have any: equal when all opened the same
  // files. By name, which outlives a file that is made anew; and by inode, which other names and links share.
  std::uint64_t least_files_sum = 0, most_files_sum = 0;
  std::uint64_t least_inodes_sum = 0, most_inodes_sum = 0;
  std::uint64_t slowest_ns = 0;    // of one rank: its read, write and metadata time
  std::uint64_t slowest_rank = 0;  // that rank
  std::uint64_t most_bytes = 0;    // moved by one rank, the most of any
  std::uint64_t span_ns = 0;  // of one file, from a rank's open to its close, the most of any; 0: not told
  std::array<Totals, kLayers> layers{};

  [[nodiscard]] std::string_view name_view() const { return {name.data()}; }
  [[nodiscard]] std::uint64_t bytes() const;  // moved, over all layers
  [[nodiscard]] bool same_files_everywhere() const {
    return least_files_sum == most_files_sum || least_inodes_sum == most_inodes_sum;
  }
  [[nodiscard]] std::uint64_t files() const;  // distinct ones, over all ranks
  // The folder that all files are in (its hash); 0: there are several.
  [[nodiscard]] std::uint64_t folder() const { return least_folder == most_folder ? least_folder : 0; }
  // Makes this the summary of one file of one rank, whose counters are in `layers`. Identity 0: `path` is a
  // family already, of files without a slot of their own.
  void name_file(std::string_view path, std::uint64_t identity, std::uint64_t inode);
  // One more file of this rank. `inode`: an identity, too; where it is not known, the same one.
  void add_file(std::uint64_t identity, std::uint64_t in_folder, std::uint64_t inode);
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
  KernelIo kernel_io;
  JobTimeLine time_line;
  // Families that are in `rest`, on some rank at least. One that is listed, too, may lack there what another
  // rank folded: no more than `rest` holds.
  Distinct folded;
  std::uint64_t count = 0;  // used entries of `families`, the heaviest by bytes
  std::array<FamilySummary, kFamilies> families{};
  FamilySummary rest;                    // all others
  std::array<Totals, kLayers> layers{};  // of everything, exact

  void merge(const Summary& other);
  // One rank's own: each of its files, then what holds for the rank as a whole.
  void add(const FamilySummary& file);
  std::uint64_t end_rank(std::uint64_t rank);  // its time, in nanoseconds

  // What was counted in an area, by one rank or by a process without MPI. (A Summary is large, tens of KiB:
  // keep it off small stacks.)
  static void of_area(Area& area, bool same_boot, Summary& out);
};

// Ticks to nanoseconds, moments to the wall clock.
void to_nanoseconds(Totals& totals, const clock::Rate& rate);

}  // namespace toto
