// SPDX-License-Identifier: BSD-3-Clause
// A mounted stripefs of eight targets that answers as one file system does, and a fresh folder in it for
// every test. What a file got is asked of stripefs itself too ("stripefs.layout"), so that reading and
// setting cannot be wrong alike.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "hints/layout/create.h"
#include "stripe_mount.h"

namespace toto::layout {

namespace fs = std::filesystem;
using ::toto::testing::StripeMount;

inline constexpr std::uint64_t kKiB = 1024;
inline constexpr std::uint64_t kMiB = 1024 * kKiB;
inline constexpr std::uint32_t kTargets = 8;

inline std::string attribute(const std::string& path, const char* name) {
  char text[8192];
  const ssize_t size = getxattr(path.c_str(), name, text, sizeof(text));
  return size < 0 ? "" : std::string(text, static_cast<std::size_t>(size));
}

// A file system that answers as `dialect`, and a fresh folder in it for every test.
class OnStripefs : public ::testing::Test {
 protected:
  // `backend`: where it is not the dialect's.
  static void mount(const std::string& dialect, const std::string& backend = {}) {
    mount_ = std::make_unique<StripeMount>(
        std::vector<std::string>{"--dialect", dialect, "--targets", std::to_string(kTargets)});
    ASSERT_TRUE(mount_->ok()) << mount_->status();
    backend_ = by_name(backend.empty() ? dialect : backend);
    ASSERT_NE(backend_, nullptr);
  }
  static void TearDownTestSuite() { mount_.reset(); }

  OnStripefs() {
    umask(022);
    static int number = 0;
    name_ = "folder" + std::to_string(number++);
    fs::create_directory(folder());
    asked().count = 4;
    asked().size = kMiB;
  }
  ~OnStripefs() override {
    mount_->fail("");
    for (const std::string& name : files()) {
      EXPECT_EQ(name.find(".toto-"), std::string::npos) << "left behind: " << name;
    }
  }

  [[nodiscard]] std::string folder() const { return mount_->path(name_); }
  [[nodiscard]] std::string path(const std::string& name = "out") const { return folder() + "/" + name; }
  Layout& asked() { return outcome_.asked; }
  [[nodiscard]] const Layout& obtained() const { return outcome_.obtained; }
  Created make(const std::string& name = "out", mode_t mode = 0666) {
    return create(*backend_, path(name).c_str(), mode, outcome_);
  }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder())) names.push_back(entry.path().filename());
    return names;
  }
  // What stripefs says of the first part of a file: "start=0 end=eof unit=1048576 count=4 ...".
  [[nodiscard]] std::string told(const std::string& name = "out") const {
    return attribute(path(name), "stripefs.layout");
  }
  [[nodiscard]] struct stat info(const std::string& name = "out") const {
    struct stat out {};
    EXPECT_EQ(stat(path(name).c_str(), &out), 0);
    return out;
  }
  // Ceph's layouts are placed by the first write.
  void write_some(const std::string& name = "out", std::size_t size = 1) const {
    const int fd = open(path(name).c_str(), O_WRONLY);
    ASSERT_GE(fd, 0);
    const std::vector<char> data(size, 'x');
    EXPECT_EQ(write(fd, data.data(), size), static_cast<ssize_t>(size));
    close(fd);
  }

  static std::unique_ptr<StripeMount> mount_;
  static const Backend* backend_;
  std::string name_;
  Outcome outcome_;
};

}  // namespace toto::layout
