// SPDX-License-Identifier: BSD-3-Clause
//
// The rules of CephFS's layouts, through the kernel.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>

#include "testing_mount.h"

namespace toto::stripefs::testing {
namespace {

constexpr std::size_t kMebi = 1 << 20;
constexpr char kFile[] = "ceph.file.layout";
constexpr char kDirectory[] = "ceph.dir.layout";

class Ceph : public ::testing::Test {
 protected:
  Mount mount_{{"--targets", "4", "--rate", "0", "--dialect", "ceph"}};

  std::string Empty(const std::string& name) {
    const Fd file(mount_.path(name), O_WRONLY | O_CREAT);
    return mount_.path(name);
  }
};

TEST_F(Ceph, ShowsItselfByMountType) { EXPECT_EQ(MountTypeAt(mount_.path()), "fuse.ceph-fuse"); }

TEST_F(Ceph, ANewFileHasTheDefaults) {
  EXPECT_EQ(GetAttribute(Empty("f"), kFile),
            "stripe_unit=4194304 stripe_count=1 object_size=4194304 pool=data");
}

TEST_F(Ceph, SingleFieldsAreCheckedAgainstThePresentOnes) {
  const std::string path = Empty("f");
  EXPECT_EQ(SetAttribute(path, "ceph.file.layout.object_size", "1048576"), EINVAL);
  EXPECT_EQ(SetAttribute(path, "ceph.file.layout.stripe_unit", "1048576"), 0);
  EXPECT_EQ(SetAttribute(path, "ceph.file.layout.object_size", "1048576"), 0);
  EXPECT_EQ(SetAttribute(path, "ceph.file.layout.stripe_count", "1000"), 0);
  EXPECT_EQ(GetAttribute(path, "ceph.file.layout.stripe_count"), "1000");
  EXPECT_EQ(SetAttribute(path, "ceph.file.layout.bogus", "1"), ENODATA);
}

TEST_F(Ceph, TheLayoutSetOnAnOpenEmptyFileDecidesWhereTheBytesGo) {
  const Fd file(mount_.path("f"), O_WRONLY | O_CREAT | O_EXCL);
  const std::string layout = "stripe_unit=1048576 stripe_count=2 object_size=67108864";
  ASSERT_EQ(fsetxattr(file.get(), kFile, layout.data(), layout.size(), 0), 0);
  ASSERT_EQ(WriteBytes(file.get(), 4 * kMebi, 0), 0);
  EXPECT_EQ(mount_.Written(), (std::vector<std::uint64_t>{2 * kMebi, 2 * kMebi, 0, 0}));
}

TEST_F(Ceph, AFileThatEverHadDataKeepsItsLayout) {
  const std::string written = mount_.path("written");
  ASSERT_EQ(WriteFile(written, 1), 0);
  EXPECT_EQ(SetAttribute(written, "ceph.file.layout.stripe_count", "2"), ENOTEMPTY);
  ASSERT_EQ(truncate(written.c_str(), 0), 0);
  EXPECT_EQ(SetAttribute(written, "ceph.file.layout.stripe_count", "1"), ENOTEMPTY);
  const std::string extended = Empty("extended");
  ASSERT_EQ(truncate(extended.c_str(), 1), 0);
  EXPECT_EQ(SetAttribute(extended, "ceph.file.layout.stripe_count", "2"), ENOTEMPTY);
}

TEST_F(Ceph, ADirectorysLayoutReachesWhatIsBelow) {
  ASSERT_EQ(mkdir(mount_.path("d").c_str(), 0755), 0);
  ASSERT_EQ(mkdir(mount_.path("d/sub").c_str(), 0755), 0);
  EXPECT_EQ(GetAttributeError(mount_.path("d"), kDirectory), ENODATA);
  ASSERT_EQ(SetAttribute(mount_.path("d"), "ceph.dir.layout.stripe_count", "3"), 0);
  EXPECT_EQ(GetAttributeError(mount_.path("d/sub"), kDirectory), ENODATA);
  EXPECT_EQ(GetAttribute(Empty("d/sub/f"), "ceph.file.layout.stripe_count"), "3");
  ASSERT_EQ(RemoveAttribute(mount_.path("d"), kDirectory), 0);
  EXPECT_EQ(GetAttribute(Empty("d/sub/g"), "ceph.file.layout.stripe_count"), "1");
}

TEST_F(Ceph, FileAndDirectoryAttributesAreNotMixedUp) {
  const std::string file = Empty("f");
  EXPECT_EQ(SetAttribute(mount_.path(), kFile, "stripe_count=2"), EINVAL);
  EXPECT_EQ(GetAttributeError(mount_.path(), kFile), ENODATA);
  EXPECT_EQ(SetAttribute(file, kDirectory, "stripe_count=2"), EINVAL);
  EXPECT_EQ(RemoveAttribute(file, kFile), ENODATA);
}

TEST_F(Ceph, LayoutsAreNotListed) {
  const std::string path = Empty("f");
  ASSERT_EQ(SetAttribute(path, "user.note", "x"), 0);
  char names[256];
  ASSERT_EQ(listxattr(path.c_str(), names, sizeof names), static_cast<ssize_t>(sizeof "user.note"));
}

TEST_F(Ceph, SizeQueriesAndShortBuffersWorkAsUsual) {
  const std::string path = Empty("f");
  const auto size = static_cast<ssize_t>(GetAttribute(path, kFile).size());
  EXPECT_EQ(getxattr(path.c_str(), kFile, nullptr, 0), size);
  char small[4];
  EXPECT_EQ(getxattr(path.c_str(), kFile, small, sizeof small), -1);
  EXPECT_EQ(errno, ERANGE);
}

int SetAsUser(const std::string& path) { return SetAttribute(path, "ceph.file.layout.stripe_count", "2"); }

TEST_F(Ceph, WritePermissionOnTheFileIsEnough) {
  const std::string open_to_all = Empty("open");
  ASSERT_EQ(chmod(open_to_all.c_str(), 0666), 0);
  EXPECT_EQ(AsUser(65534, SetAsUser, open_to_all), 0);
  EXPECT_EQ(AsUser(65534, SetAsUser, Empty("closed")), EACCES);
}

}  // namespace
}  // namespace toto::stripefs::testing
