// SPDX-License-Identifier: BSD-3-Clause
#include "hints/waves.h"

namespace toto::hints::waves {
namespace {

constexpr std::uint64_t kOpened = std::uint64_t{1} << 32, kClosed = 1;

constexpr std::uint32_t opened(std::uint64_t files) { return static_cast<std::uint32_t>(files >> 32); }
constexpr std::uint32_t closed(std::uint64_t files) { return static_cast<std::uint32_t>(files); }

// Adds an open file: to a wave that has one, or (`fresh`) to one that had none yet. False: it has none any
// more.
bool enter(Wave& wave, bool fresh) {
  std::uint64_t files = wave.files.load(std::memory_order_acquire);
  do {
    if (files == 0 ? !fresh : opened(files) <= closed(files)) return false;
  } while (!wave.files.compare_exchange_weak(files, files + kOpened, std::memory_order_acq_rel));
  return true;
}

}  // namespace

Family* find(Table& table, std::uint64_t hash) {
  for (std::size_t step = 0; step < kFamilies; ++step) {
    Family& family = table.families[(hash + step) % kFamilies];
    const std::uint64_t there = family.hash.load(std::memory_order_acquire);
    if (there == hash) return family.ready.load(std::memory_order_acquire) ? &family : nullptr;
    if (there == 0) return nullptr;
  }
  return nullptr;
}

Family* claim(Table& table, std::uint64_t hash, const Facts& facts) {
  for (std::size_t step = 0; step < kFamilies; ++step) {
    Family& family = table.families[(hash + step) % kFamilies];
    std::uint64_t there = 0;
    if (family.hash.compare_exchange_strong(there, hash)) {
      family.facts = facts;
      family.ready.store(true, std::memory_order_release);
      return &family;
    }
    if (there == hash) return family.ready.load(std::memory_order_acquire) ? &family : nullptr;
  }
  return nullptr;
}

Place join(Family& family, std::uint32_t last, std::uint32_t choice) {
  // Each turn finds that somebody else got further.
  for (int turn = 0; turn < 64; ++turn) {
    std::uint32_t current = family.current.load(std::memory_order_acquire);
    if (current != 0 && current != last) {
      Wave& wave = family.waves[current - 1];
      if (enter(wave, false)) return {current, wave.count.load(std::memory_order_acquire)};
    }
    if (current >= kWaves) return {};
    Wave& wave = family.waves[current];
    std::uint32_t count = 0;
    if (wave.count.compare_exchange_strong(count, choice)) count = choice;
    const bool entered = enter(wave, true);
    // Whoever did all that; and where it is complete by now, the next turn begins the next one.
    family.current.compare_exchange_strong(current, current + 1);
    if (entered) return {static_cast<std::uint32_t>(&wave - family.waves.data()) + 1, count};
  }
  return {};
}

void leave(Family& family, std::uint32_t wave, std::uint64_t bytes, std::uint64_t ns) {
  Wave& one = family.waves[wave - 1];
  one.bytes.fetch_add(bytes, std::memory_order_relaxed);
  std::uint64_t slowest = one.slowest_ns.load(std::memory_order_relaxed);
  while (slowest < ns && !one.slowest_ns.compare_exchange_weak(slowest, ns, std::memory_order_relaxed)) {
  }
  one.files.fetch_add(kClosed, std::memory_order_release);
}

void cancel(Family& family, std::uint32_t wave) {
  family.waves[wave - 1].files.fetch_sub(kOpened, std::memory_order_release);
}

std::optional<Result> result(const Family& family, std::uint32_t wave) {
  const Wave& one = family.waves[wave - 1];
  const std::uint64_t files = one.files.load(std::memory_order_acquire);
  if (files == 0 || opened(files) != closed(files)) return std::nullopt;
  return Result{.count = one.count.load(std::memory_order_relaxed),
                .files = closed(files),
                .bytes = one.bytes.load(std::memory_order_relaxed),
                .slowest_ns = one.slowest_ns.load(std::memory_order_relaxed)};
}

}  // namespace toto::hints::waves
