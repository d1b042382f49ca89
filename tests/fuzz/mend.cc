// SPDX-License-Identifier: BSD-3-Clause
// A good area (core/area.h) that is written over: each 12 bytes of the input are a place and 8 bytes for it.
// What mend() leaves can be read to its end, within its bounds.
#include "tools/mend.h"

#include <cstdlib>
#include <cstring>
#include <string>

#include "core/registry.h"
#include "core/summary.h"

namespace {

toto::Area& good_area() {
  if (!toto::registry::start()) std::abort();
  toto::Outcome outcome;
  outcome.reason = "a reason";
  outcome.add("cb_nodes", "4", toto::Origin::kPrior);
  for (int i = 0; i < 200; ++i) {
    toto::File& file =
        *toto::registry::find_or_add("/s/folder/" + std::to_string(i) + "/" + std::string(i % 50, 'x'));
    for (const toto::Layer layer : {toto::Layer::kPosix, toto::Layer::kMpiIo})
      toto::Shared::add(toto::registry::shard(file, layer).counters[toto::Counter::bytes_written], 1);
    toto::registry::keep_outcome(file, outcome);
  }
  return *toto::registry::area();
}

void read_all(toto::Area& area) {
  static toto::Summary summary;
  summary = toto::Summary{};
  toto::Summary::of_area(area, false, summary);
  std::size_t letters = 0;
  area.for_each(
      [](toto::File& file, const std::array<toto::Totals, toto::kLayers>&, void* to) {
        auto& sum = *static_cast<std::size_t*>(to);
        for (const char c : file.path()) sum += static_cast<unsigned char>(c);
        if (file.outcome() == nullptr) return;
        for (const toto::Hint& hint : file.outcome()->all_hints()) sum += toto::name(hint.origin).size();
      },
      &letters);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const toto::Area& good = good_area();
  static char* copy = static_cast<char*>(std::aligned_alloc(4096, good.size));
  const std::uint32_t used = good.used.load();
  std::memcpy(copy, static_cast<const void*>(&good), used);
  for (; size >= 12; data += 12, size -= 12) {
    std::uint32_t place = 0;
    std::memcpy(&place, data, 4);
    // The size itself is checked against the file's by who maps it (core/segment_file.h): it stays.
    place %= used - 8;
    std::memcpy(copy + place, data + 4, 8);
  }
  auto& area = *reinterpret_cast<toto::Area*>(copy);
  area.size = good.size;
  toto::tools::mend(area);
  read_all(area);
  return 0;
}
