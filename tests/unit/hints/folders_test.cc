// SPDX-License-Identifier: BSD-3-Clause
// What is known of a folder is not asked again for each file, and not for ever.
#include "hints/folders.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace toto::policy::folders {
namespace {

// Tells another stripe count each time that it is asked.
class Counting final : public layout::Backend {
 public:
  [[nodiscard]] std::string_view name() const override { return "counting"; }
  [[nodiscard]] layout::Capabilities capabilities() const override { return {}; }
  [[nodiscard]] std::string_view who() const override { return "nobody"; }
  [[nodiscard]] std::uint32_t targets(const char*) const override { return 0; }
  int create(const char*, mode_t, const Layout&, Layout&) const override { return EOPNOTSUPP; }
  int read(const char*, Layout&) const override { return EOPNOTSUPP; }
  int folder_default(const char*, layout::FolderDefault& out) const override {
    out.layout.count = ++asked;
    return error;
  }
  mutable std::uint32_t asked = 0;
  int error = 0;
};

TEST(Folders, TheDefaultOfTheLastFolderIsAskedOnce) {
  Counting backend;
  layout::FolderDefault found;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(default_of(backend, 1, "/scratch/asked-once", found), 0);
    EXPECT_EQ(found.layout.count, 1U);
  }
  EXPECT_EQ(backend.asked, 1U);
}

TEST(Folders, AnotherFolderOrTheSameNameElsewhereIsAsked) {
  Counting backend;
  layout::FolderDefault found;
  default_of(backend, 1, "/scratch/one", found);
  default_of(backend, 1, "/scratch/other", found);
  EXPECT_EQ(found.layout.count, 2U);
  default_of(backend, 2, "/scratch/other", found);
  EXPECT_EQ(found.layout.count, 3U);
}

TEST(Folders, AnErrorIsAnAnswerToo) {
  Counting backend;
  backend.error = EACCES;
  layout::FolderDefault found;
  EXPECT_EQ(default_of(backend, 1, "/scratch/closed", found), EACCES);
  EXPECT_EQ(default_of(backend, 1, "/scratch/closed", found), EACCES);
  EXPECT_EQ(backend.asked, 1U);
}

TEST(Folders, APlaceIsTheFileSystemAndThePool) {
  EXPECT_EQ(place_of(0, ""), 0U);
  EXPECT_EQ(place_of(7, "flash"), place_of(7, "flash"));
  EXPECT_NE(place_of(7, "flash"), place_of(8, "flash"));
  EXPECT_NE(place_of(7, "flash"), place_of(7, ""));
  EXPECT_NE(place_of(7, ""), 0U);
  EXPECT_NE(place_of(0, "flash"), 0U);
  EXPECT_LT(place_of(~std::uint64_t{0}, "disk"), std::uint64_t{1} << 53);
}

TEST(Folders, ARefusalIsOfItsFolderAlone) {
  note_refusal(1, "/scratch/refused", EACCES);
  EXPECT_EQ(refusal_of(1, "/scratch/refused"), EACCES);
  EXPECT_EQ(refusal_of(2, "/scratch/refused"), 0);
  EXPECT_EQ(refusal_of(1, "/scratch/another"), 0);
}

TEST(Folders, WhatSpeaksAgainstOneLayoutOrOneFileIsNoRefusalOfTheFolder) {
  for (const int error : {EINVAL, ENOSPC, EEXIST, ENAMETOOLONG, EIO, EMFILE, EDQUOT, 0}) {
    note_refusal(1, "/scratch/full", error);
    EXPECT_EQ(refusal_of(1, "/scratch/full"), 0) << error;
  }
}

}  // namespace
}  // namespace toto::policy::folders
