// SPDX-License-Identifier: BSD-3-Clause
#include "hints/shared.h"

#include <atomic>

#include "core/keep.h"
#include "core/segment.h"

namespace toto::hints {

Shared* shared(bool make) {
  if (segment::nonce() != 0) return static_cast<Shared*>(segment::table(make));
  static constinit std::atomic<Shared*> own{nullptr};
  Shared* there = own.load(std::memory_order_acquire);
  if (there != nullptr || !make) return there;
  auto* fresh = static_cast<Shared*>(keep_shared_memory(sizeof(Shared)));
  if (fresh == nullptr) return nullptr;
  return own.compare_exchange_strong(there, fresh) ? fresh : there;
}

}  // namespace toto::hints
