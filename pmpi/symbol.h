// SPDX-License-Identifier: BSD-3-Clause
// Functions of the MPI library, found at run time: this library refers to no symbol of an MPI, so that it can
// be preloaded into anything and loads no MPI by itself. Resolved at the first use; a missing one is asked
// again next time (MPI may be loaded later, with RTLD_LOCAL).
#pragma once

#include <atomic>

#include "core/call_name.h"

namespace toto::pmpi {

// The next definition of `name` after this library; else, where MPI was loaded with RTLD_LOCAL, the one in
// the MPI library that is found among the loaded objects. nullptr: there is none (yet).
[[nodiscard]] void* find_symbol(const char* name);

// The same for a variable. An executable that names one holds the live one itself (copy relocation), so that
// the next one after us is a dead original: the one that the whole process uses comes first.
[[nodiscard]] void* find_variable(const char* name);

template <CallName name, class F>
class Symbol {
 public:
  static F* get() {
    F* function = function_.load(std::memory_order_relaxed);
    if (function == nullptr) [[unlikely]] {
      function = reinterpret_cast<F*>(find_symbol(name.text));
      function_.store(function, std::memory_order_relaxed);
    }
    return function;
  }

 private:
  static constinit inline std::atomic<F*> function_{nullptr};
};

template <CallName name>
class Variable {
 public:
  static void* get() {
    void* variable = variable_.load(std::memory_order_relaxed);
    if (variable == nullptr) [[unlikely]] {
      variable = find_variable(name.text);
      variable_.store(variable, std::memory_order_relaxed);
    }
    return variable;
  }

 private:
  static constinit inline std::atomic<void*> variable_{nullptr};
};

}  // namespace toto::pmpi
