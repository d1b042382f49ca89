// SPDX-License-Identifier: BSD-3-Clause
#include "hints/folders.h"

#include <array>
#include <atomic>
#include <cerrno>

#include "core/clock.h"
#include "core/path.h"

namespace toto::policy::folders {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;  // ns
constexpr std::uint64_t kDefaultHolds = 2 * kSecond;
constexpr std::uint64_t kRefusalHolds = 60 * kSecond;

// Never 0.
std::uint64_t key_of(std::uint64_t device, std::string_view folder) {
  constexpr std::uint64_t kOdd = 0x9e37'79b9'7f4a'7c15;  // spreads the device's few bits
  return (path::hash(folder) ^ device * kOdd) | 1;
}

// One folder, the last: of whoever finds it free. (It may be held for ever, by a thread that a fork left
// behind: then each asks for itself.)
struct LastDefault {
  std::atomic<bool> busy{false};
  std::uint64_t key = 0;
  std::uint64_t until = 0;  // CLOCK_MONOTONIC, ns
  int error = 0;
  layout::FolderDefault value;
};
constinit LastDefault last;

struct Refusal {
  std::atomic<std::uint64_t> key{0};
  std::atomic<std::uint64_t> until{0};
  std::atomic<int> error{0};
};
constinit std::array<Refusal, 64> refusals{};

Refusal& place_of(std::uint64_t key) { return refusals[(key >> 1) % refusals.size()]; }

}  // namespace

int default_of(const layout::Backend& backend, std::uint64_t device, std::string_view folder,
               layout::FolderDefault& out) {
  const path::Path name(folder);
  if (last.busy.exchange(true, std::memory_order_acquire)) return backend.folder_default(name.c_str(), out);
  const std::uint64_t key = key_of(device, folder), now = clock::monotonic_ns();
  if (last.key != key || now >= last.until) {
    last.value = {};
    last.error = backend.folder_default(name.c_str(), last.value);
    last.key = key;
    last.until = now + kDefaultHolds;
  }
  const int error = last.error;
  out = last.value;
  last.busy.store(false, std::memory_order_release);
  return error;
}

std::uint64_t place_of(std::uint64_t file_system, std::string_view pool) {
  if (file_system == 0 && pool.empty()) return 0;
  constexpr std::uint64_t kExact = (std::uint64_t{1} << 53) - 1;  // what every reader of JSON keeps
  return (key_of(file_system, pool) & kExact) | 1;
}

int refusal_of(std::uint64_t device, std::string_view folder) {
  const std::uint64_t key = key_of(device, folder);
  const Refusal& one = place_of(key);
  if (one.key.load(std::memory_order_acquire) != key) return 0;
  return clock::monotonic_ns() < one.until.load(std::memory_order_relaxed)
             ? one.error.load(std::memory_order_relaxed)
             : 0;
}

void note_refusal(std::uint64_t device, std::string_view folder, int error) {
  if (error != EACCES && error != EPERM && error != EOPNOTSUPP && error != ENOSYS) return;
  const std::uint64_t key = key_of(device, folder);
  Refusal& one = place_of(key);
  one.until.store(clock::monotonic_ns() + kRefusalHolds, std::memory_order_relaxed);
  one.error.store(error, std::memory_order_relaxed);
  one.key.store(key, std::memory_order_release);
}

}  // namespace toto::policy::folders
