// SPDX-License-Identifier: BSD-3-Clause
#include "posix/mappings.h"

#include <array>
#include <atomic>
#include <cstdint>

#include "posix/owner.h"

namespace toto::posix {
namespace {

// Taken by setting `begin`; valid while `file` is set.
struct Mapping {
  std::atomic<std::uintptr_t> begin{0};  // 0: free
  std::atomic<std::uintptr_t> end{0};
  std::atomic<File*> file{nullptr};
};
constinit std::array<Mapping, 512> mappings{};
constinit std::atomic<unsigned> used{0};  // one past the last that was ever taken
constinit std::atomic<unsigned> taken{0};

constexpr auto kRelaxed = std::memory_order_relaxed;

}  // namespace

bool has_mappings() { return taken.load(kRelaxed) != 0; }

void note_mapping(void* at, std::size_t bytes, Description& open, std::uint64_t started,
                  std::uint64_t ended) {
  Counters& counters = registry::shard(*open.file, Layer::kPosix).counters;
  Shared::add(counters[Counter::maps], 1);
  Shared::add(counters[Counter::bytes_mapped], bytes);
  Shared::add(counters[Counter::meta_ticks], ended > started ? ended - started : 0);
  const auto begin = reinterpret_cast<std::uintptr_t>(at);
  for (unsigned i = 0; i < mappings.size(); ++i) {
    std::uintptr_t free = 0;
    if (!mappings[i].begin.compare_exchange_strong(free, begin, std::memory_order_acq_rel)) continue;
    mappings[i].end.store(begin + bytes, kRelaxed);
    mappings[i].file.store(open.file, std::memory_order_release);
    unsigned highest = used.load(kRelaxed);
    while (highest <= i && !used.compare_exchange_weak(highest, i + 1, kRelaxed)) {
    }
    taken.fetch_add(1, kRelaxed);
    return;
  }
}

void forget_mappings(const void* at, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(at);
  for (unsigned i = 0; i < used.load(kRelaxed); ++i) {
    Mapping& one = mappings[i];
    std::uintptr_t start = one.begin.load(kRelaxed);
    if (start == 0 || start >= begin + bytes || one.end.load(kRelaxed) <= begin) continue;
    if (shares_memory_with_parent()) return;  // asked only now: most that is unmapped is none of ours
    if (one.file.exchange(nullptr, std::memory_order_acq_rel) == nullptr)
      continue;  // somebody else's to free
    one.end.store(0, kRelaxed);
    one.begin.store(0, std::memory_order_release);
    taken.fetch_sub(1, kRelaxed);
  }
}

File* mapped_file(const void* at) {
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  for (unsigned i = 0; i < used.load(kRelaxed); ++i) {
    const Mapping& one = mappings[i];
    const std::uintptr_t begin = one.begin.load(std::memory_order_acquire);
    if (begin != 0 && address >= begin && address < one.end.load(kRelaxed)) {
      return one.file.load(std::memory_order_acquire);
    }
  }
  return nullptr;
}

}  // namespace toto::posix
