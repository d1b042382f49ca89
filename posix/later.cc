// SPDX-License-Identifier: BSD-3-Clause
#include "posix/later.h"

#include <dlfcn.h>

#include <atomic>
#include <cstring>

#include "core/start_up.h"

namespace toto::posix {
namespace {

constexpr const char* kLibc = "libc.so.6";

// The dynamic linker has added the object's address to the pointers in it, but where it may not write (the
// vDSO).
template <class T>
const T* pointer(ElfW(Addr) base, ElfW(Addr) value) {
  return reinterpret_cast<const T*>(value < base ? base + value : value);
}

const ElfW(Dyn) * dynamic_section(const dl_phdr_info& info) {
  for (std::size_t i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info.dlpi_phdr[i];
    if (part.p_type == PT_DYNAMIC) return reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + part.p_vaddr);
  }
  return nullptr;
}

}  // namespace

TOTO_AT_START int Later::note(dl_phdr_info* info, std::size_t, void* later) {
  auto& self = *static_cast<Later*>(later);
  const ElfW(Dyn)* dynamic = dynamic_section(*info);
  if (!self.behind_us_) {
    self.behind_us_ = dynamic == _DYNAMIC;
    return 0;
  }
  Object object{info->dlpi_addr, nullptr, nullptr, nullptr, nullptr};
  ElfW(Addr) name = 0;
  bool interposes = false;  // it comes before us, whatever the order here
  for (; dynamic != nullptr && dynamic->d_tag != DT_NULL; ++dynamic) {
    const ElfW(Addr) value = dynamic->d_un.d_ptr;
    if (dynamic->d_tag == DT_GNU_HASH) object.hash_table = pointer<std::uint32_t>(object.base, value);
    if (dynamic->d_tag == DT_SYMTAB) object.symbols = pointer<ElfW(Sym)>(object.base, value);
    if (dynamic->d_tag == DT_STRTAB) object.strings = pointer<char>(object.base, value);
    if (dynamic->d_tag == DT_VERSYM) object.versions = pointer<ElfW(Half)>(object.base, value);
    if (dynamic->d_tag == DT_SONAME) name = value;
    interposes = interposes || (dynamic->d_tag == DT_FLAGS_1 && (value & DF_1_INTERPOSE) != 0);
  }
  const bool understood = !interposes && object.hash_table != nullptr && object.hash_table[0] != 0 &&
                          object.symbols != nullptr && object.strings != nullptr;
  if (!understood || self.count_ == self.objects_.size()) return 1;  // no further
  self.objects_[self.count_++] = object;
  self.met_libc_ = name != 0 && std::strcmp(object.strings + name, kLibc) == 0;
  return self.met_libc_ && self.stops_at_libc_ ? 1 : 0;
}

TOTO_AT_START void Later::look() { ::dl_iterate_phdr(note, this); }

TOTO_AT_START bool Later::look_until_libc() {
  stops_at_libc_ = true;
  look();
  return met_libc_;
}

TOTO_AT_START bool Later::Object::defines(std::size_t index, const char* name) const {
  const ElfW(Sym)& symbol = symbols[index];
  // Only the default version of several has the bit clear; that is the one which dlsym takes.
  constexpr unsigned kHiddenVersion = 0x8000;
  return symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0 &&
         (versions == nullptr || (versions[index] & kHiddenVersion) == 0) &&
         std::strcmp(strings + symbol.st_name, name) == 0;
}

// The table: number of buckets, first symbol, words in the filter (a power of two), shift; filter; buckets; a
// hash a symbol, whose last bit marks the end of a bucket.
TOTO_AT_START const ElfW(Sym) * Later::Object::find(const char* name, std::uint32_t hash) const {
  const std::uint32_t bucket_count = hash_table[0], first = hash_table[1], words = hash_table[2];
  constexpr unsigned kBits = sizeof(ElfW(Addr)) * 8;
  const auto* filter = reinterpret_cast<const ElfW(Addr)*>(hash_table + 4);
  const ElfW(Addr) word = filter[hash / kBits & (words - 1)];
  if ((word >> (hash % kBits) & word >> ((hash >> hash_table[3]) % kBits) & 1U) == 0) return nullptr;
  const auto* buckets = reinterpret_cast<const std::uint32_t*>(filter + words);
  const std::uint32_t* hashes = buckets + bucket_count;
  std::size_t index = buckets[hash % bucket_count];
  if (index < first) return nullptr;  // an empty bucket
  for (;; ++index) {
    const std::uint32_t one = hashes[index - first];
    if ((one | 1U) == (hash | 1U) && defines(index, name)) return &symbols[index];
    if ((one & 1U) != 0) return nullptr;
  }
}

TOTO_AT_START void* Later::find(const char* name, std::uint32_t hash) const {
  for (std::size_t i = 0; i < count_; ++i) {
    const ElfW(Sym)* symbol = objects_[i].find(name, hash);
    if (symbol == nullptr) continue;
    // What is chosen at run time (STT_GNU_IFUNC), or is no function at all, is left to dlsym.
    const unsigned type = symbol->st_info & 0xfU;
    if (type != STT_FUNC && type != STT_NOTYPE) return nullptr;
    return reinterpret_cast<void*>(objects_[i].base + symbol->st_value);
  }
  return nullptr;
}

TOTO_AT_START void* Later::find_or_ask(const char* name, std::uint32_t hash) const {
  void* found = find(name, hash);
  return found != nullptr ? found : ::dlsym(RTLD_NEXT, name);
}

namespace {
TOTO_SET_AT_START(later) constinit Later kept;
TOTO_SET_AT_START(has_later) constinit std::atomic<bool> is_kept{false};
}  // namespace

TOTO_AT_START void look_at_later() { is_kept.store(kept.look_until_libc(), std::memory_order_release); }

[[gnu::cold]] void* find_next(const char* name, std::uint32_t hash) {
  if (is_kept.load(std::memory_order_acquire)) return kept.find_or_ask(name, hash);
  Later later;
  later.look();
  return later.find_or_ask(name, hash);
}

}  // namespace toto::posix
