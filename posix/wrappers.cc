// SPDX-License-Identifier: BSD-3-Clause
// The exported wrappers, made from posix/calls.def: each calls its handler with the next definition.
// decltype of a libc function carries attributes (nonnull, ...) that do not matter in a template argument.
#pragma GCC diagnostic ignored "-Wignored-attributes"
// Programs call what a header advises against, too.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

// glibc's headers define some of these calls inline in optimised builds: here they are defined as what they
// are.
#include <features.h>
#undef __USE_EXTERN_INLINES

#include "core/signature.h"
#include "core/start_up.h"
#include "posix/folders.h"
#include "posix/handlers.h"
#include "posix/mappings.h"
#include "posix/next.h"
#include "posix/start.h"
#include "posix/stdio.h"
#include "posix/transfers.h"
#include "posix/undeclared.h"

// Some of these names are macros in their headers.
#undef getc
#undef putc
#undef getc_unlocked
#undef putc_unlocked
#undef fgetc_unlocked
#undef fputc_unlocked
#undef putchar
#undef putchar_unlocked
#undef stat64
#undef fstat64
#undef lstat64
#undef fstatat64

namespace toto::posix {

#define TOTO_VARIADIC(name)
#define TOTO_END(name)
#define TOTO_FORMATTED(name)
#define TOTO_CHILD(name)

#define TOTO_CALL(count, name, handler) using Next_##name = NextFor<#name, decltype(::name)>::Type;
#include "posix/calls.def"
#undef TOTO_CALL

}  // namespace toto::posix

#define TOTO_UNPAREN(...) __VA_ARGS__
#define TOTO_CALL(count, name, handler)                                                                 \
  extern "C" TOTO_EXPORT toto::ResultOf<decltype(::name)> name(                                         \
      TOTO_PARAMETERS(count, decltype(::name))) noexcept(toto::Signature<decltype(::name)>::kNothrow) { \
    using namespace toto;                                                                               \
    using namespace toto::posix;                                                                        \
    return TOTO_UNPAREN handler::call(Next_##name::get(), TOTO_NAMES(count));                           \
  }
#include "posix/calls.def"
