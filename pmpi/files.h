// SPDX-License-Identifier: BSD-3-Clause
// The MPI files that are open: from handle to what is known of each. A fixed hash table without a lock; a
// handle that finds no room is forwarded and not counted by MPI-IO (its POSIX calls still are).
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdint>

#include "core/registry.h"
#include "pmpi/communicator.h"

namespace toto::pmpi {

struct OpenFile {
  std::atomic<MPI_File> handle{};
  registry::File* file = nullptr;
  Partner* partner = nullptr;  // nullptr: opened by one rank, or nobody to talk to
};

namespace files {

inline constexpr std::size_t kSlots = 2048;
inline constexpr std::size_t kProbes = 32;
extern constinit std::array<OpenFile, kSlots> table;

inline std::size_t start_of(MPI_File handle) {
  return (reinterpret_cast<std::uintptr_t>(handle) >> 4) * 0x9E37'79B9U % kSlots;
}

inline OpenFile* find(MPI_File handle) {
  const std::size_t start = start_of(handle);
  for (std::size_t i = 0; i < kProbes; ++i) {
    OpenFile& slot = table[(start + i) % kSlots];
    if (slot.handle.load(std::memory_order_acquire) == handle) return handle != MPI_File{} ? &slot : nullptr;
  }
  return nullptr;
}

OpenFile* add(MPI_File handle, registry::File& file, Partner* partner);
// Takes the entry out; its content is returned by value of the two pointers.
void remove(OpenFile& open);

}  // namespace files
}  // namespace toto::pmpi
