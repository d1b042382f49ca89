// SPDX-License-Identifier: BSD-3-Clause
// Mapped<T>: one T in pages of its own, given back at the end of the scope. For what is too big for the stack
// of a small thread (16 KiB) in a library that may not allocate. Not initialised where T's default
// initialisation does nothing.
#pragma once

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <new>
#include <type_traits>

namespace toto::layout {

template <typename T>
class Mapped {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  // By system call, as mmap's name in libc is wrapped by this very library.
  Mapped() {
    const long address =
        ::syscall(SYS_mmap, nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);
    if (address != -1) object_ = ::new (reinterpret_cast<void*>(address)) T;
  }
  ~Mapped() {
    if (object_ != nullptr) ::syscall(SYS_munmap, object_, sizeof(T));
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  [[nodiscard]] bool ok() const { return object_ != nullptr; }
  T& operator*() { return *object_; }
  T* operator->() { return object_; }

 private:
  T* object_ = nullptr;
};

}  // namespace toto::layout
