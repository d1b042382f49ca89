// SPDX-License-Identifier: BSD-3-Clause
// The backends of Lustre and CephFS and create(), on a mounted stripefs of eight targets. What a file got is
// asked of stripefs itself too ("stripefs.layout"), so that reading and setting cannot be wrong alike.
// Exit code 77: FUSE cannot be used here.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/file_systems.h"
#include "core/mounts.h"
#include "hints/layout/create.h"
#include "hints/layout/lustre.h"
#include "hints/layout/lustre_abi.h"
#include "stripe_mount.h"

namespace toto::layout {
namespace {

namespace fs = std::filesystem;
using ::toto::testing::StripeMount;

constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kMiB = 1024 * kKiB;
constexpr std::uint32_t kTargets = 8;

std::string attribute(const std::string& path, const char* name) {
  char text[8192];
  const ssize_t size = getxattr(path.c_str(), name, text, sizeof(text));
  return size < 0 ? "" : std::string(text, static_cast<std::size_t>(size));
}

// A file system that answers as `dialect`, and a fresh folder in it for every test.
class OnStripefs : public ::testing::Test {
 protected:
  static void mount(const std::string& dialect) {
    mount_ = std::make_unique<StripeMount>(
        std::vector<std::string>{"--dialect", dialect, "--targets", std::to_string(kTargets)});
    ASSERT_TRUE(mount_->ok()) << mount_->status();
    backend_ = by_name(dialect);
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
std::unique_ptr<StripeMount> OnStripefs::mount_;
const Backend* OnStripefs::backend_ = nullptr;

class OnLustre : public OnStripefs {
 protected:
  static void SetUpTestSuite() { mount("lustre"); }
};
class OnCeph : public OnStripefs {
 protected:
  static void SetUpTestSuite() { mount("ceph"); }
};

// --- What both have in common ---

struct Lustre {
  static constexpr const char* kDialect = "lustre";
};
struct Ceph {
  static constexpr const char* kDialect = "ceph";
};
template <typename Dialect>
class OnBoth : public OnStripefs {
 protected:
  static constexpr bool kIsLustre = std::is_same_v<Dialect, Lustre>;
  static void SetUpTestSuite() { mount(Dialect::kDialect); }
};
using Dialects = ::testing::Types<Lustre, Ceph>;
struct DialectNames {
  template <typename Dialect>
  static std::string GetName(int) {
    return Dialect::kDialect;
  }
};
TYPED_TEST_SUITE(OnBoth, Dialects, DialectNames);

TYPED_TEST(OnBoth, BackendIsFoundByTheMountTable) {
  const auto mount = mounts::of_path(this->path());
  ASSERT_TRUE(mount);
  EXPECT_EQ(mount->point, this->mount_->point());
  const KnownFileSystem* known = file_system_by_type(mount->type);
  ASSERT_NE(known, nullptr) << mount->type.view();
  EXPECT_EQ(by_name(known->name), this->backend_);
}

TYPED_TEST(OnBoth, WhatIsAskedIsObtained) {
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

TYPED_TEST(OnBoth, BytesGoToAsManyTargetsAsAsked) {
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

TYPED_TEST(OnBoth, WhatIsNotAskedComesFromTheFileSystem) {
  this->asked() = {};
  this->asked().count = 3;
  ASSERT_EQ(this->make("count"), Created::kYes);
  EXPECT_EQ(this->outcome_.layout_status, LayoutStatus::kVerified);
  EXPECT_EQ(this->obtained().count, 3U);
  EXPECT_EQ(this->obtained().size, this->kIsLustre ? kMiB : 4 * kMiB);

  this->asked() = {};
  this->asked().size = 128 * kKiB;
  ASSERT_EQ(this->make("size"), Created::kYes);
  EXPECT_EQ(this->outcome_.layout_status, LayoutStatus::kVerified);
  EXPECT_EQ(this->obtained().count, 1U);
  EXPECT_EQ(this->obtained().size, 128 * kKiB);
}

TYPED_TEST(OnBoth, RefusedLayoutsLeaveNoFileAndThePlainOpenWorks) {
  for (const auto& [name, error] : {std::pair{"EINVAL", EINVAL}, {"EACCES", EACCES}, {"ENOSPC", ENOSPC}}) {
    this->mount_->fail(std::string("setlayout=") + name);
    errno = 77;
    EXPECT_EQ(this->make(), Created::kRefused);
    EXPECT_EQ(errno, 77);
    EXPECT_EQ(this->outcome_.layout_status, LayoutStatus::kRefused);
    EXPECT_EQ(this->outcome_.error, error);
    EXPECT_TRUE(this->files().empty());
  }
  const int fd = open(this->path().c_str(), O_CREAT | O_EXCL | O_WRONLY, 0666);
  ASSERT_GE(fd, 0);
  close(fd);
}

TYPED_TEST(OnBoth, FailuresOfCreationAndOfReadingBackLeaveNoFile) {
  this->mount_->fail("create=EDQUOT");
  EXPECT_EQ(this->make(), Created::kRefused);
  EXPECT_EQ(this->outcome_.error, EDQUOT);
  this->mount_->fail("getlayout=EIO");
  EXPECT_EQ(this->make(), Created::kRefused);
  EXPECT_EQ(this->outcome_.error, EIO);
  this->mount_->fail("link=EIO");
  EXPECT_EQ(this->make(), Created::kRefused);
  EXPECT_EQ(this->outcome_.error, EIO);
  EXPECT_TRUE(this->files().empty());
}

TYPED_TEST(OnBoth, SuccessWithoutEffectIsNoticed) {
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

TYPED_TEST(OnBoth, ClippedCountIsTold) {
  this->mount_->fail("clip=2");
  ASSERT_EQ(this->make(), Created::kYes);
  EXPECT_EQ(this->outcome_.layout_status, LayoutStatus::kDiffers);
  EXPECT_EQ(this->obtained().count, 2U);
  EXPECT_EQ(this->obtained().size, kMiB);
}

TYPED_TEST(OnBoth, WithoutHardLinksTheNameIsGivenByAnExclusiveRename) {
  for (const char* error : {"EPERM", "EOPNOTSUPP", "EMLINK"}) {
    this->mount_->fail(std::string("link=") + error);
    EXPECT_EQ(this->make(error), Created::kYes);
    EXPECT_EQ(this->outcome_.layout_status, LayoutStatus::kVerified);
    EXPECT_EQ(this->make(error), Created::kExists);
  }
  EXPECT_EQ(this->files().size(), 3U);
}

TYPED_TEST(OnBoth, ExistingNamesAreLeftAlone) {
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

TYPED_TEST(OnBoth, ModesAreThoseOfOpen) {
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

TYPED_TEST(OnBoth, OrdinaryUsersMayChooseForAllModesAndUmasks) {
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

TYPED_TEST(OnBoth, FoldersOfOthersRefuse) {
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

TYPED_TEST(OnBoth, SetGidFolderGivesItsGroup) {
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

TYPED_TEST(OnBoth, OfEightProcessesOneWinsEachFileAndNobodySeesAnotherLayout) {
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

// --- Lustre ---

void set_lov(const std::string& path, const void* blob, std::size_t size) {
  ASSERT_EQ(setxattr(path.c_str(), lustre::kLov, blob, size, 0), 0) << strerror(errno);
}

// Two components: 1 stripe up to 4 MiB, then `count` stripes of 2 MiB.
struct [[gnu::packed]] TwoComponents {
  lustre::Composite head;
  lustre::Component parts[2];
  lustre::LovV1 lovs[2];
};
TwoComponents two_components(std::uint16_t count) {
  TwoComponents blob{};
  blob.head.magic = lustre::kMagicComposite;
  blob.head.size = sizeof(blob);
  blob.head.components = 2;
  for (int i = 0; i < 2; ++i) {
    blob.parts[i].start = i == 0 ? 0 : 4 * kMiB;
    blob.parts[i].end = i == 0 ? 4 * kMiB : ~std::uint64_t{0};
    blob.parts[i].offset =
        static_cast<std::uint32_t>(offsetof(TwoComponents, lovs) + i * sizeof(lustre::LovV1));
    blob.parts[i].size = sizeof(lustre::LovV1);
    blob.lovs[i] = {.magic = lustre::kMagicV1,
                    .pattern = lustre::kRaid0,
                    .object_id = {},
                    .stripe_size = static_cast<std::uint32_t>(i == 0 ? kMiB : 2 * kMiB),
                    .stripe_count = i == 0 ? std::uint16_t{1} : count,
                    .stripe_offset = lustre::kAnyOst};
  }
  return blob;
}

TEST_F(OnLustre, TargetsAreCounted) {
  EXPECT_EQ(backend_->targets(folder().c_str()), kTargets);
  ASSERT_EQ(make(), Created::kYes);
  EXPECT_EQ(backend_->targets(path().c_str()), 0U);  // a file
  EXPECT_EQ(backend_->targets(path("no").c_str()), 0U);
}

TEST_F(OnLustre, AllTargets) {
  asked().count = kAllTargets;
  ASSERT_EQ(make("all"), Created::kYes);
  EXPECT_EQ(obtained().count, kTargets);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kVerified);
  mount_->fail("clip=5");
  ASSERT_EQ(make("clipped"), Created::kYes);
  EXPECT_EQ(obtained().count, 5U);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kDiffers);
}

TEST_F(OnLustre, MoreStripesThanTargetsAreClipped) {
  asked().count = 100;
  ASSERT_EQ(make(), Created::kYes);
  EXPECT_EQ(obtained().count, kTargets);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kDiffers);
}

TEST_F(OnLustre, OddSizesAreRoundedDownAndTold) {
  asked().size = 100000;
  ASSERT_EQ(make(), Created::kYes);
  EXPECT_EQ(obtained().size, 64 * kKiB);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kDiffers);
}

TEST_F(OnLustre, PoolIsSetAndReadBack) {
  asked().pool = std::string_view("flash");
  ASSERT_EQ(make(), Created::kYes);
  EXPECT_EQ(obtained().pool, "flash");
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kVerified);
}

TEST_F(OnLustre, FolderDefaultFillsWhatIsNotAsked) {
  lustre::LovBlob blob;
  const Layout wanted{.count = 2, .size = 256 * kKiB, .object_size = 0, .pool = std::string_view("flash")};
  set_lov(folder(), blob.data(), lustre::encode_lov(wanted, blob));
  FolderDefault found;
  ASSERT_EQ(backend_->folder_default(folder().c_str(), found), 0);
  EXPECT_FALSE(found.composite);
  EXPECT_EQ(found.layout.count, 2U);
  EXPECT_EQ(found.layout.size, 256 * kKiB);
  EXPECT_EQ(found.layout.pool, "flash");

  asked() = {};
  asked().count = 5;
  ASSERT_EQ(make("count"), Created::kYes);
  EXPECT_EQ(obtained().count, 5U);
  EXPECT_EQ(obtained().size, 256 * kKiB);
  EXPECT_EQ(obtained().pool, "flash");
  asked() = {};
  asked().size = 2 * kMiB;
  ASSERT_EQ(make("size"), Created::kYes);
  EXPECT_EQ(obtained().count, 2U);
  EXPECT_EQ(obtained().size, 2 * kMiB);
}

TEST_F(OnLustre, FolderWithoutADefaultSaysSo) {
  FolderDefault found;
  EXPECT_EQ(backend_->folder_default(folder().c_str(), found), ENODATA);
}

TEST_F(OnLustre, CompositeFolderDefaultIsToldAndGivesWayToAWish) {
  const TwoComponents blob = two_components(lustre::kAll);
  set_lov(folder(), &blob, sizeof(blob));
  FolderDefault found;
  ASSERT_EQ(backend_->folder_default(folder().c_str(), found), 0);
  EXPECT_TRUE(found.composite);
  EXPECT_EQ(found.layout.count, kAllTargets);
  EXPECT_EQ(found.layout.size, 2 * kMiB);

  asked() = {};
  asked().count = 3;
  ASSERT_EQ(make(), Created::kYes);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kVerified);
  EXPECT_EQ(obtained().size, 2 * kMiB);
  lustre::Lov lov;
  ASSERT_EQ(lustre::read_lov(path().c_str(), lov), 0);
  EXPECT_FALSE(lov.composite());
}

TEST_F(OnLustre, CompositeFilesShowWhereTheirBytesAre) {
  ASSERT_EQ(mknod(path().c_str(), S_IFREG | 0644, 0), 0);
  const TwoComponents blob = two_components(4);
  set_lov(path(), &blob, sizeof(blob));
  lustre::Lov lov;
  ASSERT_EQ(lustre::read_lov(path().c_str(), lov), 0);
  EXPECT_EQ(lov.components, 2U);
  EXPECT_EQ(lov.layout.count, 1U);
  EXPECT_EQ(lov.end, 4 * kMiB);
  write_some("out", 8 * kMiB);
  ASSERT_EQ(lustre::read_lov(path().c_str(), lov), 0);
  EXPECT_EQ(lov.layout.count, 4U);
  EXPECT_EQ(lov.start, 4 * kMiB);
}

TEST_F(OnLustre, OstsAreReadInStripeOrder) {
  ASSERT_EQ(make(), Created::kYes);
  std::uint32_t osts[4] = {};
  lustre::Lov lov;
  ASSERT_EQ(lustre::read_lov(path().c_str(), lov, osts), 0);
  ASSERT_EQ(lov.objects, 4U);
  std::string list;
  for (const std::uint32_t ost : osts) list += (list.empty() ? "" : ",") + std::to_string(ost);
  EXPECT_NE(told().find("targets=" + list + "\n"), std::string::npos) << list << " / " << told();
}

TEST_F(OnLustre, VeryWideFilesAreReadWhole) {
  // Overstriped, as eight targets would not fill the first buffer.
  ASSERT_EQ(mknod(path().c_str(), S_IFREG | 0644, 0), 0);
  const lustre::LovV1 blob{.magic = lustre::kMagicV1,
                           .pattern = lustre::kRaid0 | lustre::kOverstriping,
                           .object_id = {},
                           .stripe_size = static_cast<std::uint32_t>(kMiB),
                           .stripe_count = 2000,
                           .stripe_offset = lustre::kAnyOst};
  set_lov(path(), &blob, sizeof(blob));
  ASSERT_GT(getxattr(path().c_str(), lustre::kLov, nullptr, 0), 40000);
  std::vector<std::uint32_t> osts(2000, 99);
  lustre::Lov lov;
  ASSERT_EQ(lustre::read_lov(path().c_str(), lov, osts), 0);
  EXPECT_TRUE(lov.overstriped());
  EXPECT_EQ(lov.layout.count, 2000U);
  EXPECT_EQ(lov.objects, 2000U);
  EXPECT_LT(*std::max_element(osts.begin(), osts.end()), kTargets);
}

TEST_F(OnLustre, FilesWithoutALayoutSaySo) {
  ASSERT_EQ(mknod(path().c_str(), S_IFREG | 0644, 0), 0);
  Layout layout;
  EXPECT_EQ(backend_->read(path().c_str(), layout), ENODATA);
}

// --- CephFS ---

void set_folder_layout(const std::string& folder, const std::string& text) {
  ASSERT_EQ(setxattr(folder.c_str(), "ceph.dir.layout", text.data(), text.size(), 0), 0) << strerror(errno);
}

TEST_F(OnCeph, FolderDefaultIsTheNearestAboveOrTheBuiltInOne) {
  FolderDefault found;
  ASSERT_EQ(backend_->folder_default(folder().c_str(), found), 0);
  EXPECT_EQ(found.layout.count, 1U);
  EXPECT_EQ(found.layout.size, 4 * kMiB);
  EXPECT_EQ(found.layout.object_size, 4 * kMiB);

  fs::create_directories(path("a/b"));
  set_folder_layout(folder(), "stripe_unit=1048576 stripe_count=2 object_size=8388608");
  for (const char* name : {"a/b", "a/b/", "a"}) {
    ASSERT_EQ(backend_->folder_default(path(name).c_str(), found), 0);
    EXPECT_EQ(found.layout.count, 2U) << name;
    EXPECT_EQ(found.layout.size, kMiB) << name;
  }
}

TEST_F(OnCeph, FolderDefaultFillsWhatIsNotAsked) {
  set_folder_layout(folder(), "stripe_unit=1048576 stripe_count=2 object_size=8388608");
  asked() = {};
  asked().count = 6;
  ASSERT_EQ(make("count"), Created::kYes);
  EXPECT_EQ(obtained().count, 6U);
  EXPECT_EQ(obtained().size, kMiB);
  EXPECT_EQ(obtained().object_size, 8 * kMiB);
  asked() = {};
  asked().size = 3 * kMiB;
  ASSERT_EQ(make("size"), Created::kYes);
  EXPECT_EQ(obtained().count, 2U);
  EXPECT_EQ(obtained().size, 3 * kMiB);
  EXPECT_EQ(obtained().object_size, 9 * kMiB);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kVerified);
}

TEST_F(OnCeph, LargeStripesGetObjectsThatHoldThem) {
  asked().size = 16 * kMiB;
  ASSERT_EQ(make(), Created::kYes);
  EXPECT_EQ(obtained().size, 16 * kMiB);
  EXPECT_EQ(obtained().object_size, 16 * kMiB);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kVerified);
}

TEST_F(OnCeph, OddSizesAreRoundedDownAndTold) {
  asked().size = 100000;
  ASSERT_EQ(make(), Created::kYes);
  EXPECT_EQ(obtained().size, 64 * kKiB);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kDiffers);
}

TEST_F(OnCeph, PoolsAreCheckedByTheFileSystem) {
  asked().pool = std::string_view("data");
  EXPECT_EQ(make("good"), Created::kYes);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kVerified);
  asked().pool = std::string_view("nosuch");
  EXPECT_EQ(make("bad"), Created::kRefused);
  EXPECT_EQ(outcome_.error, EINVAL);
  EXPECT_EQ(files(), std::vector<std::string>{"good"});
}

TEST_F(OnCeph, AllTargetsIsRefused) {
  asked().count = kAllTargets;
  EXPECT_EQ(make(), Created::kRefused);
  EXPECT_EQ(outcome_.error, EINVAL);
}

// --- Wrong guesses ---

TEST_F(OnCeph, LustresBackendIsRefusedHere) {
  EXPECT_EQ(create(*by_name("lustre"), path().c_str(), 0666, outcome_), Created::kRefused);
  EXPECT_EQ(outcome_.error, EOPNOTSUPP);
  EXPECT_EQ(by_name("lustre")->targets(folder().c_str()), 0U);
  EXPECT_TRUE(files().empty());
}

TEST_F(OnLustre, CephsBackendIsRefusedHere) {
  EXPECT_EQ(create(*by_name("ceph"), path().c_str(), 0666, outcome_), Created::kRefused);
  EXPECT_EQ(outcome_.error, EOPNOTSUPP);
  EXPECT_TRUE(files().empty());
}

}  // namespace
}  // namespace toto::layout

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const int fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
  if (fuse < 0) {
    std::printf("skipped: /dev/fuse cannot be opened: %s\n", std::strerror(errno));
    return 77;
  }
  close(fuse);
  {
    const toto::testing::StripeMount probe({});
    if (probe.status() == 77) return 77;
  }
  return RUN_ALL_TESTS();
}
