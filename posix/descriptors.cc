// SPDX-License-Identifier: BSD-3-Clause
#include "posix/descriptors.h"

#include <algorithm>
#include <new>

#include "core/keep.h"
#include "core/process.h"
#include "hints/own_files.h"
#include "hints/targets.h"
#include "posix/owner.h"

namespace toto::posix {

namespace detail {
constinit std::array<std::atomic<Page*>, kPages> pages{};
}

namespace {

// Free descriptions: a stack of indices with a tag against reuse between load and exchange. Index 0 is none.
constexpr std::uint32_t kChunk = 1024;
constinit std::array<std::atomic<Description*>, 1024> chunks{};
constinit std::atomic<std::uint32_t> made{1};
constinit std::atomic<std::uint64_t> free_list{0};  // tag << 32 | index

Description* by_index(std::uint32_t index) {
  std::atomic<Description*>& chunk = chunks[index / kChunk];
  Description* memory = chunk.load(std::memory_order_acquire);
  if (memory == nullptr) {
    auto* fresh = static_cast<Description*>(keep_memory(sizeof(Description) * kChunk));
    if (fresh == nullptr) return nullptr;
    if (chunk.compare_exchange_strong(memory, fresh)) memory = fresh;
  }
  return memory + index % kChunk;
}

std::uint32_t index_of(const Description& description) {
  for (std::uint32_t i = 0; i < chunks.size(); ++i) {
    const Description* memory = chunks[i].load(std::memory_order_acquire);
    if (memory == nullptr) break;
    if (&description >= memory && &description < memory + kChunk) {
      return i * kChunk + static_cast<std::uint32_t>(&description - memory);
    }
  }
  return 0;
}

Description* take() {
  std::uint64_t head = free_list.load(std::memory_order_acquire);
  while ((head & 0xffff'ffffU) != 0) {
    Description* first = by_index(static_cast<std::uint32_t>(head));
    const std::uint64_t next = ((head >> 32) + 1) << 32 | first->next_free.load(std::memory_order_relaxed);
    if (free_list.compare_exchange_weak(head, next, std::memory_order_acq_rel)) return first;
  }
  const std::uint32_t index = made.fetch_add(1);
  if (index >= kChunk * chunks.size()) {
    made.fetch_sub(1);
    return nullptr;
  }
  return by_index(index);
}

void give_back(Description& description) {
  const std::uint32_t index = index_of(description);
  std::uint64_t head = free_list.load(std::memory_order_relaxed);
  std::uint64_t next;
  do {
    description.next_free.store(static_cast<std::uint32_t>(head), std::memory_order_relaxed);
    next = ((head >> 32) + 1) << 32 | index;
  } while (!free_list.compare_exchange_weak(head, next, std::memory_order_acq_rel));
}

std::atomic<Description*>* entry(int fd, bool make) {
  const auto number = static_cast<unsigned>(fd);
  if (number >= kPage * kPages) return nullptr;
  std::atomic<detail::Page*>& slot = detail::pages[number / kPage];
  detail::Page* page = slot.load(std::memory_order_acquire);
  if (page == nullptr) {
    if (!make) return nullptr;
    void* memory = keep_memory(sizeof(detail::Page));
    if (memory == nullptr) return nullptr;
    if (slot.compare_exchange_strong(page, static_cast<detail::Page*>(memory))) {
      page = static_cast<detail::Page*>(memory);
    }
  }
  return &(*page)[number % kPage];
}

// True: nobody has it any more.
bool release(Description& description) {
  if (description.references.fetch_sub(1, std::memory_order_acq_rel) != 1) return false;
  if (hints::targets::Watch* const watch = description.watch.exchange(nullptr); watch != nullptr)
    hints::targets::end(*watch);
  give_back(description);
  return true;
}

void drop(Description& description) {
  File& file = *description.file;
  if (release(description)) stop_measuring(file);
}

}  // namespace

void stop_measuring(File& file) {
  // A file of MPI-IO's is ended by the wrapper of MPI_File_close.
  if (hints::own_files::any_open() && !process::inside_mpi() && is_noted_process())
    hints::own_files::ended(file);
}

Description* open_descriptor(int fd, File& file) {
  std::atomic<Description*>* slot = entry(fd, true);
  if (slot == nullptr) return nullptr;
  Description* fresh = take();
  if (fresh == nullptr) return nullptr;
  fresh->file = &file;
  fresh->append = fresh->added_nofollow = false;
  fresh->position = 0;
  fresh->last_start = fresh->last_end = 0;
  fresh->last_stride = 0;
  fresh->state = 0;
  fresh->watch = nullptr;
  fresh->references.store(1, std::memory_order_release);
  if (Description* old = slot->exchange(fresh, std::memory_order_acq_rel)) drop(*old);
  return fresh;
}

void duplicate(int from, int to) {
  if (from == to) return;
  Description* description = find(from);
  std::atomic<Description*>* slot = entry(to, description != nullptr);
  if (slot == nullptr) return;
  if (description == nullptr && slot->load(std::memory_order_relaxed) == nullptr) return;
  if (shares_memory_with_parent()) return;
  // A description that another thread has just freed is nobody's any more.
  if (description != nullptr) {
    std::uint32_t count = description->references.load(std::memory_order_relaxed);
    while (count != 0 &&
           !description->references.compare_exchange_weak(count, count + 1, std::memory_order_acq_rel)) {
    }
    if (count == 0) description = nullptr;
  }
  if (Description* old = slot->exchange(description, std::memory_order_acq_rel)) drop(*old);
}

File* forget(int fd, bool* last) {
  if (find(fd) == nullptr || shares_memory_with_parent()) return nullptr;
  std::atomic<Description*>* slot = entry(fd, false);
  Description* old = slot->exchange(nullptr, std::memory_order_acq_rel);
  if (old == nullptr) return nullptr;
  File* file = old->file;
  if (last != nullptr) {
    *last = release(*old);
  } else {
    drop(*old);
  }
  return file;
}

void forget_range(unsigned first, unsigned last) {
  const auto end = static_cast<unsigned>(std::min<std::uint64_t>(std::uint64_t{last} + 1, kPage * kPages));
  for (unsigned fd = first; fd < end; ++fd) {
    if (detail::pages[fd / kPage].load(std::memory_order_acquire) == nullptr) {
      fd |= kPage - 1;  // the whole page is of no interest
      continue;
    }
    forget(static_cast<int>(fd));
  }
}

}  // namespace toto::posix
