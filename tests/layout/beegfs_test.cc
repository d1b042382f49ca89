// SPDX-License-Identifier: BSD-3-Clause
// BeeGFS on stripefs: the ioctl, and the folders made beforehand where it is refused.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "core/config.h"
#include "hints/layout/beegfs.h"
#include "on_stripefs.h"

namespace toto::layout {
namespace {

class OnBeegfs : public OnStripefs {
 protected:
  static void SetUpTestSuite() { mount("beegfs"); }
};

// Runs `body` in a child process as another user (0: as we are); its exit code.
template <class Body>
int in_child(uid_t user, Body body) {
  const pid_t child = fork();
  if (child == 0) {
    if (user != 0 && (setgid(user) != 0 || setuid(user) != 0)) _exit(120);
    _exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

TEST_F(OnBeegfs, TheFileIsMadeUnderItsOwnNameInOneStep) {
  // No other name, no link: link(2) could not even be used.
  mount_->fail("link=EIO");
  ASSERT_EQ(make(), Created::kYes);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kVerified);
}

TEST_F(OnBeegfs, ChunksArePowersOfTwoFrom64KiB) {
  for (const auto& [asked_size, got] :
       {std::pair{100 * kKiB, 64 * kKiB}, {1, 64 * kKiB}, {3 * kMiB, 2 * kMiB}}) {
    asked().size = asked_size;
    ASSERT_EQ(make(std::to_string(asked_size)), Created::kYes);
    EXPECT_EQ(obtained().size, got);
    EXPECT_EQ(outcome_.layout_status, LayoutStatus::kDiffers);
  }
}

TEST_F(OnBeegfs, AllTargetsAndMoreThanThereAre) {
  asked().count = kAllTargets;
  ASSERT_EQ(make("all"), Created::kYes);
  EXPECT_EQ(obtained().count, kTargets);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kVerified);
  asked().count = 1000;
  ASSERT_EQ(make("many"), Created::kYes);
  EXPECT_EQ(obtained().count, kTargets);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kDiffers);
}

TEST_F(OnBeegfs, TargetsAndDefaultAreLearntFromFilesThatGoAwayAgain) {
  EXPECT_EQ(backend_->targets(folder().c_str()), 0U);
  EXPECT_EQ(backend_->count_targets(folder().c_str()), kTargets);
  FolderDefault found;
  EXPECT_EQ(backend_->folder_default(folder().c_str(), found), EOPNOTSUPP);
  ASSERT_EQ(backend_->learn_default(folder().c_str(), found), 0);
  EXPECT_EQ(found.layout.count, 1U);
  EXPECT_EQ(found.layout.size, kMiB);
  EXPECT_TRUE(files().empty());
  EXPECT_EQ(backend_->count_targets(path("no").c_str()), 0U);
}

TEST_F(OnBeegfs, ReadingNeedsSomePermissionAndKnowsFolders) {
  Layout read;
  EXPECT_EQ(backend_->read(folder().c_str(), read), EISDIR);
  EXPECT_EQ(backend_->read(path("no").c_str(), read), ENOENT);
  if (geteuid() != 0) GTEST_SKIP() << "needs to become another user";
  umask(0);
  ASSERT_EQ(make("w", 0222), Created::kYes);
  ASSERT_EQ(make("none", 0000), Created::kYes);
  const std::string write_only = path("w");
  const std::string closed = path("none");
  EXPECT_EQ(in_child(65534,
                     [&] {
                       if (backend_->read(write_only.c_str(), read) != 0 || read.count != 4) return 1;
                       return backend_->read(closed.c_str(), read) == EACCES ? 0 : 2;
                     }),
            0);
}

TEST_F(OnBeegfs, TargetsAreReadInStripeOrder) {
  ASSERT_EQ(make(), Created::kYes);
  std::uint32_t targets[8] = {};
  std::uint32_t count = 0;
  ASSERT_EQ(beegfs::read_targets(path().c_str(), targets, count), 0);
  ASSERT_EQ(count, 4U);
  std::string list;
  for (std::uint32_t i = 0; i < count; ++i) list += (i == 0 ? "" : ",") + std::to_string(targets[i] - 1);
  EXPECT_NE(told().find("targets=" + list), std::string::npos) << told() << list;
}

TEST_F(OnBeegfs, ALayoutThatCannotBeReadBackIsNoClaim) {
  mount_->fail("getlayout=EIO");
  ASSERT_EQ(make(), Created::kYes);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kRequested);
  EXPECT_EQ(obtained().count, 0U);
}

