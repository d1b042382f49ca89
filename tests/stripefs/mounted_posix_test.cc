// SPDX-License-Identifier: BSD-3-Clause
//
// What programs expect of any file system.
#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/fs.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <set>
#include <thread>

#include "testing_mount.h"

namespace toto::stripefs::testing {
namespace {

constexpr std::size_t kMebi = 1 << 20;

class Posix : public ::testing::Test {
 protected:
  Mount mount_{{"--targets", "4", "--rate", "0"}};

  struct stat Stat(const std::string& name) const {
    struct stat attributes {};
    EXPECT_EQ(lstat(mount_.path(name).c_str(), &attributes), 0) << name;
    return attributes;
  }
};

TEST_F(Posix, DataComesBackAndHolesAreZero) {
  const Fd file(mount_.path("f"), O_RDWR | O_CREAT);
  ASSERT_EQ(pwrite(file.get(), "abc", 3, 5 * kMebi), 3);
  std::string buffer(8, 'x');
  ASSERT_EQ(pread(file.get(), buffer.data(), 8, 5 * kMebi - 5), 8);
  EXPECT_EQ(buffer, std::string("\0\0\0\0\0abc", 8));
  EXPECT_EQ(Stat("f").st_size, static_cast<off_t>(5 * kMebi + 3));
  EXPECT_EQ(lseek(file.get(), 0, SEEK_DATA) > 0, true);
}

TEST_F(Posix, SeveralWritersExtendOneFileWithoutLosingAnything) {
  constexpr int kWriters = 4;
  constexpr int kBlocks = 50;
  constexpr std::size_t kBlock = 10000;
  std::vector<std::thread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      const Fd file(mount_.path("f"), O_WRONLY | O_CREAT);
      const std::string data(kBlock, static_cast<char>('a' + writer));
      for (int i = 0; i < kBlocks; ++i) {
        const auto offset = static_cast<off_t>(kBlock) * (i * kWriters + writer);
        EXPECT_EQ(pwrite(file.get(), data.data(), kBlock, offset), static_cast<ssize_t>(kBlock));
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(Stat("f").st_size, static_cast<off_t>(kBlock) * kWriters * kBlocks);
  const Fd file(mount_.path("f"), O_RDONLY);
  for (int block = 0; block < kWriters * kBlocks; ++block) {
    char c = 0;
    ASSERT_EQ(pread(file.get(), &c, 1, static_cast<off_t>(kBlock) * block + 77), 1);
    EXPECT_EQ(c, 'a' + block % kWriters) << block;
  }
}

TEST_F(Posix, AppendsOfSeveralWritersDoNotOverwriteEachOther) {
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 4; ++writer) {
    writers.emplace_back([&] {
      const Fd file(mount_.path("f"), O_WRONLY | O_CREAT | O_APPEND);
      for (int i = 0; i < 100; ++i) EXPECT_EQ(write(file.get(), "0123456789", 10), 10);
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(Stat("f").st_size, 4000);
}

TEST_F(Posix, CreationHonoursUmaskExclusiveAndTruncate) {
  const mode_t before = umask(027);
  { const Fd file(mount_.path("f"), O_WRONLY | O_CREAT | O_EXCL, 0666); }
  umask(before);
  EXPECT_EQ(Stat("f").st_mode, S_IFREG | 0640U);
  EXPECT_EQ(Fd(mount_.path("f"), O_WRONLY | O_CREAT | O_EXCL).error(), EEXIST);
  ASSERT_EQ(WriteFile(mount_.path("f"), 100), 0);
  { const Fd file(mount_.path("f"), O_WRONLY | O_TRUNC); }
  EXPECT_EQ(Stat("f").st_size, 0);
  // A new file may be written by its maker whatever its mode.
  const Fd read_only(mount_.path("g"), O_WRONLY | O_CREAT | O_EXCL, 0400);
  EXPECT_EQ(WriteBytes(read_only.get(), 1, 0), 0);
}

int TryToWrite(const std::string& path) { return Fd(path, O_WRONLY).error(); }
int TryToMake(const std::string& path) { return Fd(path, O_WRONLY | O_CREAT).error(); }

TEST_F(Posix, PermissionsAreChecked) {
  ASSERT_EQ(WriteFile(mount_.path("f"), 1), 0);
  EXPECT_EQ(AsUser(65534, TryToWrite, mount_.path("f")), EACCES);
  EXPECT_EQ(AsUser(65534, TryToMake, mount_.path("g")), EACCES);
  ASSERT_EQ(chmod(mount_.path("f").c_str(), 0666), 0);
  EXPECT_EQ(AsUser(65534, TryToWrite, mount_.path("f")), 0);
}

TEST_F(Posix, SetGroupIdDirectoriesHandTheirGroupOn) {
  ASSERT_EQ(mkdir(mount_.path("d").c_str(), 0755), 0);
  ASSERT_EQ(chown(mount_.path("d").c_str(), 0, 1234), 0);
  ASSERT_EQ(chmod(mount_.path("d").c_str(), 02775), 0);
  ASSERT_EQ(WriteFile(mount_.path("d/f"), 1), 0);
  ASSERT_EQ(mkdir(mount_.path("d/sub").c_str(), 0755), 0);
  EXPECT_EQ(Stat("d/f").st_gid, 1234U);
  EXPECT_EQ(Stat("d/sub").st_gid, 1234U);
  EXPECT_NE(Stat("d/sub").st_mode & S_ISGID, 0U);
}

TEST_F(Posix, HardLinksShareTheFileAndItsLayout) {
  ASSERT_EQ(WriteFile(mount_.path("f"), 10), 0);
  ASSERT_EQ(link(mount_.path("f").c_str(), mount_.path("g").c_str()), 0);
  EXPECT_EQ(Stat("f").st_nlink, 2U);
  EXPECT_EQ(Stat("f").st_ino, Stat("g").st_ino);
  EXPECT_EQ(link(mount_.path("f").c_str(), mount_.path("g").c_str()), -1);
  EXPECT_EQ(errno, EEXIST);
  ASSERT_EQ(unlink(mount_.path("f").c_str()), 0);
  EXPECT_EQ(Stat("g").st_nlink, 1U);
  EXPECT_EQ(GetAttribute(mount_.path("g"), "lustre.lov").size(), 56U);
}

TEST_F(Posix, AnUnlinkedFileLivesOnWhileItIsOpen) {
  const Fd file(mount_.path("f"), O_RDWR | O_CREAT);
  ASSERT_EQ(unlink(mount_.path("f").c_str()), 0);
  ASSERT_EQ(WriteBytes(file.get(), 100, 0), 0);
  struct stat attributes {};
  ASSERT_EQ(fstat(file.get(), &attributes), 0);
  EXPECT_EQ(attributes.st_nlink, 0U);
  EXPECT_EQ(attributes.st_size, 100);
}

TEST_F(Posix, RenameReplacesButKnowsNoFlags) {
  ASSERT_EQ(WriteFile(mount_.path("f"), 10), 0);
  ASSERT_EQ(WriteFile(mount_.path("g"), 20), 0);
  const auto rename_with = [&](unsigned flags) {
    return renameat2(AT_FDCWD, mount_.path("f").c_str(), AT_FDCWD, mount_.path("g").c_str(), flags) == 0
               ? 0
               : errno;
  };
  ASSERT_EQ(unlink(mount_.path("g").c_str()), 0);
  EXPECT_EQ(rename_with(RENAME_NOREPLACE), EINVAL);
  ASSERT_EQ(WriteFile(mount_.path("g"), 20), 0);
  EXPECT_EQ(rename_with(RENAME_EXCHANGE), EINVAL);
  EXPECT_EQ(rename_with(0), 0);
  EXPECT_EQ(Stat("g").st_size, 10);
  EXPECT_EQ(access(mount_.path("f").c_str(), F_OK), -1);
}

TEST_F(Posix, DirectoriesCountLinksAndRefuseToGoWhileFull) {
  ASSERT_EQ(mkdir(mount_.path("d").c_str(), 0755), 0);
  ASSERT_EQ(mkdir(mount_.path("d/sub").c_str(), 0755), 0);
  EXPECT_EQ(Stat("d").st_nlink, 3U);
  EXPECT_EQ(rmdir(mount_.path("d").c_str()), -1);
  EXPECT_EQ(errno, ENOTEMPTY);
  ASSERT_EQ(rename(mount_.path("d/sub").c_str(), mount_.path("moved").c_str()), 0);
  EXPECT_EQ(rmdir(mount_.path("d").c_str()), 0);
  EXPECT_EQ(Stat("").st_nlink, 3U);
}

TEST_F(Posix, ALargeDirectoryIsListedCompletelyWhileItIsEmptied) {
  constexpr int kFiles = 3000;
  for (int i = 0; i < kFiles; ++i) {
    ASSERT_EQ(mknod(mount_.path("file" + std::to_string(i)).c_str(), S_IFREG | 0644, 0), 0);
  }
  std::set<std::string> names;
  DIR* const directory = opendir(mount_.path().c_str());
  while (const dirent* const entry = readdir(directory)) {
    names.insert(entry->d_name);
    if (entry->d_name[0] == 'f') unlink(mount_.path(entry->d_name).c_str());
  }
  closedir(directory);
  EXPECT_EQ(names.size(), kFiles + 2U);
}

TEST_F(Posix, SymbolicLinksPointSomewhere) {
  ASSERT_EQ(symlink("some/where", mount_.path("s").c_str()), 0);
  char target[64] = {};
  ASSERT_EQ(readlink(mount_.path("s").c_str(), target, sizeof target), 10);
  EXPECT_STREQ(target, "some/where");
}

TEST_F(Posix, TimesAndOwnersAreSet) {
  ASSERT_EQ(WriteFile(mount_.path("f"), 1), 0);
  const timespec times[2] = {{1000, 5}, {2000, 7}};
  ASSERT_EQ(utimensat(AT_FDCWD, mount_.path("f").c_str(), times, 0), 0);
  EXPECT_EQ(Stat("f").st_atim.tv_sec, 1000);
  EXPECT_EQ(Stat("f").st_mtim.tv_nsec, 7);
  ASSERT_EQ(chown(mount_.path("f").c_str(), 5, 6), 0);
  EXPECT_EQ(Stat("f").st_uid, 5U);
  EXPECT_EQ(Stat("f").st_gid, 6U);
}

TEST_F(Posix, PreallocationExtendsWithoutTakingMemory) {
  const Fd file(mount_.path("f"), O_RDWR | O_CREAT);
  ASSERT_EQ(posix_fallocate(file.get(), 0, off_t{1} << 40), 0);
  EXPECT_EQ(Stat("f").st_size, off_t{1} << 40);
  EXPECT_EQ(Stat("f").st_blocks, 0);
  ASSERT_EQ(WriteBytes(file.get(), 2 * kMebi, 0), 0);
  ASSERT_EQ(fallocate(file.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, kMebi), 0);
  char c = 'y';
  ASSERT_EQ(pread(file.get(), &c, 1, 0), 1);
  EXPECT_EQ(c, '\0');
}

TEST_F(Posix, UsersHaveTheirOwnAttributes) {
  ASSERT_EQ(WriteFile(mount_.path("f"), 1), 0);
  const std::string path = mount_.path("f");
  EXPECT_EQ(SetAttribute(path, "user.note", "hello", XATTR_CREATE), 0);
  EXPECT_EQ(SetAttribute(path, "user.note", "again", XATTR_CREATE), EEXIST);
  EXPECT_EQ(GetAttribute(path, "user.note"), "hello");
  EXPECT_EQ(RemoveAttribute(path, "user.note"), 0);
  EXPECT_EQ(GetAttributeError(path, "user.note"), ENODATA);
}

TEST_F(Posix, LocksWorkBetweenProcesses) {
  const Fd file(mount_.path("f"), O_RDWR | O_CREAT);
  struct flock lock {};
  lock.l_type = F_WRLCK;
  ASSERT_EQ(fcntl(file.get(), F_SETLK, &lock), 0);
  const int other = AsUser(
      0,
      [](const std::string& path) {
        const Fd again(path, O_RDWR);
        struct flock wanted {};
        wanted.l_type = F_WRLCK;
        return fcntl(again.get(), F_SETLK, &wanted) == 0 ? 0 : errno;
      },
      mount_.path("f"));
  EXPECT_EQ(other, EAGAIN);
}

TEST_F(Posix, PrivateMappingsWorkAndSharedOnesAreRefused) {
  ASSERT_EQ(WriteFile(mount_.path("f"), 4096), 0);
  const Fd file(mount_.path("f"), O_RDWR);
  void* const map = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, file.get(), 0);
  ASSERT_NE(map, MAP_FAILED);
  EXPECT_EQ(*static_cast<const char*>(map), 'x');
  munmap(map, 4096);
  EXPECT_EQ(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0), MAP_FAILED);
}

TEST_F(Posix, TheFileSystemHasRoom) {
  struct statvfs stat {};
  ASSERT_EQ(statvfs(mount_.path().c_str(), &stat), 0);
  EXPECT_GT(stat.f_bavail, 0U);
  EXPECT_EQ(stat.f_namemax, 255U);
}

}  // namespace
}  // namespace toto::stripefs::testing
