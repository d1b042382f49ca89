// SPDX-License-Identifier: BSD-3-Clause
#include "hints/past.h"

#include <array>
#include <atomic>

#include "core/path.h"

namespace toto::hints::past {
namespace {

struct Entry {
  std::atomic<std::uint64_t> family{0};    // hash; 0: free
  std::atomic<std::uint32_t> sequence{0};  // odd while being written
  Usage usage;
};
constinit std::array<Entry, 256> table{};

Entry* entry_of(std::string_view family, bool make) {
  const std::uint64_t hash = path::hash(family);
  for (std::size_t step = 0; step < table.size(); ++step) {
    Entry& entry = table[(hash + step) % table.size()];
    std::uint64_t seen = entry.family.load(std::memory_order_acquire);
    if (seen == hash) return &entry;
    if (seen != 0) continue;
    if (!make) return nullptr;
    if (entry.family.compare_exchange_strong(seen, hash) || seen == hash) return &entry;
  }
  return nullptr;
}

}  // namespace

void note(std::string_view family, const Usage& usage) {
  if (usage.bytes == 0) return;  // nothing was written: tells nothing about the next one
  Entry* entry = entry_of(family, true);
  if (entry == nullptr) return;
  // One writer at a time; who comes second leaves it, as both saw the same family.
  std::uint32_t sequence = entry->sequence.load(std::memory_order_relaxed);
  if ((sequence & 1) != 0 || !entry->sequence.compare_exchange_strong(sequence, sequence + 1)) return;
  entry->usage = usage;
  entry->sequence.store(sequence + 2, std::memory_order_release);
}

std::optional<Usage> of(std::string_view family) {
  const Entry* entry = entry_of(family, false);
  if (entry == nullptr) return std::nullopt;
  const std::uint32_t before = entry->sequence.load(std::memory_order_acquire);
  if (before == 0 || (before & 1) != 0) return std::nullopt;
  const Usage usage = entry->usage;
  std::atomic_thread_fence(std::memory_order_acquire);
  if (entry->sequence.load(std::memory_order_relaxed) != before) return std::nullopt;
  return usage;
}

void apply(const Usage& usage, Situation& situation) {
  if (usage.sharing != Sharing::kUnknown) situation.sharing = usage.sharing;
  situation.spatiality = usage.spatiality;
  situation.calls = usage.calls;
  situation.interleaved = usage.interleaved;
  situation.bytes = usage.bytes;
  situation.request = usage.request;
  situation.call_bytes = usage.call_bytes;
}

}  // namespace toto::hints::past
