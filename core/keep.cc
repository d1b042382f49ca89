// SPDX-License-Identifier: BSD-3-Clause
#include "core/keep.h"

#include <sys/mman.h>

#include <atomic>
#include <cstring>

#include "core/start_up.h"
#include "core/sys.h"

namespace toto {
namespace {

TOTO_AT_START void* map(std::size_t bytes, int sharing = MAP_PRIVATE) {
  const sys::KeepErrno keep;
  const long at = ::syscall(SYS_mmap, nullptr, bytes, PROT_READ | PROT_WRITE,
                            sharing | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0L);
  return at == -1 ? nullptr : reinterpret_cast<void*>(at);
}

// Small texts share one area; what does not fit gets an area of its own.
constexpr std::size_t kTextArea = 64 * 1024;
TOTO_SET_AT_START(text_area) constinit std::atomic<char*> text_area{nullptr};
TOTO_SET_AT_START(text_used) constinit std::atomic<std::size_t> text_used{0};

}  // namespace

void* keep_memory(std::size_t bytes) { return map(bytes); }
void* keep_shared_memory(std::size_t bytes) { return map(bytes, MAP_SHARED); }

TOTO_AT_START std::string_view keep_text(std::string_view text) {
  char* area = text_area.load(std::memory_order_acquire);
  if (area == nullptr) {
    char* fresh = static_cast<char*>(map(kTextArea));
    if (fresh == nullptr) return {};
    if (text_area.compare_exchange_strong(area, fresh)) area = fresh;
  }
  const std::size_t at = text_used.fetch_add(text.size() + 1);
  char* to = at + text.size() + 1 <= kTextArea ? area + at : static_cast<char*>(map(text.size() + 1));
  if (to == nullptr) return {};
  std::memcpy(to, text.data(), text.size());
  return {to, text.size()};
}

}  // namespace toto
