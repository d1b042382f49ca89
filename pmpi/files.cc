// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/files.h"

namespace toto::pmpi::files {

constinit std::array<OpenFile, kSlots> table{};

namespace {
// Marks a slot that is being filled: no handle has this value.
MPI_File claimed() { return reinterpret_cast<MPI_File>(~std::uintptr_t{0}); }
}  // namespace

OpenFile* add(MPI_File handle, registry::File& file, Partner* partner) {
  const std::size_t start = start_of(handle);
  for (std::size_t i = 0; i < kProbes; ++i) {
    OpenFile& slot = table[(start + i) % kSlots];
    MPI_File none{};
    if (!slot.handle.compare_exchange_strong(none, claimed(), std::memory_order_acq_rel)) continue;
    slot.file = &file;
    slot.partner = partner;
    slot.handle.store(handle, std::memory_order_release);
    return &slot;
  }
  return nullptr;
}

void remove(OpenFile& open) { open.handle.store(MPI_File{}, std::memory_order_release); }

}  // namespace toto::pmpi::files
