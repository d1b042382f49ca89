// SPDX-License-Identifier: BSD-3-Clause
// create() on an ordinary folder, with a backend that makes ordinary files: names, modes, races, failures.
#include "hints/layout/create.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "hints/layout/new_file.h"

namespace toto::layout {
namespace {

namespace fs = std::filesystem;

// Gives every file what is asked, or `answer`.
class FakeBackend final : public Backend {
 public:
  [[nodiscard]] std::string_view name() const override { return "fake"; }
  [[nodiscard]] Capabilities capabilities() const override {
    return {.stripe_count = true, .stripe_size = true, .all_targets = true};
  }
  [[nodiscard]] std::string_view who() const override { return "anybody"; }
  [[nodiscard]] std::uint32_t targets(const char*) const override { return targets_here; }
  int create(const char* path, mode_t mode, const Layout& layout, Layout& obtained) const override {
    seen = path;
    if (answer != 0 && answer != EEXIST) return answer;
    NewFile file(path, mode);
    if (const int error = file.make()) return error;
    if (fail_after_make != 0) return fail_after_make;
    obtained = layout;
    if (clip != 0) obtained.count = std::min(obtained.count, clip);
    if (before_return != nullptr) before_return();
    return file.keep();
  }
  int read(const char*, Layout&) const override { return ENODATA; }
  int folder_default(const char*, FolderDefault&) const override { return ENODATA; }

  int answer = 0;
  int fail_after_make = 0;
  std::uint32_t clip = 0;
  std::uint32_t targets_here = 8;
  void (*before_return)() = nullptr;
  mutable std::string seen;  // the name that was made
};

std::string competitor_path;

// From here on this process's link(2) fails as on a file system without hard links, and so does the exclusive
// rename when `rename_too`. False when the kernel does not let us.
bool forbid_links(bool rename_too) {
  const auto answer = [](int error) { return static_cast<std::uint32_t>(SECCOMP_RET_ERRNO | error); };
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_linkat, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, answer(EOPNOTSUPP)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, rename_too ? answer(EINVAL) : SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{.len = static_cast<unsigned short>(std::size(filter)), .filter = filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

class CreateTest : public ::testing::Test {
 protected:
  CreateTest() {
    char name[] = "/tmp/toto-create-XXXXXX";
    folder_ = mkdtemp(name);
    outcome_.asked.count = 4;
    outcome_.asked.size = 1 << 20;
  }
  ~CreateTest() override {
    umask(umask_);
    fs::remove_all(folder_);
  }
  [[nodiscard]] std::string path(const std::string& name = "out") const { return folder_ + "/" + name; }
  Created make(const std::string& name = "out", mode_t mode = 0666, mode_t* late = nullptr) {
    return create(backend_, path(name).c_str(), mode, outcome_, late);
  }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename());
    return names;
  }
  [[nodiscard]] mode_t mode_of(const std::string& name = "out") const {
    struct stat info {};
    EXPECT_EQ(stat(path(name).c_str(), &info), 0);
    EXPECT_EQ(info.st_nlink, 1U);
    return info.st_mode & 07777;
  }

  mode_t umask_ = umask(022);
  std::string folder_;
  FakeBackend backend_;
  Outcome outcome_;
};

TEST_F(CreateTest, FileIsThereUnderItsNameOnly) {
  errno = 77;
  EXPECT_EQ(make(), Created::kYes);
  EXPECT_EQ(errno, 77);
  EXPECT_EQ(files(), std::vector<std::string>{"out"});
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kVerified);
  EXPECT_EQ(outcome_.obtained.count, 4U);
  EXPECT_EQ(outcome_.error, 0);
  EXPECT_EQ(mode_of(), 0644U);
}

TEST_F(CreateTest, TemporaryNameLiesInTheSameFolderAndIsHidden) {
  make();
  EXPECT_EQ(backend_.seen.rfind(folder_ + "/.out.toto-", 0), 0U) << backend_.seen;
}

TEST_F(CreateTest, NothingAskedMakesNothing) {
  outcome_.asked = {};
  EXPECT_EQ(make(), Created::kRefused);
  EXPECT_EQ(outcome_.error, 0);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kNone);
  EXPECT_TRUE(files().empty());
}

TEST_F(CreateTest, ClippedCountIsTold) {
  backend_.clip = 2;
  EXPECT_EQ(make(), Created::kYes);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kDiffers);
  EXPECT_EQ(outcome_.obtained.count, 2U);
}

