// SPDX-License-Identifier: BSD-3-Clause
// A file's slot and its shards: blocks in an area (core/area.h), linked by near pointers.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "core/counters.h"
#include "core/near.h"
#include "core/outcome.h"

namespace toto {

struct Shard {
  std::uintptr_t owner = 0;  // registry::thread_key() of the owner; 0: shared by all threads
  Near<Shard> next;          // of the same file
  Layer layer = Layer::kPosix;
  Counters counters;
};

struct File {
  std::uint64_t path_hash = 0;
  Near<const char> text;  // its path, without a NUL
  std::uint16_t path_length = 0;
  bool folded = false;                        // stands for a family (or for all): several files
  bool scratch = false;                       // made by the MPI library for itself
  std::atomic<std::uint64_t> family_hash{0};  // found when it is asked for first
  Near<File> next;                            // in its bucket
  Near<Shard> shards;
  Near<Outcome> kept;                   // only as many hints as it has are there
  std::atomic<std::uint64_t> inode{0};  // when it was opened first; 0: not known
  std::atomic<std::uint32_t> stripe_size{0};
  std::atomic<std::uint32_t> ranks{0};        // of the communicator that opened it; 0: not by MPI-IO
  std::atomic<std::uint32_t> file_system{0};  // index into kKnownFileSystems + 1; 0: unknown

  [[nodiscard]] std::string_view path() const { return {text.get(), path_length}; }
  [[nodiscard]] const Outcome* outcome() const { return kept.get(); }
  // Its counters, added up over its threads.
  void totals(std::array<Totals, kLayers>& out) const;
};

}  // namespace toto
