// SPDX-License-Identifier: BSD-3-Clause
#include "core/path.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

namespace toto::path {
namespace {

std::string absolute_of(int dir, std::string_view text) {
  Path out;
  return absolute(dir, text, out) ? std::string(out.view()) : "(no)";
}

TEST(Absolute, FoldsDotsAndSlashesWithoutLookingAtTheFileSystem) {
  EXPECT_EQ(absolute_of(AT_FDCWD, "/a//b/./c"), "/a/b/c");
  EXPECT_EQ(absolute_of(AT_FDCWD, "/a/b/../c"), "/a/c");
  EXPECT_EQ(absolute_of(AT_FDCWD, "/../.."), "/");
  EXPECT_EQ(absolute_of(AT_FDCWD, "/"), "/");
}

TEST(Absolute, StartsAtTheWorkingFolderOrAtADescriptor) {
  ASSERT_EQ(chdir("/usr"), 0);
  EXPECT_EQ(absolute_of(AT_FDCWD, "lib/x"), "/usr/lib/x");
  EXPECT_EQ(absolute_of(AT_FDCWD, "../x"), "/x");
  const int dir = open("/usr/share", O_RDONLY | O_DIRECTORY);
  EXPECT_EQ(absolute_of(dir, "x"), "/usr/share/x");
  EXPECT_EQ(absolute_of(dir, "/y"), "/y");
  close(dir);
  EXPECT_EQ(absolute_of(987654, "x"), "(no)");
}

TEST(Absolute, IsTheNameItselfWhereItIsPlain) {
  for (const std::string_view plain : {"/", "/a", "/a/b.c/d", "/a.b/c..d"}) {
    EXPECT_TRUE(is_plain(plain)) << plain;
    EXPECT_EQ(absolute_of(AT_FDCWD, plain), plain);
  }
  for (const std::string_view other :
       {"", "a", "./a", "//a", "/a/", "/a//b", "/a/./b", "/a/../b", "/a/.", "/a/..", "/.a", "/a/..."}) {
    EXPECT_FALSE(is_plain(other)) << other;
  }
  EXPECT_TRUE(is_plain("/" + std::string(kMaxPath - 1, 'x')));
  EXPECT_FALSE(is_plain("/" + std::string(kMaxPath, 'x')));
}

TEST(Absolute, RefusesWhatDoesNotFit) {
  EXPECT_EQ(absolute_of(AT_FDCWD, ""), "(no)");
  EXPECT_EQ(absolute_of(AT_FDCWD, "/" + std::string(kMaxPath, 'x')), "(no)");
  EXPECT_NE(absolute_of(AT_FDCWD, "/" + std::string(kMaxPath - 1, 'x')), "(no)");
}

TEST(Parts, BaseNameAndFolder) {
  EXPECT_EQ(base_name("/a/b.c"), "b.c");
  EXPECT_EQ(base_name("b"), "b");
  EXPECT_EQ(folder("/a/b.c"), "/a");
  EXPECT_EQ(folder("/b"), "/");
  EXPECT_EQ(folder("b"), ".");
}

TEST(IsBelow, NeedsAWholeComponent) {
  EXPECT_TRUE(is_below("/lus/x", "/lus"));
  EXPECT_TRUE(is_below("/lus", "/lus"));
  EXPECT_TRUE(is_below("/lus/x", "/lus/"));
  EXPECT_TRUE(is_below("/anything", "/"));
  EXPECT_FALSE(is_below("/lustre/x", "/lus"));
  EXPECT_FALSE(is_below("/l", "/lus"));
}

TEST(Family, StepsAndRanksFallTogether) {
  EXPECT_EQ(family("/s/dump.0100.bin").view(), "/s/dump.#.bin");
  EXPECT_EQ(family("/s/dump.7.bin").view(), "/s/dump.#.bin");
  EXPECT_EQ(family("/run12/out_3_44").view(), "/run#/out_#_#");
  EXPECT_EQ(family("/s/plain").view(), "/s/plain");
}

TEST(Family, OfALongPathKeepsTheEnd) {
  const std::string path = "/" + std::string(400, 'd') + "/file.17";
  EXPECT_TRUE(family(path).view().ends_with("/file.#"));
  EXPECT_EQ(family(path).size(), 255U);
}

TEST(RomioPrefix, IsADriverNameBeforeTheFirstColon) {
  EXPECT_EQ(romio_prefix("ufs:/a/b"), "ufs:");
  EXPECT_EQ(romio_prefix("lustre:x"), "lustre:");
  EXPECT_EQ(romio_prefix("/a/b:c"), "");
  EXPECT_EQ(romio_prefix("c:x"), "");
  EXPECT_EQ(romio_prefix("plain"), "");
}

TEST(MpiScratch, NamesOfBothMpiIoImplementations) {
  EXPECT_TRUE(is_mpi_scratch("/s/data.locktest.3"));
  EXPECT_TRUE(is_mpi_scratch("/s/.data.shfp.12345.0"));
  EXPECT_TRUE(is_mpi_scratch("/s/.commonfstest.0"));
  EXPECT_TRUE(is_mpi_scratch("/tmp/ompi.x/data_cid-3-99.sm"));
  EXPECT_FALSE(is_mpi_scratch("/s/data.locktest.old"));
  EXPECT_FALSE(is_mpi_scratch("/s/data.sm"));
  EXPECT_FALSE(is_mpi_scratch("/s/data"));
}

TEST(Glob, WithoutASlashMatchesTheBaseName) {
  EXPECT_TRUE(glob_matches("*", "/a/b"));
  EXPECT_TRUE(glob_matches("wrfout*", "/deep/er/wrfout_01"));
  EXPECT_TRUE(glob_matches("?.dat", "/x/a.dat"));
  EXPECT_FALSE(glob_matches("?.dat", "/x/ab.dat"));
  EXPECT_TRUE(glob_matches("[a-c]1", "/x/b1"));
  EXPECT_FALSE(glob_matches("[!a-c]1", "/x/b1"));
  EXPECT_TRUE(glob_matches("[", "/x/["));
}

TEST(Glob, WithASlashMatchesTheWholePathAndStarsCrossSlashes) {
  EXPECT_TRUE(glob_matches("*/INIT.*", "/a/b/INIT.7"));
  EXPECT_TRUE(glob_matches("/scratch/*", "/scratch/a/b"));
  EXPECT_FALSE(glob_matches("/scratch/*", "/home/a"));
}

TEST(Glob, ManyStarsEndInReasonableTime) {
  const std::string pattern = "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b";
  EXPECT_FALSE(glob_matches(pattern, std::string(1000, 'a')));
}

TEST(Hash, IsNeverZeroAndTellsTextsApart) {
  EXPECT_NE(hash(""), 0U);
  EXPECT_NE(hash("a"), hash("b"));
}

}  // namespace
}  // namespace toto::path
