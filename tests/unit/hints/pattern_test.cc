// SPDX-License-Identifier: BSD-3-Clause
#include "hints/pattern.h"

#include <gtest/gtest.h>

#include "core/file_systems.h"

namespace toto::hints {
namespace {

TEST(Pattern, EveryClassHasItsName) {
  EXPECT_EQ(name(Sharing::kUnknown), "unknown");
  EXPECT_EQ(name(Sharing::kSerial), "serial");
  EXPECT_EQ(name(Sharing::kFilePerProcess), "file-per-process");
  EXPECT_EQ(name(Sharing::kShared), "shared");
  EXPECT_EQ(name(Sharing::kSubsetShared), "subset-shared");
  EXPECT_EQ(name(Spatiality::kUnknown), "unknown");
  EXPECT_EQ(name(Spatiality::kContiguous), "contiguous");
  EXPECT_EQ(name(Spatiality::kStrided), "strided");
  EXPECT_EQ(name(Spatiality::kRandom), "random");
  EXPECT_EQ(name(Calls::kUnknown), "unknown");
  EXPECT_EQ(name(Calls::kIndependent), "independent");
  EXPECT_EQ(name(Calls::kCollective), "collective");
}

TEST(Pattern, FileSystemsWithRulesAreKnownByTheNamesOfTheCommonTable) {
  struct Expected {
    const char* name;
    FileSystem file_system;
  };
  for (const Expected& expected :
       {Expected{"lustre", FileSystem::kLustre}, Expected{"beegfs", FileSystem::kBeegfs},
        Expected{"ceph", FileSystem::kCeph}, Expected{"gpfs", FileSystem::kGpfs},
        Expected{"nfs", FileSystem::kNfs}, Expected{"daos", FileSystem::kDaos}}) {
    ASSERT_NE(file_system_by_name(expected.name), nullptr) << expected.name;
    EXPECT_EQ(file_system(expected.name), expected.file_system) << expected.name;
  }
}

TEST(Pattern, OtherFileSystemsHaveNoRulesOfTheirOwn) {
  for (const char* name : {"", "ext4", "tmpfs", "panfs", "orangefs", "Lustre", "lustre2"}) {
    EXPECT_EQ(file_system(name), FileSystem::kOther) << name;
  }
}

}  // namespace
}  // namespace toto::hints
