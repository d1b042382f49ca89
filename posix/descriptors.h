// SPDX-License-Identifier: BSD-3-Clause
// The table from descriptor to open file description, and what is known of each description.
//
// Fixed two-level arrays: looking up a descriptor of no interest costs two loads and a branch, and nothing
// is ever unmapped, so that a thread that uses a descriptor while another closes it reads old data at worst.
// Descriptors made by dup(2) share one description, as in the kernel.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "core/registry.h"

namespace toto::hints::targets {
class Watch;
}

namespace toto::posix {

struct Description {
  std::atomic<std::uint32_t> references{0};  // descriptors; 0: free
  std::atomic<std::uint32_t> next_free{0};
  File* file = nullptr;
  bool append = false;
  bool added_nofollow = false;             // O_NOFOLLOW is of our making: not to be seen
  std::atomic<std::uint64_t> position{0};  // as far as we saw it move
  std::atomic<std::uint64_t> last_start{0};
  std::atomic<std::uint64_t> last_end{0};
  std::atomic<std::int64_t> last_stride{0};
  // What the last data call was: 0 none, 1 read, 2 write. With kByMpi, if it was opened by MPI-IO: all that
  // is done with it is MPI-IO's, even in MPI_Wait.
  std::atomic<std::uint8_t> state{0};
  static constexpr std::uint8_t kByMpi = 4;
  // With kWatched, whose data calls go to `watch` too. (So these, and those of MPI-IO, leave the usual path
  // by one and the same branch.)
  static constexpr std::uint8_t kWatched = 8;
  std::atomic<hints::targets::Watch*> watch{nullptr};
};

inline constexpr std::size_t kPage = 1024;   // descriptors a page
inline constexpr std::size_t kPages = 1024;  // up to 2^20 descriptors; higher ones are not watched

namespace detail {
using Page = std::array<std::atomic<Description*>, kPage>;
extern constinit std::array<std::atomic<Page*>, kPages> pages;
}  // namespace detail

// The description of a watched descriptor, else nullptr.
inline Description* find(int fd) {
  const auto number = static_cast<unsigned>(fd);
  if (number >= kPage * kPages) [[unlikely]] {
    return nullptr;
  }
  const detail::Page* page = detail::pages[number / kPage].load(std::memory_order_acquire);
  if (page == nullptr) return nullptr;
  return (*page)[number % kPage].load(std::memory_order_acquire);
}

// A new description for `fd`; what the number stood for before is dropped. nullptr: no memory, not watched.
Description* open_descriptor(int fd, File& file);
// `to` becomes another descriptor of what `from` stands for (which may be of no interest).
void duplicate(int from, int to);
// Forgets `fd`; the last descriptor of a description frees it. Returns the file when it was watched; `last`:
// that it was the last one, and that the caller will stop its measuring.
File* forget(int fd, bool* last = nullptr);
// A file was closed by the last of its descriptors: what it reached is known.
void stop_measuring(File& file);
// Forgets every descriptor in [first, last].
void forget_range(unsigned first, unsigned last);

}  // namespace toto::posix
