// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/files.h"

#include "core/heap.h"

namespace toto::pmpi::files {

constinit std::array<std::atomic<OpenFile*>, kBuckets> buckets{};

namespace {

// A file that one rank forgets is waited for at its close.
constinit Reserve<OpenFile, 16> reserve;

// Marks a node that is being filled: no handle has this value.
MPI_File claimed() { return reinterpret_cast<MPI_File>(~std::uintptr_t{0}); }

OpenFile* free_node(std::atomic<OpenFile*>& bucket) {
  for (OpenFile* it = bucket.load(std::memory_order_acquire); it != nullptr; it = it->next) {
    MPI_File none{};
    if (it->handle.compare_exchange_strong(none, claimed(), std::memory_order_acq_rel)) return it;
  }
  return nullptr;
}

}  // namespace

void add(MPI_File handle, const Opened& what) {
  std::atomic<OpenFile*>& bucket = bucket_of(handle);
  OpenFile* node = free_node(bucket);
  const bool fresh = node == nullptr;
  if (fresh) {
    node = reserve.take();
    if (node == nullptr) return;
    node->handle.store(claimed(), std::memory_order_relaxed);
  }
  static_cast<Opened&>(*node) = what;
  if (fresh) {
    node->next = bucket.load(std::memory_order_relaxed);
    while (!bucket.compare_exchange_weak(node->next, node, std::memory_order_acq_rel)) {
    }
  }
  node->handle.store(handle, std::memory_order_release);
}

void remove(OpenFile& open) { open.handle.store(MPI_File{}, std::memory_order_release); }

}  // namespace toto::pmpi::files
