// SPDX-License-Identifier: BSD-3-Clause
#include "stripe_mount.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdlib>

namespace toto::testing {
namespace {

constexpr int kPatience = 1000;  // times 10 ms

// Another device than the folder above: mounted.
bool is_mounted(const std::string& point) {
  struct stat here {};
  struct stat above {};
  return stat(point.c_str(), &here) == 0 && stat((point + "/..").c_str(), &above) == 0 &&
         here.st_dev != above.st_dev;
}

}  // namespace

StripeMount::StripeMount(const std::vector<std::string>& options) {
  char folder[] = "/tmp/toto-stripefs-XXXXXX";
  if (mkdtemp(folder) == nullptr) return;
  chmod(folder, 0755);
  point_ = folder;
  const pid_t parent = getpid();
  daemon_ = fork();
  if (daemon_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(1);
    std::vector<std::string> words = {STRIPEFS, "--foreground", "--rate", "0"};
    words.insert(words.end(), options.begin(), options.end());
    words.push_back(point_);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  for (int i = 0; i < kPatience && daemon_ > 0; ++i) {
    int status = 0;
    if (waitpid(daemon_, &status, WNOHANG) == daemon_) {
      daemon_ = -1;
      status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
      return;
    }
    if (is_mounted(point_)) {
      ok_ = true;
      return;
    }
    usleep(10'000);
  }
}

StripeMount::~StripeMount() {
  if (daemon_ > 0) {
    kill(daemon_, SIGTERM);
    int status = 0;
    int waited = 0;
    while (waitpid(daemon_, &status, WNOHANG) == 0 && waited < kPatience) {
      usleep(10'000);
      if (++waited == kPatience) kill(daemon_, SIGKILL);
    }
  }
  if (!point_.empty()) rmdir(point_.c_str());
}

void StripeMount::fail(const std::string& faults) const {
  ASSERT_EQ(setxattr(point_.c_str(), "stripefs.fail", faults.data(), faults.size(), 0), 0) << faults;
}

}  // namespace toto::testing
