// SPDX-License-Identifier: BSD-3-Clause
//
// Control, observation, faults, and that time really passes as modelled.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "lustre.h"
#include "testing_mount.h"

namespace toto::stripefs::testing {
namespace {

constexpr std::size_t kMebi = 1 << 20;

// A structure of stripe count and size 1 MiB, by bytes.
std::string Lov(char count) {
  std::string bytes("\xd0\x0b\xd1\x0b\x01", 5);
  bytes.resize(lustre::kSizeV1);
  bytes[26] = 0x10;
  bytes[28] = count;
  bytes[30] = bytes[31] = '\xff';
  return bytes;
}

std::string Bare(const Mount& mount, const std::string& name) {
  const std::string path = mount.path(name);
  EXPECT_EQ(mknod(path.c_str(), S_IFREG | 0644, 0), 0);
  return path;
}

char Count(const std::string& path) { return GetAttribute(path, "lustre.lov").at(28); }

class Control : public ::testing::Test {
 protected:
  Mount mount_{{"--targets", "4", "--rate", "0"}};
};

TEST_F(Control, AllDialectsTogetherShowAsStripefs) { EXPECT_EQ(MountTypeAt(mount_.path()), "fuse.stripefs"); }

TEST_F(Control, CountsReadsAndWritesAndForgetsThemOnReset) {
  ASSERT_EQ(WriteFile(mount_.path("f"), kMebi), 0);
  {
    const Fd file(mount_.path("f"), O_RDONLY);
    std::string buffer(2 * kMebi, '\0');
    EXPECT_EQ(pread(file.get(), buffer.data(), buffer.size(), 0), static_cast<ssize_t>(kMebi));
  }
  EXPECT_EQ(mount_.Written(), (std::vector<std::uint64_t>{kMebi, 0, 0, 0}));
  EXPECT_EQ(mount_.Read(), (std::vector<std::uint64_t>{kMebi, 0, 0, 0}));
  ASSERT_EQ(SetAttribute(mount_.path(), "stripefs.reset", "1"), 0);
  EXPECT_EQ(mount_.Written(), (std::vector<std::uint64_t>(4)));
  EXPECT_EQ(mount_.Total("makespan_ms"), 0);
}

TEST_F(Control, RatesAndLatencyCanBeChangedAndRead) {
  EXPECT_EQ(GetAttribute(mount_.path(), "stripefs.rate"), "0,0,0,0");
  EXPECT_EQ(SetAttribute(mount_.path(), "stripefs.rate", "10,20,30,0.5"), 0);
  EXPECT_EQ(GetAttribute(mount_.path(), "stripefs.rate"), "10,20,30,0.5");
  EXPECT_EQ(SetAttribute(mount_.path(), "stripefs.rate", "40"), 0);
  EXPECT_EQ(GetAttribute(mount_.path(), "stripefs.rate"), "40,40,40,40");
  for (const char* bad : {"1,2", "fast", "", "-1", "1,2,3,"}) {
    EXPECT_EQ(SetAttribute(mount_.path(), "stripefs.rate", bad), EINVAL) << bad;
  }
  EXPECT_EQ(SetAttribute(mount_.path(), "stripefs.latency", "500"), 0);
  EXPECT_EQ(GetAttribute(mount_.path(), "stripefs.latency"), "500");
}

TEST_F(Control, LivesOnTheRootOnly) {
  ASSERT_EQ(mkdir(mount_.path("d").c_str(), 0755), 0);
  EXPECT_EQ(GetAttributeError(mount_.path("d"), "stripefs.stats"), ENODATA);
  EXPECT_EQ(SetAttribute(mount_.path("d"), "stripefs.reset", "1"), ENODATA);
}

TEST_F(Control, AFilesLayoutIsShownWhateverTheDialect) {
  const std::string path = Bare(mount_, "f");
  ASSERT_EQ(SetAttribute(path, "lustre.lov", Lov(2)), 0);
  EXPECT_EQ(GetAttribute(path, "stripefs.layout"),
            "start=0 end=eof unit=1048576 count=2 object_size=0 targets=0,1\n");
}

TEST_F(Control, FaultsAreInjectedUntilTakenBack) {
  const std::string fail = "stripefs.fail";
  const std::string path = Bare(mount_, "f");
  ASSERT_EQ(SetAttribute(mount_.path(), fail, "setlayout=EACCES,create=EDQUOT"), 0);
  EXPECT_EQ(SetAttribute(path, "lustre.lov", Lov(2)), EACCES);
  EXPECT_EQ(Fd(mount_.path("g"), O_WRONLY | O_CREAT).error(), EDQUOT);
  ASSERT_EQ(SetAttribute(mount_.path(), fail, "setlayout=NOOP"), 0);
  EXPECT_EQ(SetAttribute(path, "lustre.lov", Lov(2)), 0);
  EXPECT_EQ(GetAttributeError(path, "lustre.lov"), ENODATA);
  ASSERT_EQ(SetAttribute(mount_.path(), fail, "clip=2"), 0);
  EXPECT_EQ(SetAttribute(path, "lustre.lov", Lov(4)), 0);
  EXPECT_EQ(Count(path), 2);
  ASSERT_EQ(SetAttribute(mount_.path(), fail, ""), 0);
  EXPECT_EQ(Fd(mount_.path("g"), O_WRONLY | O_CREAT).error(), 0);
  EXPECT_EQ(SetAttribute(mount_.path(), fail, "nonsense"), EINVAL);
}

TEST(Lenient, LetsAFileWithoutDataHaveAnotherLayout) {
  const Mount mount({"--targets", "4", "--rate", "0", "--lenient"});
  const std::string path = Bare(mount, "f");
  ASSERT_EQ(SetAttribute(path, "lustre.lov", Lov(2)), 0);
  ASSERT_EQ(SetAttribute(path, "lustre.lov", Lov(4)), 0);
  EXPECT_EQ(Count(path), 4);
  ASSERT_EQ(WriteFile(path, 1), 0);
  ASSERT_EQ(SetAttribute(path, "lustre.lov", Lov(1)), 0);
  EXPECT_EQ(Count(path), 4);
}

TEST(Throttle, MoreStripesTakeLessTime) {
  const Mount mount({"--targets", "8", "--rate", "10"});
  const auto seconds = [&](const std::string& name, char count) {
    const std::string path = Bare(mount, name);
    EXPECT_EQ(SetAttribute(path, "lustre.lov", Lov(count)), 0);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(WriteFile(path, 8 * kMebi), 0);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const double narrow = seconds("narrow", 1);
  EXPECT_GE(narrow, 0.79);
  // A busy machine only ever adds time: the best of a few shows what the model does.
  double wide = narrow;
  for (const char* name : {"wide1", "wide2", "wide3"}) wide = std::min(wide, seconds(name, 8));
  EXPECT_GE(wide, 0.099);
  EXPECT_GT(narrow / wide, 3.0);
}

TEST(Locks, CountHandoversBetweenProcesses) {
  const Mount mount({"--targets", "1", "--rate", "0", "--locks", "1"});
  const std::string path = mount.path("f");
  ASSERT_EQ(WriteFile(path, 100), 0);
  EXPECT_EQ(mount.Total("handovers"), 0);
  const int other = AsUser(
      0, [](const std::string& name) { return WriteFile(name, 100); }, path);
  EXPECT_EQ(other, 0);
  EXPECT_EQ(mount.Total("handovers"), 1);
  EXPECT_GE(mount.Total("lock_wait_ms"), 1);
}

}  // namespace
}  // namespace toto::stripefs::testing
