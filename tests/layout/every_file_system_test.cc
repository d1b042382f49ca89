// SPDX-License-Identifier: BSD-3-Clause
// What the backends of all file systems have in common, on stripefs.
#include "on_stripefs.h"

#include <algorithm>

#include "core/file_systems.h"
#include "core/mounts.h"

namespace toto::layout {
namespace {

struct Lustre {
  static constexpr const char* kDialect = "lustre";
};
struct Ceph {
  static constexpr const char* kDialect = "ceph";
};
struct Beegfs {
  static constexpr const char* kDialect = "beegfs";
};
template <typename Dialect>
class OnEach : public OnStripefs {
 protected:
  static constexpr bool kIsLustre = std::is_same_v<Dialect, Lustre>;
  static constexpr bool kIsCeph = std::is_same_v<Dialect, Ceph>;
  static constexpr bool kIsBeegfs = std::is_same_v<Dialect, Beegfs>;
  static void SetUpTestSuite() { mount(Dialect::kDialect); }
};
using Dialects = ::testing::Types<Lustre, Ceph, Beegfs>;
struct DialectNames {
  template <typename Dialect>
  static std::string GetName(int) {
    return Dialect::kDialect;
  }
};
TYPED_TEST_SUITE(OnEach, Dialects, DialectNames);

TYPED_TEST(OnEach, BackendIsFoundByTheMountTable) {
  const auto mount = mounts::of_path(this->path());
  ASSERT_TRUE(mount);
  EXPECT_EQ(mount->point, this->mount_->point());
  const KnownFileSystem* known = file_system_by_type(mount->type);
  ASSERT_NE(known, nullptr) << mount->type.view();
  EXPECT_EQ(by_name(known->name), this->backend_);
}

TYPED_TEST(OnEach, WhatIsAskedIsObtained) {
  errno = 77;
  ASSERT_EQ(this->make(), Created::kYes);
  EXPECT_EQ(errno, 77);
  EXPECT_EQ(this->outcome_.layout_status, LayoutStatus::kVerified);
  EXPECT_EQ(this->obtained().count, 4U);
  EXPECT_EQ(this->obtained().size, kMiB);
  EXPECT_EQ(this->files(), std::vector<std::string>{"out"});
  EXPECT_EQ(this->info().st_size, 0);
  EXPECT_EQ(this->info().st_nlink, 1U);
  this->write_some();
  EXPECT_NE(this->told().find("unit=1048576 count=4 "), std::string::npos) << this->told();
  Layout read;
  EXPECT_EQ(this->backend_->read(this->path().c_str(), read), 0);
  EXPECT_TRUE(satisfies(this->asked(), read, kTargets));
}

TYPED_TEST(OnEach, BytesGoToAsManyTargetsAsAsked) {
  ASSERT_EQ(this->make(), Created::kYes);
  ASSERT_EQ(setxattr(this->mount_->point().c_str(), "stripefs.reset", "1", 1, 0), 0);
  this->write_some("out", 8 * kMiB);
  const std::string stats = attribute(this->mount_->point(), "stripefs.stats");
  int used = 0;
  for (std::size_t at = stats.find("\"target\":"); at != std::string::npos;
       at = stats.find("\"target\":", at + 1)) {
    const std::size_t written = stats.find("\"written\":", at) + 10;
    const long bytes = std::stol(stats.substr(written));
    if (bytes > 0) {
      ++used;
      EXPECT_EQ(bytes, static_cast<long>(2 * kMiB));
    }
  }
  EXPECT_EQ(used, 4) << stats;
}

TYPED_TEST(OnEach, WhatIsNotAskedComesFromTheFileSystem) {
  this->asked() = {};
  this->asked().count = 3;
  ASSERT_EQ(this->make("count"), Created::kYes);
  EXPECT_EQ(this->outcome_.layout_status, LayoutStatus::kVerified);
  EXPECT_EQ(this->obtained().count, 3U);
  EXPECT_EQ(this->obtained().size, this->kIsCeph ? 4 * kMiB : kMiB);

  this->asked() = {};
  this->asked().size = 128 * kKiB;
  ASSERT_EQ(this->make("size"), Created::kYes);
  EXPECT_EQ(this->outcome_.layout_status, LayoutStatus::kVerified);
  EXPECT_EQ(this->obtained().count, 1U);
  EXPECT_EQ(this->obtained().size, 128 * kKiB);
}

TYPED_TEST(OnEach, RefusedLayoutsLeaveNoFileAndThePlainOpenWorks) {
  for (const auto& [name, error] : {std::pair{"EINVAL", EINVAL}, {"EACCES", EACCES}, {"ENOSPC", ENOSPC}}) {
    this->mount_->fail(std::string("setlayout=") + name);
    errno = 77;
    EXPECT_EQ(this->make(), Created::kRefused);
    EXPECT_EQ(errno, 77);
    EXPECT_EQ(this->outcome_.layout_status, LayoutStatus::kRefused);
    // An ioctl that refuses the values leaves BeeGFS without any way.
    EXPECT_EQ(this->outcome_.error, this->kIsBeegfs && error == EINVAL ? EOPNOTSUPP : error);
    EXPECT_TRUE(this->files().empty());
  }
  const int fd = open(this->path().c_str(), O_CREAT | O_EXCL | O_WRONLY, 0666);
  ASSERT_GE(fd, 0);
  close(fd);
}

TYPED_TEST(OnEach, FailuresOfCreationAndOfReadingBackLeaveNoFile) {
  this->mount_->fail("create=EDQUOT");
  EXPECT_EQ(this->make(), Created::kRefused);
  EXPECT_EQ(this->outcome_.error, EDQUOT);
  if (this->kIsBeegfs) return;  // there the file and its layout are made in one step
  this->mount_->fail("getlayout=EIO");
  EXPECT_EQ(this->make(), Created::kRefused);
  EXPECT_EQ(this->outcome_.error, EIO);
  this->mount_->fail("link=EIO");
  EXPECT_EQ(this->make(), Created::kRefused);
  EXPECT_EQ(this->outcome_.error, EIO);
  EXPECT_TRUE(this->files().empty());
}

TYPED_TEST(OnEach, SuccessWithoutEffectIsNoticed) {
  this->mount_->fail("setlayout=NOOP");
  const Created created = this->make();
  if (this->kIsLustre) {
    // No layout at all: not ours to keep.
    EXPECT_EQ(created, Created::kRefused);
    EXPECT_EQ(this->outcome_.error, ENODATA);
    EXPECT_TRUE(this->files().empty());
  } else {
    EXPECT_EQ(created, Created::kYes);
    EXPECT_EQ(this->outcome_.layout_status, LayoutStatus::kDiffers);
    EXPECT_EQ(this->obtained().count, 1U);
  }
}

TYPED_TEST(OnEach, ClippedCountIsTold) {
  this->mount_->fail("clip=2");
  ASSERT_EQ(this->make(), Created::kYes);
  EXPECT_EQ(this->outcome_.layout_status, LayoutStatus::kDiffers);
  EXPECT_EQ(this->obtained().count, 2U);
  EXPECT_EQ(this->obtained().size, kMiB);
}

TYPED_TEST(OnEach, WithoutHardLinksTheNameIsGivenByAnExclusiveRename) {
  for (const char* error : {"EPERM", "EOPNOTSUPP", "EMLINK"}) {
    this->mount_->fail(std::string("link=") + error);
    EXPECT_EQ(this->make(error), Created::kYes);
    EXPECT_EQ(this->outcome_.layout_status, LayoutStatus::kVerified);
    EXPECT_EQ(this->make(error), Created::kExists);
  }
  EXPECT_EQ(this->files().size(), 3U);
}

TYPED_TEST(OnEach, ExistingNamesAreLeftAlone) {
  const int fd = open(this->path().c_str(), O_CREAT | O_WRONLY, 0666);
  ASSERT_EQ(write(fd, "old", 3), 3);
  close(fd);
  EXPECT_EQ(this->make(), Created::kExists);
  EXPECT_EQ(this->outcome_.layout_status, LayoutStatus::kExisting);
  EXPECT_EQ(this->info().st_size, 3);
  ASSERT_EQ(symlink("nowhere", this->path("dangling").c_str()), 0);
  EXPECT_EQ(this->make("dangling"), Created::kExists);
  EXPECT_EQ(this->files().size(), 2U);
}

TYPED_TEST(OnEach, ModesAreThoseOfOpen) {
  for (const mode_t mask : {0022, 0077, 0222, 0777}) {
    for (const mode_t mode : {0666, 0600, 0444, 0000}) {
      umask(mask);
      const std::string name = std::to_string(mask) + "." + std::to_string(mode);
      ASSERT_EQ(this->make(name, mode), Created::kYes) << this->outcome_.error;
      EXPECT_EQ(this->outcome_.layout_status, LayoutStatus::kVerified);
      EXPECT_EQ(this->info(name).st_mode & 07777, mode & ~mask) << std::oct << mask << ' ' << mode;
    }
  }
}

TYPED_TEST(OnEach, OrdinaryUsersMayChooseForAllModesAndUmasks) {
  if (geteuid() != 0) GTEST_SKIP() << "needs to become another user";
  ASSERT_EQ(chmod(this->folder().c_str(), 0777), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (setgid(65534) != 0 || setuid(65534) != 0) _exit(2);
    for (const mode_t mask : {0022, 0222, 0477, 0777}) {
      for (const mode_t mode : {0666, 0444, 0200, 0000}) {
        umask(mask);
        const std::string name = std::to_string(mask) + "." + std::to_string(mode);
        if (this->make(name, mode) != Created::kYes) _exit(3);
        if (this->outcome_.layout_status != LayoutStatus::kVerified) _exit(4);
        if ((this->info(name).st_mode & 07777) != (mode & ~mask)) _exit(5);
      }
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(this->files().size(), 16U);
}

TYPED_TEST(OnEach, FoldersOfOthersRefuse) {
  if (geteuid() != 0) GTEST_SKIP() << "needs to become another user";
  const pid_t child = fork();
  if (child == 0) {
    if (setgid(65534) != 0 || setuid(65534) != 0) _exit(2);
    _exit(this->make() == Created::kRefused && this->outcome_.error == EACCES ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TYPED_TEST(OnEach, SetGidFolderGivesItsGroup) {
  if (geteuid() != 0) GTEST_SKIP() << "needs to give a folder to another group";
  ASSERT_EQ(chown(this->folder().c_str(), 0, 4321), 0);
  ASSERT_EQ(chmod(this->folder().c_str(), 02775), 0);
  ASSERT_EQ(this->make("a", 0640), Created::kYes);
  ASSERT_EQ(this->make("b", 0440), Created::kYes);
  // As a creating open(2) does on this very file system.
  close(open(this->path("plain").c_str(), O_CREAT | O_WRONLY, 0640));
  EXPECT_EQ(this->info("a").st_gid, this->info("plain").st_gid);
  EXPECT_EQ(this->info("b").st_gid, this->info("plain").st_gid);
  EXPECT_EQ(this->info("a").st_gid, 4321U);
  EXPECT_EQ(this->info("b").st_mode & 07777, 0440U);
}

TYPED_TEST(OnEach, OfEightProcessesOneWinsEachFileAndNobodySeesAnotherLayout) {
  constexpr int kProcesses = 8;
  constexpr int kFiles = 50;
  int results[2];
  int start[2];
  ASSERT_EQ(pipe(results), 0);
  ASSERT_EQ(pipe(start), 0);
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    close(start[1]);
    char nothing;
    if (read(start[0], &nothing, 1) != 0) _exit(1);  // all begin at once, when the parent closes its end
    for (int file = 0; file < kFiles; ++file) {
      const std::string name = std::to_string(file);
      const Created created = this->make(name);
      char letter = created == Created::kYes ? 'y' : created == Created::kExists ? 'e' : 'r';
      // Whoever is told that the file is there writes to it, and finds the winner's layout.
      const int fd = open(this->path(name).c_str(), O_WRONLY);
      if (fd < 0 || write(fd, "x", 1) != 1) letter = 'r';
      close(fd);
      Layout read;
      if (this->backend_->read(this->path(name).c_str(), read) != 0) letter = 'r';
      if (read.count != 4 || read.size != kMiB) letter = 'l';
      if (write(results[1], &letter, 1) != 1) _exit(1);
    }
    _exit(0);
  }
  close(start[0]);
  close(start[1]);
  close(results[1]);
  int won = 0;
  int lost = 0;
  int wrong = 0;
  for (char letter = 0; read(results[0], &letter, 1) == 1;) {
    (letter == 'y' ? won : letter == 'e' ? lost : wrong) += 1;
  }
  close(results[0]);
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(won, kFiles);
  EXPECT_EQ(lost, kFiles * (kProcesses - 1));
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(this->files().size(), static_cast<std::size_t>(kFiles));
}

}  // namespace
}  // namespace toto::layout
