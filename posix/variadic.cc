// SPDX-License-Identifier: BSD-3-Clause
// open and fcntl in their forms, and the ends of a process that run no destructors. The optional
// argument is fetched only where the call has one: open's mode with O_CREAT and O_TMPFILE; fcntl's as glibc
// itself does it, as a pointer whatever it is. decltype of a libc function carries attributes (nonnull, ...)
// that do not matter in a template argument.
#pragma GCC diagnostic ignored "-Wignored-attributes"

#include <cstdarg>

#include "core/signature.h"
#include "core/start_up.h"
#include "posix/handlers.h"
#include "posix/next.h"
#include "posix/start.h"
#include "posix/undeclared.h"

namespace toto::posix {
namespace {

#define TOTO_CALL(count, name, handler)
#define TOTO_FORMATTED(name)
#define TOTO_CHILD(name)
#define TOTO_VARIADIC(name) TOTO_SET_AT_START(next) constinit Next<#name, decltype(::name)> next_##name;
#define TOTO_END(name) TOTO_SET_AT_START(next) constinit Next<#name, void(int)> next_##name;
#include "posix/calls.def"
#undef TOTO_CALL
#undef TOTO_FORMATTED
#undef TOTO_CHILD
#undef TOTO_VARIADIC
#undef TOTO_END

bool has_mode(int flags) { return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; }

template <class Next>
int control(Next next, int fd, int command, void* argument) {
  const int result = next(fd, command, argument);
  if (result >= 0 && (command == F_DUPFD || command == F_DUPFD_CLOEXEC)) duplicate(fd, result);
  if (result >= 0 && command == F_GETFL) {
    if (const Description* open = find(fd); open != nullptr && open->added_nofollow)
      return result & ~O_NOFOLLOW;
  }
  return result;
}

}  // namespace

}  // namespace toto::posix

using namespace toto::posix;  // NOLINT(google-build-using-namespace): the bodies below are all of it

#define TOTO_MODE_ARGUMENT       \
  mode_t mode = 0;               \
  if (has_mode(flags)) {         \
    va_list rest;                \
    va_start(rest, flags);       \
    mode = va_arg(rest, mode_t); \
    va_end(rest);                \
  }

#define TOTO_OPEN(name)                                                            \
  extern "C" TOTO_EXPORT int name(const char* path, int flags, ...) {              \
    TOTO_MODE_ARGUMENT                                                             \
    return open_file(AT_FDCWD, path, flags, mode,                                  \
                     [&](int now) { return next_##name.get()(path, now, mode); }); \
  }
TOTO_OPEN(open)
TOTO_OPEN(open64)

namespace toto::posix {
int open_instead(const char* path, int flags, mode_t mode) { return next_open.get()(path, flags, mode); }
}  // namespace toto::posix

#define TOTO_OPENAT(name)                                                               \
  extern "C" TOTO_EXPORT int name(int dir, const char* path, int flags, ...) {          \
    TOTO_MODE_ARGUMENT                                                                  \
    return open_file(dir, path, flags, mode,                                            \
                     [&](int now) { return next_##name.get()(dir, path, now, mode); }); \
  }
TOTO_OPENAT(openat)
TOTO_OPENAT(openat64)

#define TOTO_FCNTL(name)                                      \
  extern "C" TOTO_EXPORT int name(int fd, int command, ...) { \
    va_list rest;                                             \
    va_start(rest, command);                                  \
    void* argument = va_arg(rest, void*);                     \
    va_end(rest);                                             \
    return control(next_##name.get(), fd, command, argument); \
  }
TOTO_FCNTL(fcntl)
TOTO_FCNTL(fcntl64)

extern "C" TOTO_EXPORT void _exit(int code) {
  toto::posix::end_process();
  toto::posix::next__exit.get()(code);
  __builtin_unreachable();
}
extern "C" TOTO_EXPORT void _Exit(int code) noexcept {
  toto::posix::end_process();
  toto::posix::next__Exit.get()(code);
  __builtin_unreachable();
}
