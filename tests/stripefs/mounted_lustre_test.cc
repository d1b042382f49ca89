// SPDX-License-Identifier: BSD-3-Clause
//
// The rules of Lustre's layouts, through the kernel.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "lustre.h"
#include "testing_mount.h"

namespace toto::stripefs::testing {
namespace {

constexpr std::size_t kMebi = 1 << 20;
constexpr char kLov[] = "lustre.lov";

struct Lov {
  std::uint32_t magic = lustre::kMagicV1;
  std::uint32_t pattern = 1;
  std::uint64_t oi[2] = {};
  std::uint32_t size = kMebi;
  std::uint16_t count = 1;
  std::uint16_t offset = 0xffff;
  char pool[16] = {};
  struct Object {
    std::uint64_t oi[2];
    std::uint32_t generation;
    std::uint32_t target;
  };
};

std::string Bytes(const Lov& lov) {
  return Packed(lov).substr(0, lov.magic == lustre::kMagicV1 ? lustre::kSizeV1 : lustre::kSizeV3);
}

Lov Striped(std::uint16_t count, std::uint32_t size = kMebi) {
  Lov lov;
  lov.count = count;
  lov.size = size;
  return lov;
}

Lov Shown(const std::string& bytes) {
  Lov lov;
  std::memcpy(static_cast<void*>(&lov), bytes.data(), std::min(bytes.size(), sizeof lov));
  return lov;
}

std::vector<std::uint32_t> Targets(const std::string& bytes) {
  std::vector<std::uint32_t> targets;
  const std::size_t header = Shown(bytes).magic == lustre::kMagicV1 ? lustre::kSizeV1 : lustre::kSizeV3;
  for (std::size_t at = header; at + lustre::kSizeObject <= bytes.size(); at += lustre::kSizeObject) {
    Lov::Object object{};
    std::memcpy(&object, bytes.data() + at, sizeof object);
    targets.push_back(object.target);
  }
  return targets;
}

int Setstripe(int fd, Lov* lov) { return ioctl(fd, lustre::kSetStripe, lov) == 0 ? 0 : errno; }

class Lustre : public ::testing::Test {
 protected:
  Mount mount_{{"--targets", "4", "--rate", "0", "--dialect", "lustre"}};

