// SPDX-License-Identifier: BSD-3-Clause
// What std::string_view::substr calls for a position beyond the end. The library is built without exceptions,
// and libstdc++'s own version would bring 400 KiB of exception handling and a thousand relocations into every
// preloaded process. Linked into the shared library only.
#include <cstdlib>

namespace std {
[[noreturn]] __attribute__((visibility("hidden"))) void __throw_out_of_range_fmt(const char*, ...);
void __throw_out_of_range_fmt(const char*, ...) { abort(); }
}  // namespace std

// Never called: abstract classes refer to it.
extern "C" [[noreturn]] __attribute__((visibility("hidden"))) void __cxa_pure_virtual() { abort(); }
