// SPDX-License-Identifier: BSD-3-Clause
//
// Nobody hangs and no dead mount stays, whoever is killed.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "testing_mount.h"

namespace toto::stripefs::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t kMebi = 1 << 20;

// A process that writes and writes, until a write fails (its exit code) or it is killed.
pid_t StartWriter(const std::string& path) {
  const pid_t child = fork();
  if (child == 0) {
    const Fd file(path, O_WRONLY | O_CREAT);
    for (off_t at = 0;; at += kMebi) {
      const int error = WriteBytes(file.get(), kMebi, at);
      if (error != 0) _exit(error);
    }
  }
  std::this_thread::sleep_for(milliseconds(150));
  return child;
}

// Milliseconds until the process is gone.
double Reap(pid_t child, int* status) {
  const auto start = steady_clock::now();
  waitpid(child, status, 0);
  return std::chrono::duration<double, std::milli>(steady_clock::now() - start).count();
}

bool Gone(const Mount& mount) {
  for (int i = 0; i < 500 && mount.mounted(); ++i) std::this_thread::sleep_for(milliseconds(10));
  return !mount.mounted();
}

const std::vector<std::string> kSlow = {"--targets", "2", "--rate", "10"};

TEST(Robustness, AKilledWriterGoesSoonAndTheMountStaysUsable) {
  Mount mount(kSlow);
  const pid_t writer = StartWriter(mount.path("f"));
  kill(writer, SIGKILL);
  int status = 0;
  EXPECT_LT(Reap(writer, &status), 2000);
  EXPECT_EQ(WriteFile(mount.path("g"), 100), 0);
  EXPECT_EQ(umount(mount.path().c_str()), 0);
  EXPECT_EQ(mount.WaitForDaemon(), 0);
}

TEST(Robustness, MetadataAnswersWhileWritersWait) {
  Mount mount(kSlow);
  std::vector<pid_t> writers;
  for (int i = 0; i < 8; ++i) writers.push_back(StartWriter(mount.path("f" + std::to_string(i))));
  const auto start = steady_clock::now();
  EXPECT_EQ(mkdir(mount.path("d").c_str(), 0755), 0);
  EXPECT_LT(steady_clock::now() - start, milliseconds(100));
  for (const pid_t writer : writers) kill(writer, SIGKILL);
  int status = 0;
  for (const pid_t writer : writers) Reap(writer, &status);
}

TEST(Robustness, UnmountOfABusyMountIsRefusedAndLazyUnmountWorks) {
  Mount mount(kSlow);
  {
    const Fd file(mount.path("f"), O_RDWR | O_CREAT);
    EXPECT_EQ(umount(mount.path().c_str()), -1);
    EXPECT_EQ(errno, EBUSY);
    EXPECT_EQ(umount2(mount.path().c_str(), MNT_DETACH), 0);
    EXPECT_EQ(WriteBytes(file.get(), 100, 0), 0);
  }
  EXPECT_EQ(mount.WaitForDaemon(), 0);
}

TEST(Robustness, TerminateUnmountsAndFreesTheWriters) {
  Mount mount(kSlow);
  const pid_t writer = StartWriter(mount.path("f"));
  kill(mount.daemon(), SIGTERM);
  EXPECT_EQ(mount.WaitForDaemon(), 0);
  EXPECT_TRUE(Gone(mount));
  int status = 0;
  EXPECT_LT(Reap(writer, &status), 2000);
  EXPECT_TRUE(WIFEXITED(status));
}

TEST(Robustness, AKilledDaemonLeavesNoMountBehind) {
  Mount mount(kSlow);
  const pid_t writer = StartWriter(mount.path("f"));
  kill(mount.daemon(), SIGKILL);
  EXPECT_EQ(mount.WaitForDaemon(), -SIGKILL);
  int status = 0;
  EXPECT_LT(Reap(writer, &status), 2000);
  EXPECT_TRUE(Gone(mount));
}

TEST(Robustness, RepliesDueLaterAreSentBeforeTheEnd) {
  // A rate at which the second write would wait for a minute.
  Mount mount({"--targets", "1", "--rate", "0.017"});
  const pid_t writer = StartWriter(mount.path("f"));
  kill(mount.daemon(), SIGTERM);
  EXPECT_EQ(mount.WaitForDaemon(), 0);
  int status = 0;
  EXPECT_LT(Reap(writer, &status), 2000);
}

TEST(Daemon, LeavesTheScriptAndIsMountedByThen) {
  std::string directory = "/tmp/stripefs.XXXXXX";
  ASSERT_NE(mkdtemp(directory.data()), nullptr);
  // The shell's $(...) waits for everybody who holds its pipe: the daemon must not.
  const std::string command = "out=$(" STRIPEFS_PROGRAM " --rate 0 " + directory + " 2>&1) && echo x > " +
                              directory + "/f && umount " + directory;
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(MountTypeAt(directory), "");
  EXPECT_EQ(rmdir(directory.c_str()), 0);
}

TEST(CommandLine, WrongUseIsSaidAndRefused) {
  const auto status = [](const std::string& options) {
    const int result = std::system((STRIPEFS_PROGRAM " " + options + " 2>/dev/null >/dev/null").c_str());
    return WIFEXITED(result) ? WEXITSTATUS(result) : -1;
  };
  EXPECT_EQ(status("--help"), 0);
  EXPECT_EQ(status(""), 2);
  EXPECT_EQ(status("--dialect gpfs /tmp"), 2);
  EXPECT_EQ(status("--dirty 64K /tmp"), 2);
  EXPECT_EQ(status("--targets 0 /tmp"), 2);
  EXPECT_EQ(status("--rate 1,2 /tmp"), 2);
  EXPECT_EQ(status("/nonexistent/place"), 1);
}

}  // namespace
}  // namespace toto::stripefs::testing
