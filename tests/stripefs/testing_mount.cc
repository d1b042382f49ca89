// SPDX-License-Identifier: BSD-3-Clause
#include "testing_mount.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace toto::stripefs::testing {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kPatience(10000);
constexpr milliseconds kPause(2);
constexpr int kNoFuse = 77;

template <typename Condition>
bool WaitUntil(const Condition& condition) {
  const auto deadline = steady_clock::now() + kPatience;
  while (!condition()) {
    if (steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

pid_t Spawn(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    execv(argv.front(), argv.data());
    _exit(127);
  }
  return child;
}

}  // namespace

std::string MountTypeAt(const std::string& path) {
  std::ifstream mounts("/proc/self/mounts");
  std::string type;
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream fields(line);
    std::string source, where, what;
    fields >> source >> where >> what;
    if (where == path) type = what;
  }
  return type;
}

Mount::Mount(std::vector<std::string> options) {
  std::string name = std::filesystem::temp_directory_path() / "stripefs.XXXXXX";
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = std::filesystem::canonical(name);
  std::vector<std::string> words = {STRIPEFS_PROGRAM, "--foreground"};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(path_);
  daemon_ = Spawn(words);
  // Usable once the root answers, not only listed.
  struct stat attributes {};
  if (!WaitUntil([&] { return mounted() && stat(path_.c_str(), &attributes) == 0; })) {
    throw std::runtime_error("stripefs did not mount");
  }
}

Mount::~Mount() {
  for (int i = 0; mounted() && i < 10; ++i) umount2(path_.c_str(), MNT_DETACH);
  if (!reaped_ && !WaitForDaemon()) {
    ADD_FAILURE() << "the daemon does not end after the unmount";
    kill(daemon_, SIGKILL);
    waitpid(daemon_, nullptr, 0);
  }
  rmdir(path_.c_str());
}

bool Mount::mounted() const { return !MountTypeAt(path_).empty(); }

std::optional<int> Mount::WaitForDaemon() {
  int status = 0;
  if (!WaitUntil([&] { return waitpid(daemon_, &status, WNOHANG) == daemon_; })) return std::nullopt;
  reaped_ = true;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::vector<std::uint64_t> Mount::PerTarget(const std::string& key) const {
  std::vector<std::uint64_t> values;
  std::istringstream stats(GetAttribute(path_, "stripefs.stats"));
  for (std::string line; std::getline(stats, line);) {
    if (line.find("\"target\":") == std::string::npos) continue;
    values.push_back(std::stoull(line.substr(line.find("\"" + key + "\":") + key.size() + 3)));
  }
  return values;
}

std::vector<std::uint64_t> Mount::Written() const { return PerTarget("written"); }

std::vector<std::uint64_t> Mount::Read() const { return PerTarget("read"); }

double Mount::Total(const std::string& name) const {
  const std::string stats = GetAttribute(path_, "stripefs.stats");
  return std::stod(stats.substr(stats.rfind("\"" + name + "\":") + name.size() + 3));
}

int SetAttribute(const std::string& path, const std::string& name, const std::string& value, int flags) {
  return setxattr(path.c_str(), name.c_str(), value.data(), value.size(), flags) == 0 ? 0 : errno;
}

int RemoveAttribute(const std::string& path, const std::string& name) {
  return removexattr(path.c_str(), name.c_str()) == 0 ? 0 : errno;
}

std::string GetAttribute(const std::string& path, const std::string& name, int* error) {
  std::string value(65536, '\0');
  const ssize_t size = getxattr(path.c_str(), name.c_str(), value.data(), value.size());
  if (error != nullptr) *error = size < 0 ? errno : 0;
  value.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  return value;
}

int GetAttributeError(const std::string& path, const std::string& name) {
  int error = 0;
  GetAttribute(path, name, &error);
  return error;
}

Fd::Fd(const std::string& path, int flags, mode_t mode)
    : fd_(open(path.c_str(), flags, mode)), error_(fd_ < 0 ? errno : 0) {}

Fd::~Fd() {
  if (fd_ >= 0) close(fd_);
}

int WriteBytes(int fd, std::size_t size, off_t offset) {
  const std::string data(size, 'x');
  const ssize_t put = pwrite(fd, data.data(), size, offset);
  return put == static_cast<ssize_t>(size) ? 0 : errno;
}

int WriteFile(const std::string& path, std::size_t size) {
  const Fd file(path, O_WRONLY | O_CREAT);
  return file.error() != 0 ? file.error() : WriteBytes(file.get(), size, 0);
}

int AsUser(uid_t user, int (*body)(const std::string&), const std::string& argument) {
  const pid_t child = fork();
  if (child == 0) {
    if (setgid(user) != 0 || setuid(user) != 0) _exit(255);
    _exit(body(argument));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace toto::stripefs::testing

// Where there is no FUSE these tests prove nothing; CTest takes this exit code for "skipped".
int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const int fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
  if (fuse < 0) {
    std::fprintf(stderr, "cannot open /dev/fuse: %s; skipped\n", std::strerror(errno));
    return toto::stripefs::testing::kNoFuse;
  }
  close(fuse);
  return RUN_ALL_TESTS();
}
