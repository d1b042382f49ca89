// SPDX-License-Identifier: BSD-3-Clause
// The area: the memory in which one process (and its forked children) counts. It holds no pointers but near
// ones and no state outside itself, so that another process reads it wherever it maps it: the leader of a
// node while the job runs, `toto report --recover` after a crash.
//
// One writer a cell; everything else is atomic. Blocks are handed out in order and never given back.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "core/clock.h"
#include "core/file.h"
#include "core/kernel_io.h"
#include "core/process_info.h"
#include "core/time_line.h"

namespace toto {

struct Area {
  static constexpr std::uint32_t kVersion = 5;
  static constexpr std::uint32_t kBuckets = 1024;

  std::atomic<std::uint32_t> ready{0};  // kVersion, once all below is set
  std::uint32_t size = 0;               // bytes, this head included
  std::atomic<std::uint32_t> used{0};
  std::atomic<std::uint64_t> entered{0};    // processes that had this area: one after the other, or by fork
  std::atomic<std::uint64_t> processes{0};  // of these, those that counted something
  // Of which MPI_COMM_WORLD; 0: none (yet). Its ranks and nobody else report the area at MPI_Finalize.
  std::atomic<std::uint64_t> world{0};
  std::atomic<std::uint64_t> finished{0};  // of which world its rank has nothing more to count
  // 0: nobody yet; a pid: who is about to (and if it died over that, nobody); kReported: done.
  static constexpr std::int32_t kReported = -1;
  std::atomic<std::int32_t> reporter{0};
  std::atomic<std::int32_t> taken_by{0};  // the process that took it over last
  ProcessInfo who;
  TimeLine time_line;
  KernelIoCells kernel_io;
  std::array<Near<File>, kBuckets> buckets;
  File other;                              // the file of all that found no room
  std::array<Shard, kLayers> last_resort;  // shared shards of `other`
  std::array<char, 16> other_path{};

  // Makes an area of `bytes` of zeroed memory at `memory`.
  static Area* make(void* memory, std::size_t bytes);

  // All files that have a count, in no order. `visit(File&, const std::array<Totals, kLayers>&)`.
  using Visitor = void (*)(File& file, const std::array<Totals, kLayers>& totals, void* context);
  void for_each(Visitor visit, void* context);

  // The slot of a path; nullptr: none.
  [[nodiscard]] const File* find(std::uint64_t hash, std::string_view path) const;

  // The rate of its clock, best known now; on the same node since the same boot it is exact.
  [[nodiscard]] clock::Rate rate(bool same_boot) const;
};

}  // namespace toto