TEST_F(CreateTest, ExistingFileIsLeftAlone) {
  std::ofstream(path()) << "old";
  errno = 77;
  EXPECT_EQ(make(), Created::kExists);
  EXPECT_EQ(errno, 77);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kExisting);
  EXPECT_EQ(fs::file_size(path()), 3U);
  EXPECT_EQ(files().size(), 1U);
  EXPECT_EQ(backend_.seen, "");  // nothing was tried
}

TEST_F(CreateTest, DanglingLinkAndFolderExistToo) {
  fs::create_symlink("nowhere", path("link"));
  fs::create_directory(path("dir"));
  EXPECT_EQ(make("link"), Created::kExists);
  EXPECT_EQ(make("dir"), Created::kExists);
  EXPECT_EQ(files().size(), 2U);
}

TEST_F(CreateTest, LoserOfARaceLeavesTheWinnersFile) {
  competitor_path = path();
  backend_.before_return = [] { std::ofstream(competitor_path) << "winner"; };
  EXPECT_EQ(make(), Created::kExists);
  EXPECT_EQ(files(), std::vector<std::string>{"out"});
  EXPECT_EQ(fs::file_size(path()), 6U);
}

TEST_F(CreateTest, RefusalsLeaveNothingBehind) {
  for (const int error : {EACCES, ENOSPC, EINVAL, EOPNOTSUPP, EIO, ENODATA}) {
    backend_.answer = error;
    errno = 77;
    EXPECT_EQ(make(), Created::kRefused);
    EXPECT_EQ(errno, 77);
    EXPECT_EQ(outcome_.error, error);
    EXPECT_EQ(outcome_.layout_status, LayoutStatus::kRefused);
    EXPECT_TRUE(files().empty());
  }
  backend_.answer = 0;
  backend_.fail_after_make = ENOSPC;
  EXPECT_EQ(make(), Created::kRefused);
  EXPECT_TRUE(files().empty());
}

TEST_F(CreateTest, TemporaryNamesThatAreAlwaysTakenAreARefusal) {
  backend_.fail_after_make = EEXIST;
  EXPECT_EQ(make(), Created::kRefused);
  EXPECT_EQ(outcome_.error, EBUSY);
  EXPECT_TRUE(files().empty());
}

TEST_F(CreateTest, MissingFolderIsARefusal) {
  EXPECT_EQ(make("no/out"), Created::kRefused);
  EXPECT_EQ(outcome_.error, ENOENT);
  std::ofstream(path("file")) << "x";
  EXPECT_EQ(make("file/out"), Created::kRefused);
  EXPECT_EQ(outcome_.error, ENOTDIR);
  EXPECT_EQ(make("out/"), Created::kRefused);
}

TEST_F(CreateTest, LongestNamesAreCutInTheTemporaryNameOnly) {
  const std::string longest(NAME_MAX, 'n');
  EXPECT_EQ(make(longest), Created::kYes);
  EXPECT_EQ(files(), std::vector<std::string>{longest});
  EXPECT_LE(fs::path(backend_.seen).filename().string().size(), std::size_t{NAME_MAX});
  EXPECT_EQ(make(longest + "n"), Created::kRefused);
  EXPECT_EQ(outcome_.error, ENAMETOOLONG);
}

TEST_F(CreateTest, TemporaryNamesHaveWholeCharacters) {
  for (std::size_t lead = 0; lead < 4; ++lead) {
    std::string name(lead, 'a');
    while (name.size() + 3 <= NAME_MAX) name += "\xe2\x82\xac";  // the euro sign
    EXPECT_EQ(make(name), Created::kYes);
    const std::string temporary = fs::path(backend_.seen).filename();
    const std::size_t kept = temporary.find(".toto-") - 1;
    EXPECT_EQ((kept - lead) % 3, 0U) << temporary;
    EXPECT_GT(kept, 200U);
  }
}

TEST_F(CreateTest, PathsTooLongForUsAreARefusal) {
  const std::string path = folder_ + std::string(4080 - folder_.size(), '/') + "a";
  EXPECT_EQ(create(backend_, path.c_str(), 0666, outcome_), Created::kRefused);
  EXPECT_EQ(outcome_.error, ENAMETOOLONG);
  EXPECT_TRUE(files().empty());
}