TEST_F(OnBeegfs, FoldersWithADefaultAccessListAreLeftAlone) {
  // acl(5): version 2; user::rwx, group::r-x, other::---. By the ioctl the umask would count, by open(2) not.
  const unsigned char list[] = {2, 0, 0,    0,    1,    0,    7,    0, 0xff, 0xff, 0xff, 0xff, 4,    0,
                                5, 0, 0xff, 0xff, 0xff, 0xff, 0x20, 0, 0,    0,    0xff, 0xff, 0xff, 0xff};
  ASSERT_EQ(setxattr(folder().c_str(), "system.posix_acl_default", list, sizeof(list), 0), 0)
      << strerror(errno);
  EXPECT_EQ(make(), Created::kRefused);
  EXPECT_EQ(outcome_.error, EOPNOTSUPP);
  EXPECT_TRUE(files().empty());
}

TEST_F(OnBeegfs, OtherFileSystemsAreNotAskedForTheirIoctls) {
  char name[] = "/tmp/toto-beegfs-XXXXXX";
  ASSERT_NE(mkdtemp(name), nullptr);
  EXPECT_EQ(create(*backend_, (std::string(name) + "/out").c_str(), 0666, outcome_), Created::kRefused);
  EXPECT_EQ(outcome_.error, EOPNOTSUPP);
  EXPECT_EQ(backend_->count_targets(name), 0U);
  EXPECT_TRUE(fs::is_empty(name));
  fs::remove(name);
}

// --- The folders made beforehand ---

// stripefs in all languages, so that folders can be given a default (by Lustre's attribute, as BeeGFS's own
// tool speaks to the servers), and the ioctl refused.
class StripingFolders : public OnStripefs {
 protected:
  static void SetUpTestSuite() {
    mount("all", "beegfs");
    for (const int count : {1, 2, 6}) {
      const std::string folder = mount_->path("ior_" + std::to_string(count));
      fs::create_directory(folder);
      ASSERT_EQ(chmod(folder.c_str(), 01777), 0);
      set_default(folder, static_cast<std::uint16_t>(count));
    }
    setenv("TOTO_BEEGFS_STRIPING_PREFIX", mount_->point().c_str(), 1);
    setenv("TOTO_BEEGFS_STRIPING_SUFIX", "ior", 1);
    config::load();
  }
  StripingFolders() { mount_->fail("setlayout=ENOTTY"); }
  ~StripingFolders() override {
    for (const int count : {1, 2, 6}) {
      EXPECT_TRUE(fs::is_empty(mount_->path("ior_" + std::to_string(count))));
    }
  }

  static void set_default(const std::string& folder, std::uint16_t count) {
    // lov_user_md_v1: magic, pattern, 16 bytes of identity, stripe size, stripe count, any target first.
    struct [[gnu::packed]] {
      std::uint32_t magic = 0x0BD10BD0, pattern = 1;
      std::uint64_t identity[2] = {};
      std::uint32_t size = 512 * 1024;
      std::uint16_t count = 0, offset = 0xffff;
    } lov;
    lov.count = count;
    ASSERT_EQ(setxattr(folder.c_str(), "lustre.lov", &lov, sizeof(lov), 0), 0) << strerror(errno);
  }
};

TEST_F(StripingFolders, GiveTheirStripesToAFileThatIsRenamedToItsPlace) {
  asked().count = 6;
  asked().size = 0;
  errno = 77;
  ASSERT_EQ(make(), Created::kYes) << outcome_.error;
  EXPECT_EQ(errno, 77);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kVerified);
  EXPECT_EQ(obtained().count, 6U);
  EXPECT_EQ(obtained().size, 512 * kKiB);
  EXPECT_EQ(files(), std::vector<std::string>{"out"});
  EXPECT_EQ(info().st_nlink, 1U);
  write_some();
  EXPECT_NE(told().find("unit=524288 count=6 "), std::string::npos) << told();
}

TEST_F(StripingFolders, TheNearestFromBelowIsTakenAndToldAsDiffering) {
  for (const auto& [count, got] : {std::pair{4U, 2U}, {5U, 2U}, {7U, 6U}, {kAllTargets, 6U}}) {
    asked().count = count;
    asked().size = 0;
    ASSERT_EQ(make(std::to_string(count)), Created::kYes) << outcome_.error;
    EXPECT_EQ(obtained().count, got);
    // Nobody knows whether the widest folder is "all" targets: it is not said to be.
    EXPECT_EQ(outcome_.layout_status, LayoutStatus::kDiffers);
  }
}

TEST_F(StripingFolders, AChunkSizeAloneHasNoFolder) {
  asked().count = 0;
  EXPECT_EQ(make(), Created::kRefused);
  EXPECT_EQ(outcome_.error, EOPNOTSUPP);
}

