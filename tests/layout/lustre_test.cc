// SPDX-License-Identifier: BSD-3-Clause
// Lustre on stripefs.
#include <grp.h>
#include <sched.h>
#include <sys/mount.h>

#include <fstream>

#include "on_stripefs.h"

#include "hints/layout/lustre.h"
#include "hints/layout/lustre_abi.h"

namespace toto::layout {
namespace {

class OnLustre : public OnStripefs {
 protected:
  static void SetUpTestSuite() { mount("lustre"); }
};

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

TEST_F(OnLustre, AFolderThatOverstripesStillDoesWhereOnlyTheSizeIsChosen) {
  lustre::LovBlob blob;
  Layout wanted{.count = 20, .size = kMiB};
  wanted.overstriped = true;
  set_lov(folder(), blob.data(), lustre::encode_lov(wanted, blob));
  asked() = {};
  asked().size = 2 * kMiB;
  ASSERT_EQ(make("size"), Created::kYes);
  EXPECT_EQ(obtained().count, 20U);  // on 8 targets
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

TEST_F(OnLustre, AListOfTargetsIsTakenAsItIs) {
  const TargetList list{.count = 3, .target = {6, 1, 4}};
  asked().count = 3;
  asked().only = &list;
  ASSERT_EQ(make(), Created::kYes);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kVerified);
  EXPECT_NE(told().find("targets=6,1,4\n"), std::string::npos) << told();
  std::array<std::uint32_t, 8> targets{};
  Layout read;
  ASSERT_EQ(backend_->read_targets(path().c_str(), read, targets), 3U);
  EXPECT_EQ(read.count, 3U);
  EXPECT_EQ((std::array{targets[0], targets[1], targets[2]}), (std::array{6U, 1U, 4U}));
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

// --- The ioctl way, where attributes are refused ---

TEST_F(OnLustre, WithoutAttributesTheLayoutIsSetByIoctl) {
  for (const mode_t mode : {0666, 0444, 0000}) {
    const std::string name = "out" + std::to_string(mode);
    mount_->fail("attribute=EOPNOTSUPP");
    ASSERT_EQ(make(name, mode), Created::kYes) << strerror(outcome_.error);
    EXPECT_EQ(outcome_.layout_status, LayoutStatus::kVerified);
    EXPECT_EQ(obtained().count, 4U);
    EXPECT_EQ(obtained().size, kMiB);
    EXPECT_EQ(info(name).st_mode & 07777, mode & ~022U);
    mount_->fail("");
    Layout read;
    ASSERT_EQ(backend_->read(path(name).c_str(), read), 0);
    EXPECT_EQ(read.count, 4U);
  }
}

TEST_F(OnLustre, ADelayedDescriptorWhoseLayoutWasRefusedIsNotTheProgramsWhichWouldGetEbadf) {
  mount_->fail("attribute=EOPNOTSUPP,setlayout=EINVAL");
  EXPECT_EQ(make(), Created::kRefused);
  EXPECT_TRUE(files().empty());
  mount_->fail("");
  const int fd = open(path().c_str(), O_CREAT | O_WRONLY, 0666);
  EXPECT_EQ(write(fd, "x", 1), 1) << strerror(errno);
  close(fd);
}

TEST_F(OnLustre, AnIoctlThatSucceedsWithoutEffectIsNoticed) {
  // As clients from 2.16 do for users outside of enable_setstripe_gid's group.
  mount_->fail("attribute=EOPNOTSUPP,setlayout=NOOP");
  EXPECT_EQ(make(), Created::kRefused);
  EXPECT_TRUE(files().empty());
}

TEST_F(OnLustre, ACompositeFileIsReadByIoctlWithoutWritingPastTheBuffer) {
  const TwoComponents blob = two_components(8);
  ASSERT_EQ(mknod(path().c_str(), S_IFREG | 0644, 0), 0);
  set_lov(path(), &blob, sizeof(blob));
  write_some("out", 8 * kMiB);
  const int fd = open(path().c_str(), O_RDONLY);
  lustre::Lov lov;
  EXPECT_EQ(lustre::read_lov_by_ioctl(fd, lov), 0);
  EXPECT_EQ(lov.layout.count, 8U);
  EXPECT_EQ(lov.layout.size, 2 * kMiB);
  close(fd);
}

// --- Composites that a rule asks for ---

TEST_F(OnLustre, ComponentsAreSetAndReadBack) {
  asked() = {};
  asked().components = std::string_view("1@4M+2x2M@64M+all@eof");
  ASSERT_EQ(make(), Created::kYes) << strerror(outcome_.error);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kVerified) << obtained().components.view();
  EXPECT_EQ(obtained().components.view(), "1x1M@4M+2x2M@64M+all@eof");
  ASSERT_EQ(setxattr(mount_->point().c_str(), "stripefs.reset", "1", 1, 0), 0);
  write_some("out", 8 * kMiB);
  EXPECT_NE(told().find("start=4194304 end=67108864 unit=2097152 count=2"), std::string::npos) << told();
  Layout read;
  EXPECT_EQ(backend_->read(path().c_str(), read), 0);
  EXPECT_EQ(read.components.view(), "1x1M@4M+2x2M@64M+all@eof");
}

TEST_F(OnLustre, ComponentsInAPoolAndWithMoreStripesThanTheyHaveRoomFor) {
  asked() = {};
  asked().components = std::string_view("8x1M@4M+4@eof");
  asked().pool = std::string_view("flash");
  ASSERT_EQ(make(), Created::kYes) << strerror(outcome_.error);
  EXPECT_EQ(obtained().components.view(), "4x1M@4M+4@eof");
  EXPECT_EQ(obtained().pool.view(), "flash");
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kVerified);
}

TEST_F(OnLustre, ClippedComponentsAreTold) {
  asked() = {};
  asked().components = std::string_view("4@64M+8@eof");
  mount_->fail("clip=2");
  ASSERT_EQ(make(), Created::kYes);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kDiffers);
}

