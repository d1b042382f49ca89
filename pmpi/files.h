// SPDX-License-Identifier: BSD-3-Clause
// The MPI files that are open: from handle to what is known of each. Buckets of nodes, without a lock; a node
// is never taken out, only marked free and used again, so that a look-up needs no care.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdint>

#include "core/registry.h"
#include "pmpi/communicator.h"

namespace toto::pmpi {

// What is known of an open.
struct Opened {
  // nullptr: of no interest on this rank; it is known all the same, because the others may count on this
  // rank's part in the reduction at close.
  File* file = nullptr;
  Partner* partner = nullptr;  // nullptr: opened by one rank, or nobody to talk to
  bool exclusive = false;      // MPI_MODE_EXCL was asked for, and dropped because we had made the file
  std::uint32_t stripes =
      0;  // of a file that tells the tuner something, on the rank that decided; 0: it does not
  std::uint64_t opened = 0;              // ticks, when MPI_File_open was called
  std::array<Totals, kLayers> before{};  // what this rank had counted for the file's name until then
};

struct OpenFile : Opened {
  std::atomic<MPI_File> handle{};
  OpenFile* next = nullptr;  // in its bucket
};

namespace files {

inline constexpr std::size_t kBuckets = 256;
extern constinit std::array<std::atomic<OpenFile*>, kBuckets> buckets;

inline std::atomic<OpenFile*>& bucket_of(MPI_File handle) {
  return buckets[(reinterpret_cast<std::uintptr_t>(handle) >> 4) * 0x9E37'79B9U % kBuckets];
}

inline OpenFile* find(MPI_File handle) {
  if (handle == MPI_File{}) return nullptr;
  for (OpenFile* it = bucket_of(handle).load(std::memory_order_acquire); it != nullptr; it = it->next) {
    if (it->handle.load(std::memory_order_acquire) == handle) return it;
  }
  return nullptr;
}

void add(MPI_File handle, const Opened& what);
void remove(OpenFile& open);

}  // namespace files
}  // namespace toto::pmpi
