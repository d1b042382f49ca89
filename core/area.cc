// SPDX-License-Identifier: BSD-3-Clause
#include "core/area.h"

#include <algorithm>
#include <new>

#include "core/job.h"

namespace toto {

void File::totals(std::array<Totals, kLayers>& out) const {
  for (const Shard* one = shards.get(); one != nullptr; one = one->next.get()) {
    one->counters.read_into(out[static_cast<std::size_t>(one->layer)]);
  }
}

Area* Area::make(void* memory, std::size_t bytes) {
  Area* area = new (memory) Area;
  area->size = static_cast<std::uint32_t>(std::min<std::size_t>(bytes, 0x4000'0000U));
  area->used = static_cast<std::uint32_t>((sizeof(Area) + 63) / 64 * 64);
  area->time_line.start(clock::ticks());
  area->who.describe_self();
  area->world = job.world.load();
  constexpr std::string_view kOther = "(other files)";
  std::copy_n(kOther.data(), kOther.size(), area->other_path.data());
  area->other.text.set(area->other_path.data());
  area->other.path_length = kOther.size();
  area->other.folded = true;
  for (std::size_t i = 0; i < kLayers; ++i) {
    area->last_resort[i].layer = static_cast<Layer>(i);
    area->last_resort[i].next.set(i + 1 < kLayers ? &area->last_resort[i + 1] : nullptr);
  }
  area->other.shards.set(area->last_resort.data());
  area->ready.store(kVersion, std::memory_order_release);
  return area;
}

void Area::for_each(Visitor visit, void* context) {
  const auto visit_one = [&](File& file) {
    std::array<Totals, kLayers> totals{};
    file.totals(totals);
    bool any = false;
    for (const Totals& layer : totals) any = any || !layer.empty();
    if (any) visit(file, totals, context);
  };
  for (const Near<File>& chain : buckets) {
    for (File* file = chain.get(); file != nullptr; file = file->next.get()) visit_one(*file);
  }
  visit_one(other);
}

const File* Area::find(std::uint64_t hash, std::string_view path) const {
  const File* file = buckets[hash % kBuckets].get();
  while (file != nullptr && (file->path_hash != hash || file->path() != path)) file = file->next.get();
  return file;
}

clock::Rate Area::rate(bool same_boot) const {
  if (same_boot) return clock::rate_since(who.zero);
  clock::Rate rate{who.zero};
  rate.ns_per_tick = who.ns_per_tick;
  return rate;
}

}  // namespace toto