TEST_F(StripingFolders, ModesAreThoseOfOpen) {
  for (const mode_t mask : {0022, 0077, 0222, 0777}) {
    for (const mode_t mode : {0666, 0600, 0444, 0000}) {
      umask(mask);
      const std::string name = std::to_string(mask) + "." + std::to_string(mode);
      ASSERT_EQ(make(name, mode), Created::kYes) << outcome_.error;
      EXPECT_EQ(obtained().count, 2U);
      EXPECT_EQ(info(name).st_mode & 07777, mode & ~mask) << std::oct << mask << ' ' << mode;
    }
  }
}

TEST_F(StripingFolders, OrdinaryUsersAndTheirOwnership) {
  if (geteuid() != 0) GTEST_SKIP() << "needs to become another user";
  ASSERT_EQ(chmod(folder().c_str(), 0777), 0);
  EXPECT_EQ(in_child(65534, [&] { return make() == Created::kYes && obtained().count == 2 ? 0 : 1; }), 0);
  EXPECT_EQ(info().st_uid, 65534U);
  EXPECT_EQ(info().st_gid, 65534U);
}

TEST_F(StripingFolders, TheGroupIsTheOneOfThePlace) {
  if (geteuid() != 0) GTEST_SKIP() << "needs to give folders to another group";
  ASSERT_EQ(chown(folder().c_str(), 0, 4321), 0);
  ASSERT_EQ(chmod(folder().c_str(), 02775), 0);
  ASSERT_EQ(make("here"), Created::kYes);
  EXPECT_EQ(info("here").st_gid, 4321U);
  // And not the one of the folder made beforehand.
  ASSERT_EQ(chmod(folder().c_str(), 0775), 0);
  const std::string two = mount_->path("ior_2");
  ASSERT_EQ(chown(two.c_str(), 0, 1234), 0);
  ASSERT_EQ(chmod(two.c_str(), 03777), 0);
  EXPECT_EQ(make("there", 0640), Created::kYes);
  EXPECT_EQ(info("there").st_gid, getegid());
  EXPECT_EQ(info("there").st_mode & 07777, 0640U);
  ASSERT_EQ(chown(two.c_str(), 0, 0), 0);
  ASSERT_EQ(chmod(two.c_str(), 01777), 0);
}

TEST_F(StripingFolders, AnotherFileSystemIsARefusalThatLeavesNothing) {
  char name[] = "/tmp/toto-beegfs-XXXXXX";
  ASSERT_NE(mkdtemp(name), nullptr);
  EXPECT_EQ(create(*backend_, (std::string(name) + "/out").c_str(), 0666, outcome_), Created::kRefused);
  EXPECT_EQ(outcome_.error, EXDEV);
  EXPECT_TRUE(fs::is_empty(name));
  fs::remove(name);
}

TEST_F(StripingFolders, WhereNeitherLinksNorAnExclusiveRenameWorkNothingIsMade) {
  // A plain rename could replace another's file.
  mount_->fail("setlayout=ENOTTY,link=EPERM");
  const int code = in_child(0, [&] {
    sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[4])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{.len = static_cast<unsigned short>(std::size(filter)), .filter = filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
      return 77;
    return make() == Created::kRefused ? 0 : 1;
  });
  if (code == 77) GTEST_SKIP() << "no seccomp here";
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(files().empty());
}

TEST_F(StripingFolders, OfEightProcessesOneWinsEachFile) {
  constexpr int kProcesses = 8, kFiles = 25;
  int results[2];
  ASSERT_EQ(pipe(results), 0);
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    for (int file = 0; file < kFiles; ++file) {
      const std::string name = std::to_string(file);
      const Created created = make(name);
      char letter = created == Created::kYes ? 'y' : created == Created::kExists ? 'e' : 'r';
      Layout read;
      if (backend_->read(path(name).c_str(), read) != 0 || read.count != 2) letter = 'l';
      if (write(results[1], &letter, 1) != 1) _exit(1);
    }
    _exit(0);
  }
  close(results[1]);
  std::string letters;
  for (char letter = 0; read(results[0], &letter, 1) == 1;) letters += letter;
  close(results[0]);
  for (const pid_t child : children) waitpid(child, nullptr, 0);
  EXPECT_EQ(std::count(letters.begin(), letters.end(), 'y'), kFiles);
  EXPECT_EQ(std::count(letters.begin(), letters.end(), 'e'), kFiles * (kProcesses - 1));
  EXPECT_EQ(files().size(), static_cast<std::size_t>(kFiles));
}

}  // namespace
}  // namespace toto::layout
