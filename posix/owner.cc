// SPDX-License-Identifier: BSD-3-Clause
// What becomes of our memory: vfork and clone are wrapped to know that it is lent.
#pragma GCC diagnostic ignored "-Wignored-attributes"

#include "posix/owner.h"

#include <sched.h>
#include <unistd.h>

#include <cstdarg>

#include "core/signature.h"
#include "core/start_up.h"
#include "core/sys.h"
#include "posix/next.h"
#include "posix/undeclared.h"

namespace toto::posix {

namespace detail {
constinit thread_local bool vforked = false;
constinit std::atomic<bool> memory_is_lent{false};

bool is_child() {
  if (!is_noted_process()) return true;
  vforked = false;  // the parent, which goes on when the child has gone
  return false;
}
}  // namespace detail

namespace {

TOTO_SET_AT_START(owner) constinit std::atomic<int> owner = 0;

using Vfork = pid_t();
using Clone = int(int (*)(void*), void*, int, void*, ...);
constinit Next<"vfork", Vfork> next_vfork;
constinit Next<"__vfork", Vfork> next___vfork;
constinit Next<"clone", Clone> next_clone;
constinit Next<"__clone", Clone> next___clone;

// Another process, in our memory or in a copy of it that no handler of fork has put right.
void note_clone(int flags) {
  if ((flags & CLONE_THREAD) == 0) detail::memory_is_lent.store(true, std::memory_order_relaxed);
}

}  // namespace

TOTO_AT_START bool is_noted_process() { return sys::getpid() == owner.load(std::memory_order_relaxed); }
TOTO_AT_START void note_process() { owner.store(sys::getpid(), std::memory_order_relaxed); }

}  // namespace toto::posix

// vfork returns twice, to its caller's frame: nothing of ours may lie on the stack when it is called, so that
// the wrapper is a jump, which no compiler promises to make of a call.
extern "C" __attribute__((used)) void* toto_before_vfork() {
  toto::posix::detail::vforked = true;
  return reinterpret_cast<void*>(toto::posix::next_vfork.get());
}
extern "C" __attribute__((used)) void* toto_before___vfork() {
  toto::posix::detail::vforked = true;
  return reinterpret_cast<void*>(toto::posix::next___vfork.get());
}
#if defined(__x86_64__)
#define TOTO_JUMP(name)                    \
  asm(".pushsection .text\n"               \
      ".globl " #name                      \
      "\n"                                 \
      ".type " #name ", @function\n" #name \
      ":\n"                                \
      ".cfi_startproc\n"                   \
      "endbr64\n"                          \
      "subq $8, %rsp\n"                    \
      ".cfi_adjust_cfa_offset 8\n"         \
      "call toto_before_" #name            \
      "\n"                                 \
      "addq $8, %rsp\n"                    \
      ".cfi_adjust_cfa_offset -8\n"        \
      "jmp *%rax\n"                        \
      ".cfi_endproc\n"                     \
      ".size " #name ", . - " #name        \
      "\n"                                 \
      ".popsection\n");
#elif defined(__aarch64__)
#define TOTO_JUMP(name)                    \
  asm(".pushsection .text\n"               \
      ".globl " #name                      \
      "\n"                                 \
      ".type " #name ", %function\n" #name \
      ":\n"                                \
      ".cfi_startproc\n"                   \
      "bti c\n"                            \
      "stp x29, x30, [sp, #-16]!\n"        \
      ".cfi_adjust_cfa_offset 16\n"        \
      "bl toto_before_" #name              \
      "\n"                                 \
      "ldp x29, x30, [sp], #16\n"          \
      ".cfi_adjust_cfa_offset -16\n"       \
      "mov x16, x0\n"                      \
      "br x16\n"                           \
      ".cfi_endproc\n"                     \
      ".size " #name ", . - " #name        \
      "\n"                                 \
      ".popsection\n");
#else
#error "vfork is wrapped by a jump, which is written here for x86-64 and aarch64"
#endif
TOTO_JUMP(vfork)
TOTO_JUMP(__vfork)

// The last three arguments are pointers, of which the kernel reads those that the flags name.
#define TOTO_CLONE(name)                                                                              \
  extern "C" TOTO_EXPORT int name(int (*function)(void*), void* stack, int flags, void* argument,     \
                                  ...) noexcept {                                                     \
    va_list rest;                                                                                     \
    va_start(rest, argument);                                                                         \
    void* parent_id = va_arg(rest, void*);                                                            \
    void* thread_memory = va_arg(rest, void*);                                                        \
    void* child_id = va_arg(rest, void*);                                                             \
    va_end(rest);                                                                                     \
    toto::posix::note_clone(flags);                                                                   \
    return toto::posix::next_##name.get()(function, stack, flags, argument, parent_id, thread_memory, \
                                          child_id);                                                  \
  }
TOTO_CLONE(clone)
TOTO_CLONE(__clone)
