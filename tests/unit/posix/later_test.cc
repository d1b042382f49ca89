// SPDX-License-Identifier: BSD-3-Clause
#include "posix/later.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "core/call_name.h"

namespace toto::posix {
namespace {

constexpr const char* kNames[] = {
#define TOTO_CALL(count, name, handler) #name,
#define TOTO_FORMATTED(name) #name,
#define TOTO_VARIADIC(name) #name,
#define TOTO_END(name) #name,
#define TOTO_CHILD(name) #name,
#include "posix/calls.def"
#undef TOTO_CALL
#undef TOTO_FORMATTED
#undef TOTO_VARIADIC
#undef TOTO_END
#undef TOTO_CHILD
};

TEST(Later, EveryWrappedCallIsFoundWhereDlsymFindsIt) {
  Later later;
  later.look();
  for (const char* name : kNames) {
    void* expected = ::dlsym(RTLD_NEXT, name);
    EXPECT_EQ(later.find_or_ask(name, symbol_hash(name)), expected) << name;
    // Not by asking dlsym, which is what it costs less than.
    EXPECT_EQ(later.find(name, symbol_hash(name)), expected) << name;
  }
}

TEST(Later, WhatNobodyDefinesIsNotFound) {
  Later later;
  later.look();
  EXPECT_EQ(later.find("no_such_call", symbol_hash("no_such_call")), nullptr);
  EXPECT_EQ(later.find_or_ask("no_such_call", symbol_hash("no_such_call")), nullptr);
}

TEST(Later, WhatIsNoPlainFunctionIsLeftToDlsym) {
  Later later;
  later.look();
  EXPECT_EQ(later.find("memcpy", symbol_hash("memcpy")), nullptr) << "chosen at run time";
  EXPECT_EQ(later.find_or_ask("memcpy", symbol_hash("memcpy")), ::dlsym(RTLD_NEXT, "memcpy"));
  EXPECT_EQ(later.find("environ", symbol_hash("environ")), nullptr) << "a variable";
}

TEST(Later, OfSeveralVersionsTheDefaultIsTaken) {
  Later later;
  later.look();
  // Old and new: pthread_cond_wait@GLIBC_2.2.5 and @@GLIBC_2.3.2; where a libc has one, it is that.
  EXPECT_EQ(later.find_or_ask("pthread_cond_wait", symbol_hash("pthread_cond_wait")),
            ::dlsym(RTLD_NEXT, "pthread_cond_wait"));
}

}  // namespace
}  // namespace toto::posix
