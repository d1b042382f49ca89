// SPDX-License-Identifier: BSD-3-Clause
// Memory that stays for the life of the process, taken from the kernel by mmap(2): usable in a signal
// handler and before the program's allocator is ready. Nothing is ever given back.
#pragma once

#include <cstddef>
#include <string_view>

namespace toto {

// Zeroed memory, aligned to 64 bytes; nullptr when the kernel has none. Large areas cost nothing until
// touched.
[[nodiscard]] void* keep_memory(std::size_t bytes);

// The same, but shared with the children that this process forks later.
[[nodiscard]] void* keep_shared_memory(std::size_t bytes);

// A copy of `text`, NUL-terminated; empty when there is no memory.
[[nodiscard]] std::string_view keep_text(std::string_view text);

}  // namespace toto
