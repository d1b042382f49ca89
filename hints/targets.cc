// SPDX-License-Identifier: BSD-3-Clause
#include "hints/targets.h"

#include <algorithm>
#include <new>

#include "core/clock.h"
#include "core/config.h"
#include "core/keep.h"
#include "core/log.h"
#include "core/sys.h"
#include "hints/shared.h"
#include "hints/tuner/numbers.h"

namespace toto::hints::targets {
namespace {

// Shares of a file's waiting. From kMostly on it is one target's (another writer of the file may have waited
// for the same one meanwhile, and kept this one from going on elsewhere); kFirst of the one that was written
// first says nothing about any; up to kUsual times its equal part a target is as it should be.
constexpr double kMostly = 0.4, kFirst = 0.3, kUsual = 1.5;
constexpr double kShortest = 0.1e9;    // ns of writing that say anything: below, caches are measured
constexpr std::uint32_t kAgain = 2;    // requests to a target: it has a round behind it
constexpr std::uint32_t kForget = 64;  // files after which the past counts half
constexpr double kMuchSlower = 2;
constexpr std::size_t kPeers = 3;
constexpr double kMillion = 1e6;

double mean_speed(const Cell& cell, std::uint32_t files) {
  return static_cast<double>(cell.speed.load(std::memory_order_relaxed)) / kMillion / files;
}

// ln of the median bandwidth of the other targets; 0: too few are known.
double usual_of_others(const Table& table, std::size_t target) {
  std::array<double, kMost> speeds;
  std::size_t used = 0;
  for (std::size_t i = 0; i < kMost; ++i) {
    const std::uint32_t files = table.cells[i].alone.load(std::memory_order_relaxed);
    if (i != target && files >= kAgain) speeds[used++] = mean_speed(table.cells[i], files);
  }
  if (used < kPeers) return 0;
  std::nth_element(speeds.begin(), speeds.begin() + static_cast<std::ptrdiff_t>(used / 2),
                   speeds.begin() + static_cast<std::ptrdiff_t>(used));
  return speeds[used / 2];
}

// `apart`: ns that lie between two observations that are not of the same files.
void count(Cell& cell, bool waited, std::uint64_t now, std::uint64_t apart) {
  std::uint64_t last = cell.last.load(std::memory_order_relaxed);
  if (last != 0 && now - last < apart) return;
  if (!cell.last.compare_exchange_strong(last, now, std::memory_order_relaxed)) return;
  const std::uint32_t files = cell.files.fetch_add(1, std::memory_order_relaxed) + 1;
  if (waited) cell.waited.fetch_add(1, std::memory_order_relaxed);
  if (files < kForget) return;
  // Two at once may both halve: what is left of it tells the same.
  cell.files.store(files / 2, std::memory_order_relaxed);
  cell.waited.store(cell.waited.load(std::memory_order_relaxed) / 2, std::memory_order_relaxed);
}

constexpr std::size_t kWatches = 64;
using Watches = std::array<Watch, kWatches>;
constinit std::atomic<Watches*> watches{nullptr};

Watch* free_watch() {
  Watches* all = watches.load(std::memory_order_acquire);
  if (all == nullptr) {
    void* memory = keep_memory(sizeof(Watches));
    if (memory == nullptr) return nullptr;
    auto* fresh = ::new (memory) Watches;
    if (watches.compare_exchange_strong(all, fresh)) all = fresh;
  }
  for (Watch& one : *all) {
    if (!one.used.exchange(true)) return &one;
  }
  return nullptr;
}

// The table, where it is of this device.
Table* table_of(std::uint64_t device, bool make) {
  Shared* const there = shared(make);
  if (there == nullptr) return nullptr;
  std::uint64_t of = there->targets.device.load(std::memory_order_relaxed);
  const bool ours = of == device + 1 ||
                    (make && of == 0 &&
                     (there->targets.device.compare_exchange_strong(of, device + 1) || of == device + 1));
  return ours ? &there->targets : nullptr;
}

bool is_slow(std::span<const Slow> slow, std::uint32_t target) {
  return std::any_of(slow.begin(), slow.end(), [target](const Slow& one) { return one.target == target; });
}

constexpr std::size_t kMostSlow = kMost / 4;

void warn_of(std::span<const Slow> slow) {
  static constinit std::array<std::atomic<bool>, kMost> said{};
  for (const Slow& one : slow) {
    if (said[one.target].exchange(true)) continue;
    FixedString<160> text;
    one.explain(text);
    log::warn(log::Line("slow target: ").add(text.view()));
  }
}

}  // namespace

void Slow::explain(FixedString<160>& text) const {
  constexpr double kMiB = 1024 * 1024;
  const auto tenths = [&](double bytes) {
    const double exact = bytes / kMiB * 10;
    auto whole = static_cast<std::uint64_t>(exact);
    if (exact - static_cast<double>(whole) >= 0.5) ++whole;
    text.add(whole / 10).add('.').add(whole % 10).add(" MiB/s");
  };
  text.add("target ").add(target);
  if (files != 0) {
    text.add(" kept the writers of ").add(waited).add(" of ").add(files).add(" files waiting");
  } else {
    text.add(" takes ");
    tenths(speed);
    text.add(" where its peers take ");
    tenths(usual);
  }
}

std::span<const Slow> find(const Table& table, std::span<Slow> room) {
  std::size_t used = 0, seen = 0;
  for (std::size_t i = 0; i < kMost && used < room.size(); ++i) {
    const Cell& cell = table.cells[i];
    if (!cell.seen.load(std::memory_order_relaxed)) continue;
    ++seen;
    const std::uint32_t files = cell.files.load(std::memory_order_relaxed);
    const std::uint32_t waited = cell.waited.load(std::memory_order_relaxed);
    const std::uint32_t alone = cell.alone.load(std::memory_order_relaxed);
    if (files >= kLeast && waited * 4 >= files * 3) {
      room[used++] = {.target = static_cast<std::uint32_t>(i), .files = files, .waited = waited};
    } else if (alone >= kLeast) {
      const double usual = usual_of_others(table, i), mine = mean_speed(cell, alone);
      if (usual > 0 && mine < usual - tuner::ln(kMuchSlower)) {
        room[used++] = {
            .target = static_cast<std::uint32_t>(i), .speed = tuner::exp(mine), .usual = tuner::exp(usual)};
      }
    }
  }
  return used * 4 <= seen ? room.first(used) : std::span<const Slow>();
}

void Watch::begin(Table& table, std::uint64_t stripe_size, std::span<const std::uint32_t> targets) {
  table_ = &table;
  size_ = stripe_size;
  count_ = static_cast<std::uint32_t>(targets.size());
  forget();
  for (std::uint32_t i = 0; i < count_; ++i) {
    target_[i] = targets[i];
    table.cells[targets[i]].seen.store(true, std::memory_order_relaxed);
  }
}

void Watch::forget() {
  first_.store(0, std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < count_; ++i) {
    ticks_[i].store(0, std::memory_order_relaxed);
    bytes_[i].store(0, std::memory_order_relaxed);
    requests_[i].store(0, std::memory_order_relaxed);
  }
}

void Watch::note(std::uint64_t offset, std::uint64_t bytes, std::uint64_t ticks) {
  if (bytes == 0) return;
  const std::uint64_t stripe = offset / size_;
  if (count_ > 1 && (offset + bytes - 1) / size_ != stripe) return;
  const auto i = static_cast<std::uint32_t>(stripe % count_);
  std::uint32_t none = 0;
  first_.compare_exchange_strong(none, i + 1, std::memory_order_relaxed);
  ticks_[i].fetch_add(ticks, std::memory_order_relaxed);
  bytes_[i].fetch_add(bytes, std::memory_order_relaxed);
  requests_[i].fetch_add(1, std::memory_order_relaxed);
}

void Watch::end(double ns_per_tick, std::uint64_t now_ns) {
  double all = 0, most = 0;
  std::uint32_t longest = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    const double ns = static_cast<double>(ticks_[i].load(std::memory_order_relaxed)) * ns_per_tick;
    all += ns;
    if (ns <= most) continue;
    most = ns;
    longest = i;
  }
  const std::uint32_t first = first_.load(std::memory_order_relaxed);
  if (first == 0 || all < kShortest) return;
  if (count_ == 1) {
    const double speed = static_cast<double>(bytes_[0].load(std::memory_order_relaxed)) / all * 1e9;
    Cell& cell = table_->cells[target_[0]];
    cell.speed.fetch_add(static_cast<std::int64_t>(tuner::ln(speed) * kMillion), std::memory_order_relaxed);
    cell.alone.fetch_add(1, std::memory_order_release);
    return;
  }
  const auto share_of = [&](std::uint32_t i) {
    return static_cast<double>(ticks_[i].load(std::memory_order_relaxed)) * ns_per_tick / all;
  };
  if (share_of(first - 1) >= kFirst) return;
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (i == first - 1 || requests_[i].load(std::memory_order_relaxed) < kAgain) continue;
    const bool waited = i == longest && share_of(i) >= kMostly;
    if (waited || share_of(i) <= kUsual / count_)
      count(table_->cells[target_[i]], waited, now_ns, static_cast<std::uint64_t>(all / 2));
  }
}

