// SPDX-License-Identifier: BSD-3-Clause
// The objects that were loaded after this library: where the next definitions of its calls are.
//
// A next definition is found by the first call, which may be in a signal handler, in a vfork child, or in a
// thread that somebody waits for inside dlopen: no place for dlsym, which takes the dynamic linker's lock. At
// the start of every program, on the other hand, two hundred of dlsym would be most of what the library adds.
// So the start only notes where the tables of names are, of the objects from here to libc, which stay as long
// as the program; and the first call asks these tables, by memory alone.
#pragma once

#include <link.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace toto::posix {

class Later {
 public:
  constexpr Later() = default;
  // Notes what is loaded now, as far as it is understood. An object that comes later is not seen, one that
  // goes would be.
  void look();
  // The same, but not beyond libc; false: libc was not met, and what was noted may go. So it is where this
  // library was not loaded at the start.
  bool look_until_libc();

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
  std::array<Object, 64> objects_{};
  std::size_t count_ = 0;
  bool behind_us_ = false;
  bool stops_at_libc_ = false;
  bool met_libc_ = false;
};

// For the library's constructor.
void look_at_later();
// One call's, at its first use.
[[nodiscard]] void* find_next(const char* name, std::uint32_t hash);

}  // namespace toto::posix