  std::string Bare(const std::string& name) {
    const std::string path = mount_.path(name);
    EXPECT_EQ(mknod(path.c_str(), S_IFREG | 0644, 0), 0);
    return path;
  }
};

TEST_F(Lustre, ShowsItselfByMountType) { EXPECT_EQ(MountTypeAt(mount_.path()), "fuse.lustre"); }

TEST_F(Lustre, AFileMadeByMknodHasNoLayoutUntilItIsOpenedForWriting) {
  const std::string path = Bare("f");
  EXPECT_EQ(GetAttributeError(path, kLov), ENODATA);
  { const Fd reading(path, O_RDONLY); }
  EXPECT_EQ(GetAttributeError(path, kLov), ENODATA);
  { const Fd writing(path, O_WRONLY); }
  EXPECT_EQ(Shown(GetAttribute(path, kLov)).count, 1);
}

TEST_F(Lustre, AnAttributeSetBeforeTheFirstWriteDecidesWhereTheBytesGo) {
  const std::string path = Bare("f");
  ASSERT_EQ(SetAttribute(path, kLov, Bytes(Striped(3))), 0);
  const std::string shown = GetAttribute(path, kLov);
  EXPECT_EQ(shown.size(), lustre::kSizeV1 + 3 * lustre::kSizeObject);
  const std::vector<std::uint32_t> targets = Targets(shown);
  ASSERT_EQ(targets.size(), 3U);
  ASSERT_EQ(WriteFile(path, 3 * kMebi), 0);
  const auto written = mount_.Written();
  for (std::uint32_t target = 0; target < 4; ++target) {
    const bool used = std::find(targets.begin(), targets.end(), target) != targets.end();
    EXPECT_EQ(written[target], used ? kMebi : 0) << target;
  }
}

TEST_F(Lustre, ASecondLayoutIsIgnoredWithSuccessByAttributeAndRefusedByIoctl) {
  const std::string path = Bare("f");
  ASSERT_EQ(SetAttribute(path, kLov, Bytes(Striped(2))), 0);
  EXPECT_EQ(SetAttribute(path, kLov, Bytes(Striped(4))), 0);
  EXPECT_EQ(Shown(GetAttribute(path, kLov)).count, 2);
  const Fd file(path, O_RDWR);
  Lov lov = Striped(4);
  EXPECT_EQ(Setstripe(file.get(), &lov), EEXIST);
}

TEST_F(Lustre, DelayedCreationAndIoctlSetAndShowTheLayoutInOneCall) {
  const Fd file(mount_.path("f"), O_RDWR | O_CREAT | O_EXCL | O_NOCTTY | O_ASYNC);
  ASSERT_EQ(file.error(), 0);
  EXPECT_EQ(GetAttributeError(mount_.path("f"), kLov), ENODATA);
  EXPECT_EQ(WriteBytes(file.get(), 1, 0), EBADF);
  Lov lov = Striped(0xffff, 2 * kMebi);
  ASSERT_EQ(Setstripe(file.get(), &lov), 0);
  EXPECT_EQ(lov.count, 4);
  EXPECT_EQ(lov.size, 2 * kMebi);
  EXPECT_EQ(WriteBytes(file.get(), 1, 0), 0);
}

TEST_F(Lustre, TheIoctlTakesOffsetZeroAtItsWord) {
  { const Fd other(mount_.path("other"), O_WRONLY | O_CREAT); }  // took target 0
  const Fd file(mount_.path("f"), O_RDWR | O_CREAT | O_ASYNC);
  Lov lov = Striped(1);
  lov.offset = 0;
  ASSERT_EQ(Setstripe(file.get(), &lov), 0);
  EXPECT_EQ(Targets(GetAttribute(mount_.path("f"), kLov)), (std::vector<std::uint32_t>{0}));
  const std::string by_attribute = Bare("g");
  ASSERT_EQ(SetAttribute(by_attribute, kLov, Bytes(lov)), 0);
  EXPECT_EQ(Targets(GetAttribute(by_attribute, kLov)), (std::vector<std::uint32_t>{1}));
}

TEST_F(Lustre, GetstripeGivesAsMuchAsTheCallerHasRoomFor) {
  const std::string path = Bare("f");
  ASSERT_EQ(SetAttribute(path, kLov, Bytes(Striped(2))), 0);
  const Fd file(path, O_RDONLY);
  std::string buffer(1024, '\x55');
  const Lov only_header = Striped(0);
  buffer.replace(0, lustre::kSizeV1, Bytes(only_header));
  ASSERT_EQ(ioctl(file.get(), lustre::kGetStripe, buffer.data()), 0);
  EXPECT_EQ(Shown(buffer).count, 2);
  EXPECT_EQ(buffer[lustre::kSizeV1], '\x55');
  buffer.replace(0, lustre::kSizeV1, Bytes(Striped(2)));
  ASSERT_EQ(ioctl(file.get(), lustre::kGetStripe, buffer.data()), 0);
  EXPECT_EQ(Targets(buffer.substr(0, lustre::kSizeV1 + 2 * lustre::kSizeObject)),
            Targets(GetAttribute(path, kLov)));
  buffer.replace(0, lustre::kSizeV1, Bytes(Striped(1)));
  EXPECT_EQ(ioctl(file.get(), lustre::kGetStripe, buffer.data()), -1);
  EXPECT_EQ(errno, EOVERFLOW);
}

TEST_F(Lustre, ValuesAreCheckedAndClippedAsByTheServer) {
  const std::string path = Bare("f");
  EXPECT_EQ(SetAttribute(path, kLov, Bytes(Striped(1, 100000))), EINVAL);
  Lov bad;
  bad.magic = 0x12345678;
  EXPECT_EQ(SetAttribute(path, kLov, Bytes(bad)), EINVAL);
  EXPECT_EQ(SetAttribute(path, kLov, Bytes(Lov{}).substr(0, 31)), ERANGE);
  Lov beyond;
  beyond.offset = 4;
  EXPECT_EQ(SetAttribute(path, kLov, Bytes(beyond)), EINVAL);
  EXPECT_EQ(SetAttribute(path, "lustre.other", "x"), EOPNOTSUPP);
  ASSERT_EQ(SetAttribute(path, kLov, Bytes(Striped(100))), 0);
  EXPECT_EQ(Shown(GetAttribute(path, kLov)).count, 4);
}

TEST_F(Lustre, APoolIsKeptAndShownInTheLongerForm) {
  const std::string path = Bare("f");
  Lov lov = Striped(2);
  lov.magic = lustre::kMagicV3;
  std::strcpy(lov.pool, "flash");
  ASSERT_EQ(SetAttribute(path, kLov, Bytes(lov)), 0);
  const Lov shown = Shown(GetAttribute(path, kLov));
  EXPECT_EQ(shown.magic, lustre::kMagicV3);
  EXPECT_STREQ(shown.pool, "flash");
}

TEST_F(Lustre, NamedTargetsAreUsedInTheirOrder) {
  const Fd file(mount_.path("f"), O_RDWR | O_CREAT | O_ASYNC);
  Lov lov = Striped(2);
  lov.magic = lustre::kMagicSpecific;
  std::string bytes = Packed(lov) + Packed(Lov::Object{{}, 0, 3}) + Packed(Lov::Object{{}, 0, 1});
  ASSERT_EQ(ioctl(file.get(), lustre::kSetStripe, bytes.data()), 0);
  EXPECT_EQ(Targets(GetAttribute(mount_.path("f"), kLov)), (std::vector<std::uint32_t>{3, 1}));
}

TEST_F(Lustre, ADirectorysDefaultIsInheritedAndCanBeTakenAway) {
  const std::string directory = mount_.path("d");
  ASSERT_EQ(mkdir(directory.c_str(), 0755), 0);
  EXPECT_EQ(GetAttributeError(directory, kLov), ENODATA);
  ASSERT_EQ(SetAttribute(directory, kLov, Bytes(Striped(2))), 0);
  ASSERT_EQ(mkdir((directory + "/sub").c_str(), 0755), 0);
  { const Fd file(directory + "/sub/f", O_WRONLY | O_CREAT); }
  EXPECT_EQ(Shown(GetAttribute(directory + "/sub/f", kLov)).count, 2);
  ASSERT_EQ(RemoveAttribute(directory, kLov), 0);
  { const Fd file(directory + "/g", O_WRONLY | O_CREAT); }
  EXPECT_EQ(Shown(GetAttribute(directory + "/g", kLov)).count, 1);
}

TEST_F(Lustre, TheRootsDefaultReachesEveryDirectoryWithoutItsOwn) {
  ASSERT_EQ(mkdir(mount_.path("d").c_str(), 0755), 0);
  const Fd root(mount_.path(), O_RDONLY | O_DIRECTORY);
  Lov lov = Striped(3);
  ASSERT_EQ(Setstripe(root.get(), &lov), 0);
  { const Fd file(mount_.path("d/f"), O_WRONLY | O_CREAT); }
  EXPECT_EQ(Shown(GetAttribute(mount_.path("d/f"), kLov)).count, 3);
  EXPECT_EQ(Shown(GetAttribute(mount_.path("d"), kLov)).count, 3);
}

TEST_F(Lustre, TheNumberOfTargetsIsAskedOfADirectory) {
  std::uint32_t count[2] = {0, 0x55};
  const Fd root(mount_.path(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(ioctl(root.get(), lustre::kGetTargetCount, count), 0);
  EXPECT_EQ(count[0], 4U);
  EXPECT_EQ(count[1], 0x55U);
  const Fd file(mount_.path("f"), O_RDWR | O_CREAT);
  EXPECT_EQ(ioctl(file.get(), lustre::kGetTargetCount, count), -1);
  EXPECT_EQ(errno, ENOTTY);
}

TEST_F(Lustre, ACompositeSplitsTheFileByItsExtents) {
  struct [[gnu::packed]] Blob {
    std::uint32_t magic = lustre::kMagicComposite;
    std::uint32_t size = sizeof(Blob);
    std::uint32_t generation = 0;
    std::uint16_t flags = 0;
    std::uint16_t entries = 2;
    std::uint16_t mirrors = 0;
    std::uint16_t padding[3] = {};
    std::uint64_t padding2 = 0;
    struct [[gnu::packed]] Entry {
      std::uint32_t id, flags;
      std::uint64_t start, end;
      std::uint32_t offset, size, generation;
      std::uint64_t timestamp;
      std::uint32_t padding;
    } entry[2] = {};
    char parts[2][lustre::kSizeV1] = {};
  };
  Blob blob;
  blob.entry[0] = {0, 0, 0, 2 * kMebi, 128, 32, 0, 0, 0};
  blob.entry[1] = {0, 0, 2 * kMebi, UINT64_MAX, 160, 32, 0, 0, 0};
  Lov first = Striped(1);
  first.offset = 3;
  Lov second = Striped(2);
  second.offset = 1;
  std::memcpy(blob.parts[0], &first, lustre::kSizeV1);
  std::memcpy(blob.parts[1], &second, lustre::kSizeV1);
  const std::string path = Bare("f");
  ASSERT_EQ(SetAttribute(path, kLov, Packed(blob)), 0);
  // The second component has no objects before somebody writes to it.
  EXPECT_EQ(GetAttribute(path, kLov).size(), 32 + 2 * 48 + 2 * 32 + 1 * lustre::kSizeObject);
  ASSERT_EQ(WriteFile(path, 4 * kMebi), 0);
  EXPECT_EQ(GetAttribute(path, kLov).size(), 32 + 2 * 48 + 2 * 32 + 3 * lustre::kSizeObject);
  EXPECT_EQ(mount_.Written(), (std::vector<std::uint64_t>{0, kMebi, kMebi, 2 * kMebi}));
}

int SetAsUser(const std::string& path) { return SetAttribute(path, kLov, Bytes(Striped(2))); }
int SetTrustedAsUser(const std::string& path) { return SetAttribute(path, "trusted.lov", Bytes(Striped(2))); }

TEST_F(Lustre, WritePermissionOnTheFileIsEnough) {
  const std::string own = Bare("own");
  const std::string foreign = Bare("foreign");
  ASSERT_EQ(chown(own.c_str(), 65534, 65534), 0);
  EXPECT_EQ(AsUser(65534, SetAsUser, own), 0);
  EXPECT_EQ(AsUser(65534, SetAsUser, foreign), EACCES);
  EXPECT_EQ(AsUser(65534, SetTrustedAsUser, own), EPERM);
}

TEST_F(Lustre, LeavesTheOtherDialectsUnknown) {
  const std::string path = Bare("f");
  EXPECT_EQ(SetAttribute(path, "ceph.file.layout.stripe_count", "2"), EOPNOTSUPP);
  const Fd root(mount_.path(), O_RDONLY | O_DIRECTORY);
  char buffer[8];
  EXPECT_EQ(ioctl(root.get(), 0x80066616, buffer), -1);
  EXPECT_EQ(errno, ENOTTY);
}

}  // namespace
}  // namespace toto::stripefs::testing
