// SPDX-License-Identifier: BSD-3-Clause
#include "core/aside.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

namespace toto {
namespace {

TEST(Aside, WorkThatIsDoneInTimeIsSeen) {
  static std::atomic<int> result{0};
  EXPECT_TRUE(run_aside([](void* what) { *static_cast<std::atomic<int>*>(what) = 7; }, &result, 10));
  EXPECT_EQ(result, 7);
}

TEST(Aside, WorkThatHangsIsLeftToItself) {
  static std::atomic<bool> ended{false};
  EXPECT_FALSE(run_aside(
      [](void* what) {
        ::sleep(3);
        *static_cast<std::atomic<bool>*>(what) = true;
      },
      &ended, 1));
  EXPECT_FALSE(ended);
}

TEST(Aside, TheThreadTakesNoSignalOfTheProgram) {
  static std::atomic<bool> blocked{false};
  EXPECT_TRUE(run_aside(
      [](void* what) {
        sigset_t now;
        pthread_sigmask(SIG_SETMASK, nullptr, &now);
        *static_cast<std::atomic<bool>*>(what) =
            sigismember(&now, SIGUSR1) == 1 && sigismember(&now, SIGALRM) == 1;
      },
      &blocked, 10));
  EXPECT_TRUE(blocked);
}

}  // namespace
}  // namespace toto
