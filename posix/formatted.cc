// SPDX-License-Identifier: BSD-3-Clause
// Calls that format or scan: their arguments can only be handed on as a list, so that the next definition of
// the form that takes one is called, with the same checks. glibc's headers give some of these names to other
// symbols, by the language of the build: here each is said to be itself.
#pragma GCC diagnostic ignored "-Wignored-attributes"

#include <features.h>
#undef __USE_EXTERN_INLINES

#include <cstdarg>

#include "core/signature.h"
#include "posix/handlers.h"
#include "posix/next.h"
#include "posix/stdio.h"
#include "posix/undeclared.h"

using namespace toto::posix;  // NOLINT(google-build-using-namespace): the bodies below are all of it

// `call` is what is done with the list `rest`, which starts behind the argument `last`.
#define TOTO_DEFINE_FORMATTED(name, parameters, last, call)     \
  extern "C" TOTO_EXPORT int toto_##name parameters asm(#name); \
  extern "C" TOTO_EXPORT int toto_##name parameters {           \
    va_list rest;                                               \
    va_start(rest, last);                                       \
    const auto result = static_cast<int>(call);                 \
    va_end(rest);                                               \
    return result;                                              \
  }
#define TOTO_NEXT(name) (NextFor<#name, decltype(::name)>::Type::get())

// The name vfscanf is given to another symbol by the header, too.
extern "C" TOTO_EXPORT int toto_vfscanf(FILE* stream, const char* format, va_list rest) asm("vfscanf");

namespace {
auto* next_vfscanf() { return NextFor<"vfscanf", int(FILE*, const char*, va_list)>::Type::get(); }
}  // namespace

extern "C" TOTO_EXPORT int toto_vfscanf(FILE* stream, const char* format, va_list rest) {
  return StreamScan::call(next_vfscanf(), stream, format, rest);
}
extern "C" TOTO_EXPORT int vprintf(const char* format, va_list rest) {
  return StreamFormat::call(TOTO_NEXT(vfprintf), stdout, format, rest);
}
extern "C" TOTO_EXPORT int __vprintf_chk(int flag, const char* format, va_list rest) {
  return StreamFormat::call(TOTO_NEXT(__vfprintf_chk), stdout, flag, format, rest);
}

TOTO_DEFINE_FORMATTED(fprintf, (FILE * stream, const char* format, ...), format,
                      StreamFormat::call(TOTO_NEXT(vfprintf), stream, format, rest))
TOTO_DEFINE_FORMATTED(__fprintf_chk, (FILE * stream, int flag, const char* format, ...), format,
                      StreamFormat::call(TOTO_NEXT(__vfprintf_chk), stream, flag, format, rest))
TOTO_DEFINE_FORMATTED(printf, (const char* format, ...), format,
                      StreamFormat::call(TOTO_NEXT(vfprintf), stdout, format, rest))
TOTO_DEFINE_FORMATTED(__printf_chk, (int flag, const char* format, ...), format,
                      StreamFormat::call(TOTO_NEXT(__vfprintf_chk), stdout, flag, format, rest))
TOTO_DEFINE_FORMATTED(dprintf, (int fd, const char* format, ...), format,
                      Data<Access::kWrite>::call(TOTO_NEXT(vdprintf), fd, format, rest))
TOTO_DEFINE_FORMATTED(__dprintf_chk, (int fd, int flag, const char* format, ...), format,
                      Data<Access::kWrite>::call(TOTO_NEXT(__vdprintf_chk), fd, flag, format, rest))
TOTO_DEFINE_FORMATTED(fscanf, (FILE * stream, const char* format, ...), format,
                      StreamScan::call(next_vfscanf(), stream, format, rest))
TOTO_DEFINE_FORMATTED(__isoc99_fscanf, (FILE * stream, const char* format, ...), format,
                      StreamScan::call(TOTO_NEXT(__isoc99_vfscanf), stream, format, rest))
TOTO_DEFINE_FORMATTED(__isoc23_fscanf, (FILE * stream, const char* format, ...), format,
                      StreamScan::call(TOTO_NEXT(__isoc23_vfscanf), stream, format, rest))