Watch* watch(const layout::Backend* backend, std::uint64_t device, const char* path) {
  if (backend == nullptr) return nullptr;
  std::array<std::uint32_t, Watch::kStripes> targets;
  Layout layout;
  const std::uint32_t count = backend->read_targets(path, layout, targets);
  const std::span<const std::uint32_t> used(targets.data(), std::min<std::size_t>(count, targets.size()));
  if (count == 0 || count > targets.size() || layout.size == 0) return nullptr;
  if (std::any_of(used.begin(), used.end(), [](std::uint32_t target) { return target >= kMost; }))
    return nullptr;
  Table* const table = table_of(device, true);
  Watch* const free = table != nullptr ? free_watch() : nullptr;
  if (free != nullptr) free->begin(*table, layout.size, used);
  return free;
}

void end(Watch& watch) {
  watch.end(clock::rate().ns_per_tick, clock::monotonic_ns());
  watch.used.store(false, std::memory_order_release);
}

void after_fork() {
  Watches* const all = watches.load(std::memory_order_acquire);
  if (all == nullptr) return;
  for (Watch& one : *all) one.forget();
}

std::uint32_t avoidable(std::uint64_t device, std::uint32_t targets) {
  const Table* const table = table_of(device, false);
  if (table == nullptr) return 0;
  std::array<Slow, kMostSlow> room;
  const std::span<const Slow> slow = find(*table, room);
  warn_of(slow);
  const auto seen = std::count_if(table->cells.begin(), table->cells.end(),
                                  [](const Cell& cell) { return cell.seen.load(); });
  return seen == static_cast<std::ptrdiff_t>(targets) ? static_cast<std::uint32_t>(slow.size()) : 0;
}

