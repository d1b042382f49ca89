// SPDX-License-Identifier: BSD-3-Clause
#include "tools/mend.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include "core/file_systems.h"

namespace toto::tools {
namespace {

constexpr std::size_t kBlock = 64;  // what blocks are rounded up to

class Mender {
 public:
  explicit Mender(Area& area)
      : area_(area), used_(std::min(area.used.load(), area.size)), taken_(used_ / kBlock + 1, false) {}

  void mend() {
    mend_head();
    mend_file(area_.other);
    for (Near<File>& chain : area_.buckets) {
      for (Near<File>* link = &chain; File* file = take(*link); link = &file->next) mend_file(*file);
    }
  }

 private:
  // Where `bytes` at `at` lie in the area.
  [[nodiscard]] bool holds(const void* at, std::size_t bytes) const {
    const auto start = reinterpret_cast<std::uintptr_t>(&area_), here = reinterpret_cast<std::uintptr_t>(at);
    return here >= start && here - start <= used_ && bytes <= used_ - (here - start);
  }
  [[nodiscard]] std::size_t offset(const void* at) const {
    return static_cast<std::size_t>(static_cast<const char*>(at) - reinterpret_cast<const char*>(&area_));
  }

  // The block that a link of a list leads to; the list ends where it leads nowhere, or to where another link
  // led before.
  template <class T>
  T* take(Near<T>& link) {
    T* block = link.get();
    if (block == nullptr) return nullptr;
    const bool good = holds(block, sizeof(T)) && offset(block) >= sizeof(Area) &&
                      offset(block) % kBlock == 0 && !taken_[offset(block) / kBlock];
    if (!good) {
      link.set(nullptr);
      return nullptr;
    }
    taken_[offset(block) / kBlock] = true;
    return block;
  }

  // A byte that is neither 0 nor 1 is no bool at all.
  static void mend_flag(bool& flag) {
    unsigned char byte = 0;
    std::memcpy(&byte, &flag, 1);
    flag = byte != 0;
  }

  void mend_head() {
    ProcessInfo& who = area_.who;
    who.command_bytes = std::min<std::uint32_t>(who.command_bytes, who.command.size());
    if (!std::isfinite(who.ns_per_tick) || who.ns_per_tick <= 0.0) who.ns_per_tick = 1.0;
    for (std::size_t i = 0; i < kLayers; ++i) {
      area_.last_resort[i].layer = static_cast<Layer>(i);
      area_.last_resort[i].next.set(i + 1 < kLayers ? &area_.last_resort[i + 1] : nullptr);
    }
  }

  void mend_file(File& file) {
    mend_flag(file.folded);
    mend_flag(file.scratch);
    if (!holds(file.text.get(), file.path_length)) {
      file.text.set(area_.other_path.data());
      file.path_length = 0;
    }
    if (file.file_system.load() > kKnownFileSystems.size()) file.file_system = 0;
    if (file.kept.get() != nullptr && !is_good(file.kept.get())) file.kept.set(nullptr);
    // The shards for all, in the head of the area, end the list of `other`.
    mend_shards(file, &file == &area_.other ? area_.last_resort.data() : nullptr);
  }

  void mend_shards(File& file, Shard* end) {
    Near<Shard>* link = &file.shards;
    while (link->get() != end) {
      Shard* shard = take(*link);
      if (shard == nullptr) break;
      if (static_cast<std::size_t>(shard->layer) >= kLayers) shard->layer = Layer::kPosix;
      link = &shard->next;
    }
    link->set(end);
  }

  [[nodiscard]] bool is_good(const Outcome* outcome) const {
    constexpr std::size_t kHead = offsetof(Outcome, hints);
    if (!holds(outcome, kHead) || offset(outcome) % kBlock != 0 ||
        outcome->hint_count > outcome->hints.size() ||
        !holds(outcome, kHead + outcome->hint_count * sizeof(Hint))) {
      return false;
    }
    const auto hints = outcome->all_hints();
    return outcome->layout_origin <= Origin::kPrior && outcome->layout_status <= LayoutStatus::kRequested &&
           std::all_of(hints.begin(), hints.end(), [](const Hint& hint) {
             return hint.origin <= Origin::kPrior && hint.status <= HintStatus::kKept;
           });
  }

  Area& area_;
  std::size_t used_;
  std::vector<bool> taken_;  // blocks that a list has
};

}  // namespace

void mend(Area& area) { Mender(area).mend(); }

}  // namespace toto::tools
