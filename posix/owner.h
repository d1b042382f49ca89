// SPDX-License-Identifier: BSD-3-Clause
// Whose memory this is. A child of vfork runs in its parent's until it ends or becomes another program: what
// it opens and closes is its own affair, and must not change what is known of the parent's descriptors.
#pragma once

#include <atomic>

namespace toto::posix {

namespace detail {
// On this thread vfork was called, and nobody has looked since whether this is the child or the parent.
extern constinit thread_local bool vforked;
// Some child was made by clone(2).
extern constinit std::atomic<bool> memory_is_lent;
[[nodiscard]] bool is_child();
}  // namespace detail

// True in a child that shares our memory. Costs a system call only where there may be one.
[[nodiscard, gnu::always_inline]] inline bool shares_memory_with_parent() {
  if (!detail::vforked && !detail::memory_is_lent.load(std::memory_order_relaxed)) [[likely]]
    return false;
  return detail::is_child();
}

// Whether this is the process that note_process() noted: a child that was made by the bare system call is
// not, either.
[[nodiscard]] bool is_noted_process();
// At start and in forked children.
void note_process();

}  // namespace toto::posix