TEST_F(CreateTest, ModesAreThoseOfOpen) {
  for (const mode_t mask : {0000, 0022, 0077, 0027, 0222, 0277, 0400, 0777}) {
    for (const mode_t mode : {0666, 0644, 0600, 0444, 0400, 0200, 0000, 0755, 01644, 06755}) {
      umask(mask);
      const std::string name = std::to_string(mask) + "." + std::to_string(mode);
      const int fd = open(path(name + ".open").c_str(), O_CREAT | O_EXCL | O_WRONLY, mode);
      ASSERT_GE(fd, 0);
      close(fd);
      ASSERT_EQ(make(name, mode), Created::kYes);
      EXPECT_EQ(mode_of(name), mode_of(name + ".open")) << std::oct << mask << ' ' << mode;
    }
  }
}

TEST_F(CreateTest, LateModeLeavesTheFileOpenToItsOwner) {
  for (const mode_t mask : {0022, 0222, 0777}) {
    for (const mode_t mode : {0666, 0444, 0200, 0000}) {
      umask(mask);
      const std::string name = std::to_string(mask) + "." + std::to_string(mode);
      mode_t late = 0;
      ASSERT_EQ(make(name, mode, &late), Created::kYes);
      const mode_t wanted = mode & ~mask;
      if ((wanted & 0600) == 0600) {
        EXPECT_EQ(late, kNoLateMode);
        EXPECT_EQ(mode_of(name), wanted);
      } else {
        EXPECT_EQ(late, wanted);
        EXPECT_EQ(mode_of(name), wanted | 0600);
      }
    }
  }
}

TEST_F(CreateTest, LateModeIsNoneWhereNothingWasMade) {
  mode_t late = 0;
  backend_.answer = EACCES;
  EXPECT_EQ(make("out", 0444, &late), Created::kRefused);
  EXPECT_EQ(late, kNoLateMode);
  backend_.answer = 0;
  std::ofstream(path()) << "x";
  late = 0;
  EXPECT_EQ(make("out", 0444, &late), Created::kExists);
  EXPECT_EQ(late, kNoLateMode);
}

TEST_F(CreateTest, SetGidFolderGivesItsGroup) {
  if (geteuid() != 0) GTEST_SKIP() << "needs to give a folder to another group";
  ASSERT_EQ(chown(folder_.c_str(), 0, 4321), 0);
  ASSERT_EQ(chmod(folder_.c_str(), 02775), 0);
  ASSERT_EQ(make("a", 0640), Created::kYes);
  ASSERT_EQ(make("b", 0440), Created::kYes);
  for (const char* name : {"a", "b"}) {
    struct stat info {};
    ASSERT_EQ(stat(path(name).c_str(), &info), 0);
    EXPECT_EQ(info.st_gid, 4321U);
  }
  EXPECT_EQ(mode_of("b"), 0440U);
}

TEST_F(CreateTest, OrdinaryUsersGetTheirModesToo) {
  if (geteuid() != 0) GTEST_SKIP() << "needs to become another user";
  ASSERT_EQ(chmod(folder_.c_str(), 0777), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (setgid(65534) != 0 || setuid(65534) != 0) _exit(2);
    umask(0222);
    const bool made = make("a", 0444) == Created::kYes && make("b", 0666) == Created::kYes &&
                      make("c", 0000) == Created::kYes;
    _exit(made && mode_of("a") == 0444 && mode_of("b") == 0444 && mode_of("c") == 0 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(files().size(), 3U);
}

TEST_F(CreateTest, AllTargetsAreHeldAgainstTheirNumber) {
  outcome_.asked.count = kAllTargets;
  backend_.clip = 8;
  EXPECT_EQ(make("a"), Created::kYes);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kVerified);
  backend_.clip = 7;
  EXPECT_EQ(make("b"), Created::kYes);
  EXPECT_EQ(outcome_.layout_status, LayoutStatus::kDiffers);
}

TEST_F(CreateTest, OfEightProcessesOneWinsEachFile) {
  constexpr int kProcesses = 8;
  constexpr int kFiles = 100;
  std::vector<pid_t> children;
  int results[2];
  ASSERT_EQ(pipe(results), 0);
  for (int process = 0; process < kProcesses; ++process) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    for (int file = 0; file < kFiles; ++file) {
      const Created created = make(std::to_string(file));
      const char letter = created == Created::kYes ? 'y' : created == Created::kExists ? 'e' : 'r';
      if (write(results[1], &letter, 1) != 1) _exit(1);
    }
    _exit(0);
  }
  close(results[1]);
  int won = 0;
  int lost = 0;
  int refused = 0;
  for (char letter = 0; read(results[0], &letter, 1) == 1;) {
    (letter == 'y' ? won : letter == 'e' ? lost : refused) += 1;
  }
  close(results[0]);
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(won, kFiles);
  EXPECT_EQ(lost, kFiles * (kProcesses - 1));
  EXPECT_EQ(refused, 0);
  EXPECT_EQ(files().size(), static_cast<std::size_t>(kFiles));
}

