// SPDX-License-Identifier: BSD-3-Clause
// The objects that were loaded after this library: where the next definitions of its calls are.
//
// Most calls are resolved at start: a first use may be in a signal handler, in a vfork child, or in a thread
// that somebody waits for inside dlopen, and dlsym takes the dynamic linker's lock. But a hundred and more of
// dlsym is most of what the library adds to the start of a program. This asks the same tables at a tenth of
// the cost, and holds a lock only as long as the list of objects is read: rare calls are resolved so at their
// first use.
#pragma once

#include <link.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace toto::posix {

class Later {
 public:
  // Looks at what is loaded now. For constructors: objects that come later are not seen, one that goes would
  // be.
  Later();

  // What dlsym(RTLD_NEXT, name) gives; nullptr: ask dlsym itself. `hash` is symbol_hash(name).
  [[nodiscard]] void* find(const char* name, std::uint32_t hash) const;
  // The same, and dlsym asked where it must be.
  [[nodiscard]] void* find_or_ask(const char* name, std::uint32_t hash) const;

 private:
  struct Object {
    ElfW(Addr) base;
    const std::uint32_t* hash_table;
    const ElfW(Sym) * symbols;
    const char* strings;
    const ElfW(Half) * versions;

    [[nodiscard]] const ElfW(Sym) * find(const char* name, std::uint32_t hash) const;
    [[nodiscard]] bool defines(std::size_t index, const char* name) const;
  };

  static int note(dl_phdr_info* info, std::size_t, void* later);

  // In the order in which they are asked, as far as they are understood and there is room: what is in none of
  // these is left to dlsym.
  std::array<Object, 64> objects_;
  std::size_t count_ = 0;
  bool behind_us_ = false;
};

// The same for one call, at its first use.
[[nodiscard]] void* find_next(const char* name, std::uint32_t hash);

}  // namespace toto::posix
