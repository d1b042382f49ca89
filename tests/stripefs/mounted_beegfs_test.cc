// SPDX-License-Identifier: BSD-3-Clause
//
// BeeGFS's ioctls, through the kernel.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "beegfs.h"
#include "testing_mount.h"

namespace toto::stripefs::testing {
namespace {

constexpr std::size_t kMebi = 1 << 20;

struct MakeFile {
  const char* name;
  unsigned mode;
  unsigned targets;
  unsigned chunk;
};

struct StripeInfo {
  unsigned pattern;
  unsigned chunk;
  std::uint16_t targets;
};

int Make(const std::string& directory, const char* name, unsigned targets, unsigned chunk,
         unsigned mode = 0666) {
  const Fd fd(directory, O_RDONLY | O_DIRECTORY);
  MakeFile request{name, mode, targets, chunk};
  return ioctl(fd.get(), beegfs::kMakeFile, &request) == 0 ? 0 : errno;
}

StripeInfo Info(const std::string& path) {
  const Fd fd(path, O_RDONLY);
  StripeInfo info{};
  EXPECT_EQ(ioctl(fd.get(), beegfs::kGetStripeInfo, &info), 0);
  return info;
}

class Beegfs : public ::testing::Test {
 protected:
  Mount mount_{{"--targets", "4", "--rate", "0", "--dialect", "beegfs", "--default-count", "2"}};
};

TEST_F(Beegfs, ShowsItselfByMountTypeAndIdentity) {
  EXPECT_EQ(MountTypeAt(mount_.path()), "fuse.beegfs");
  const Fd root(mount_.path(), O_RDONLY | O_DIRECTORY);
  char identity[16] = {};
  ASSERT_EQ(ioctl(root.get(), beegfs::kTestIsBeegfs, identity), 0);
  EXPECT_STREQ(identity, "_FhGFS_");
}

TEST_F(Beegfs, AFileIsMadeWithTheHintsAndTheBytesFollow) {
  ASSERT_EQ(Make(mount_.path(), "f", 3, kMebi), 0);
  const StripeInfo info = Info(mount_.path("f"));
  EXPECT_EQ(info.pattern, 1U);
  EXPECT_EQ(info.chunk, kMebi);
  EXPECT_EQ(info.targets, 3);
  ASSERT_EQ(WriteFile(mount_.path("f"), 3 * kMebi), 0);
  EXPECT_EQ(mount_.Written(), (std::vector<std::uint64_t>{kMebi, kMebi, kMebi, 0}));
}

TEST_F(Beegfs, ZeroMeansTheDefaultAndAllOnesMeansAll) {
  ASSERT_EQ(Make(mount_.path(), "f", 0, 0), 0);
  EXPECT_EQ(Info(mount_.path("f")).targets, 2);
  EXPECT_EQ(Info(mount_.path("f")).chunk, kMebi);
  ASSERT_EQ(Make(mount_.path(), "g", ~0U, 0), 0);
  EXPECT_EQ(Info(mount_.path("g")).targets, 4);
}

TEST_F(Beegfs, CreationIsExclusiveAndChecksItsArguments) {
  ASSERT_EQ(Make(mount_.path(), "f", 1, 0), 0);
  EXPECT_EQ(Make(mount_.path(), "f", 1, 0), EEXIST);
  EXPECT_EQ(Make(mount_.path(), "g", 1, 100000), EINVAL);
  EXPECT_EQ(Make(mount_.path(), "a/b", 1, 0), EINVAL);
  EXPECT_EQ(Make(mount_.path(), nullptr, 1, 0), EFAULT);
  const Fd file(mount_.path("f"), O_RDONLY);
  MakeFile request{"g", 0644, 1, 0};
  EXPECT_EQ(ioctl(file.get(), beegfs::kMakeFile, &request), -1);
  EXPECT_EQ(errno, ENOTDIR);
}

TEST_F(Beegfs, TheFileIsSeenAtOnceByAnOpenThatMayCreate) {
  EXPECT_EQ(Fd(mount_.path("f"), O_RDWR).error(), ENOENT);
  ASSERT_EQ(Make(mount_.path(), "f", 4, 0), 0);
  EXPECT_EQ(Fd(mount_.path("f"), O_RDWR | O_CREAT | O_EXCL).error(), EEXIST);
  EXPECT_EQ(Fd(mount_.path("f"), O_RDWR | O_CREAT).error(), 0);
  EXPECT_EQ(Info(mount_.path("f")).targets, 4);
}

TEST_F(Beegfs, TheUmaskOfTheCallerApplies) {
  const mode_t before = umask(027);
  EXPECT_EQ(Make(mount_.path(), "f", 1, 0, 0666), 0);
  umask(before);
  struct stat attributes {};
  ASSERT_EQ(stat(mount_.path("f").c_str(), &attributes), 0);
  EXPECT_EQ(attributes.st_mode & 07777U, 0640U);
}

int MakeAsUser(const std::string& directory) { return Make(directory, "f", 1, 0); }

TEST_F(Beegfs, WritePermissionOnTheDirectoryIsNeeded) {
  EXPECT_EQ(AsUser(65534, MakeAsUser, mount_.path()), EACCES);
  ASSERT_EQ(mkdir(mount_.path("d").c_str(), 0755), 0);
  ASSERT_EQ(chmod(mount_.path("d").c_str(), 0777), 0);
  EXPECT_EQ(AsUser(65534, MakeAsUser, mount_.path("d")), 0);
  struct stat attributes {};
  ASSERT_EQ(stat(mount_.path("d/f").c_str(), &attributes), 0);
  EXPECT_EQ(attributes.st_uid, 65534U);
}

TEST_F(Beegfs, EveryTargetOfAFileCanBeAskedFor) {
  ASSERT_EQ(Make(mount_.path(), "f", 2, 0), 0);
  const Fd file(mount_.path("f"), O_RDONLY);
  std::string buffer(262, '\0');
  buffer[0] = 1;
  ASSERT_EQ(ioctl(file.get(), beegfs::kGetStripeTarget, buffer.data()), 0);
  EXPECT_STREQ(buffer.c_str() + 6, "storage2");
  buffer[0] = 2;
  EXPECT_EQ(ioctl(file.get(), beegfs::kGetStripeTarget, buffer.data()), -1);
  EXPECT_EQ(errno, EINVAL);
}

TEST_F(Beegfs, DirectoriesHaveNoStripeInfo) {
  const Fd root(mount_.path(), O_RDONLY | O_DIRECTORY);
  StripeInfo info{};
  EXPECT_EQ(ioctl(root.get(), beegfs::kGetStripeInfo, &info), -1);
  EXPECT_EQ(errno, EISDIR);
}

}  // namespace
}  // namespace toto::stripefs::testing