TEST_F(CreateTest, WithoutHardLinksTheNameIsGivenOtherwise) {
  for (const bool rename_too : {false, true}) {
    const std::string name = rename_too ? "made" : "renamed";
    const pid_t child = fork();
    if (child == 0) {
      if (!forbid_links(rename_too)) _exit(77);
      if (make(name, 0444) != Created::kYes || outcome_.layout_status != LayoutStatus::kVerified) _exit(1);
      if (backend_.seen.ends_with("/" + name) != rename_too) _exit(2);
      if (make(name) != Created::kExists) _exit(3);
      // Somebody is first between the look and the creation.
      competitor_path = path("raced");
      unlink(competitor_path.c_str());
      backend_.before_return = [] { std::ofstream(competitor_path) << "winner"; };
      if (make("raced") != Created::kExists || fs::file_size(competitor_path) != 6) _exit(4);
      backend_.before_return = nullptr;
      backend_.fail_after_make = EIO;
      _exit(make("failed") == Created::kRefused && outcome_.error == EIO ? 0 : 5);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "no seccomp";
    EXPECT_EQ(status, 0);
    EXPECT_EQ(mode_of(name), 0444U);
  }
  EXPECT_EQ(files().size(), 3U);
}

TEST_F(CreateTest, SmallStacksSuffice) {
  struct Job {
    std::string path;
    const Backend& backend;
    Outcome& outcome;
    Created created;
  } job{path(), backend_, outcome_, Created::kRefused};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN), 0);
  pthread_t thread{};
  const auto run = [](void* argument) -> void* {
    auto& mine = *static_cast<Job*>(argument);
    mine.created = create(mine.backend, mine.path.c_str(), 0666, mine.outcome);
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &job), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  EXPECT_EQ(job.created, Created::kYes);
}

TEST(Satisfies, OnlyWhatWasAsked) {
  const Layout obtained{.count = 4, .size = 65536, .object_size = 131072, .pool = std::string_view("p")};
  const auto holds = [&](std::uint32_t count, std::uint64_t size, std::uint64_t object, const char* pool) {
    return satisfies({.count = count, .size = size, .object_size = object, .pool = std::string_view(pool)},
                     obtained, 0);
  };
  EXPECT_TRUE(holds(0, 0, 0, ""));
  EXPECT_TRUE(holds(4, 0, 0, ""));
  EXPECT_TRUE(holds(4, 65536, 131072, "p"));
  EXPECT_FALSE(holds(5, 0, 0, ""));
  EXPECT_FALSE(holds(0, 65537, 0, ""));
  EXPECT_FALSE(holds(0, 0, 65536, ""));
  EXPECT_FALSE(holds(0, 0, 0, "q"));
}

TEST(Satisfies, AllTargets) {
  Layout asked;
  asked.count = kAllTargets;
  Layout obtained;
  EXPECT_FALSE(satisfies(asked, obtained, 0));
  obtained.count = 3;
  EXPECT_TRUE(satisfies(asked, obtained, 0));
  EXPECT_TRUE(satisfies(asked, obtained, 3));
  EXPECT_FALSE(satisfies(asked, obtained, 4));
  obtained.pool = std::string_view("narrow");
  EXPECT_TRUE(satisfies(asked, obtained, 4));
}

TEST(Satisfies, CutPoolNamesProveNothing) {
  Layout asked;
  asked.pool = std::string_view("123456789012345");
  Layout obtained;
  obtained.pool = std::string_view("1234567890123456");
  EXPECT_FALSE(satisfies(asked, obtained, 0));
}

TEST(Registry, BackendsAreFoundByTheirNames) {
  for (const Backend* backend : backends()) {
    EXPECT_EQ(by_name(backend->name()), backend);
    EXPECT_TRUE(backend->capabilities().any());
  }
  EXPECT_NE(by_name("lustre"), nullptr);
  EXPECT_NE(by_name("ceph"), nullptr);
  EXPECT_EQ(by_name("ext4"), nullptr);
  EXPECT_EQ(by_name(""), nullptr);
}

}  // namespace
}  // namespace toto::layout