TEST_F(OnLustre, MalformedComponentsAreARefusal) {
  asked() = {};
  asked().components = std::string_view("4@64M+8@1M+1@eof");
  EXPECT_EQ(make(), Created::kRefused);
  EXPECT_EQ(outcome_.error, EINVAL);
  EXPECT_TRUE(files().empty());
}

// --- What an administrator says ---

bool may_exceed_limits() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "CapEff:" && status >> word) return (std::stoull(word, nullptr, 16) >> 24 & 1) != 0;
  }
  return false;
}

// In a mount namespace of its own, where this is what Lustre's client shows of the mount.
int with_setstripe_group(const std::string& group, uid_t user, gid_t user_group, const Backend& backend,
                         const std::string& folder) {
  const pid_t child = fork();
  if (child == 0) {
    if (unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", "/sys/fs", "tmpfs", 0, nullptr) != 0) {
      _exit(77);
    }
    const std::string parameters = "/sys/fs/lustre/llite/stripefs-0123456789abcdef";
    fs::create_directories(parameters);
    std::ofstream(parameters + "/enable_setstripe_gid") << group << '\n';
    if (setgroups(0, nullptr) != 0 || setgid(user_group) != 0 || (user != 0 && setuid(user) != 0)) _exit(78);
    _exit(backend.permission(folder.c_str()));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(OnLustre, LayoutsThatAreReservedToAGroupAreNotChosenByOthers) {
  if (geteuid() != 0) GTEST_SKIP() << "needs a mount namespace";
  const auto asked = [&](const char* group, uid_t user, gid_t user_group) {
    return with_setstripe_group(group, user, user_group, *backend_, folder());
  };
  if (asked("-1", 65534, 65534) == 77) GTEST_SKIP() << "no mount namespaces here";
  EXPECT_EQ(asked("-1", 65534, 65534), 0);
  EXPECT_EQ(asked("0", 65534, 65534), EACCES);
  EXPECT_EQ(asked("4321", 65534, 65534), EACCES);
  EXPECT_EQ(asked("4321", 65534, 4321), 0);
  // Only CAP_SYS_RESOURCE is above it, which root may lack in a container.
  EXPECT_EQ(asked("4321", 0, 0), may_exceed_limits() ? 0 : EACCES);
}

// Its parent's answers must not become those of the whole file system.
TEST_F(OnLustre, AFolderThatMayNotBeReadTellsNothingAboutOthers) {
  if (geteuid() != 0) GTEST_SKIP() << "becomes another user";
  const fs::path box = fs::path(folder()) / "box";
  fs::create_directory(box);
  ASSERT_EQ(chmod(box.c_str(), 0333), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (setgroups(0, nullptr) != 0 || setgid(65534) != 0 || setuid(65534) != 0) _exit(78);
    _exit(backend_->permission(box.c_str()) == kCannotAsk ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
  fs::remove(box);
}

TEST_F(OnLustre, CephsBackendIsRefusedHere) {
  EXPECT_EQ(create(*by_name("ceph"), path().c_str(), 0666, outcome_), Created::kRefused);
  EXPECT_EQ(outcome_.error, EOPNOTSUPP);
  EXPECT_TRUE(files().empty());
}

}  // namespace
}  // namespace toto::layout
