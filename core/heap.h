// SPDX-License-Identifier: BSD-3-Clause
// An object on the program's heap, for code that runs inside collective MPI calls only (never on the data
// path). By malloc and free: operator new would bring the C++ library's exceptions into every preloaded
// process.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

namespace toto {

template <class T>
class Heap {
 public:
  // Empty when there is no memory.
  template <class... A>
  static Heap make(A&&... arguments) {
    void* memory = std::malloc(sizeof(T));
    return Heap(memory != nullptr ? ::new (memory) T(std::forward<A>(arguments)...) : nullptr);
  }
  Heap() = default;
  Heap(Heap&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Heap& operator=(Heap&&) = delete;
  ~Heap() { destroy(object_); }

  [[nodiscard]] T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  T* release() { return std::exchange(object_, nullptr); }

  static void destroy(T* object) {
    if (object == nullptr) return;
    object->~T();
    std::free(object);
  }

 private:
  explicit Heap(T* object) : object_(object) {}
  T* object_ = nullptr;
};

// For what one rank must not lack while the others have it, or they would wait for it: some objects are kept
// for the time when there is no memory. Put it into static storage.
template <class T, std::size_t count>
class Reserve {
 public:
  // nullptr: these are used up, too.
  T* take() {
    if (T* object = Heap<T>::make().release()) return object;
    for (std::size_t i = 0; i < count; ++i) {
      if (!used_[i].exchange(true)) return ::new (memory_.data() + i * sizeof(T)) T();
    }
    return nullptr;
  }
  void give_back(T* object) {
    for (std::size_t i = 0; i < count; ++i) {
      if (reinterpret_cast<std::byte*>(object) != memory_.data() + i * sizeof(T)) continue;
      object->~T();
      used_[i] = false;
      return;
    }
    Heap<T>::destroy(object);
  }

 private:
  std::array<std::atomic<bool>, count> used_{};
  alignas(T) std::array<std::byte, count * sizeof(T)> memory_{};
};

}  // namespace toto