const TargetList* others(std::uint64_t device, std::uint32_t wanted) {
  const Table* const table = table_of(device, false);
  if (table == nullptr || wanted == 0 || wanted > kMostTargets) return nullptr;
  std::array<Slow, kMostSlow> room;
  const std::span<const Slow> slow = find(*table, room);
  if (slow.empty()) return nullptr;
  std::array<std::uint16_t, kMost> good;
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < kMost; ++i) {
    if (table->cells[i].seen.load() && !is_slow(slow, i)) good[count++] = static_cast<std::uint16_t>(i);
  }
  if (wanted > count) return nullptr;
  // Lists are used at once; that many later their room is used again.
  constexpr std::size_t kLists = 64;
  static constinit std::array<TargetList, kLists> lists{};
  static constinit std::atomic<std::uint32_t> next{0};
  const std::uint32_t number = next.fetch_add(1);
  TargetList& list = lists[number % kLists];
  // Processes begin at different places, and go on where their last file ended.
  const std::uint32_t start = static_cast<std::uint32_t>(sys::getpid()) * 7 + number * wanted;
  list.count = static_cast<std::uint16_t>(wanted);
  for (std::uint32_t i = 0; i < wanted; ++i) list.target[i] = good[(start + i) % count];
  return &list;
}

}  // namespace toto::hints::targets
