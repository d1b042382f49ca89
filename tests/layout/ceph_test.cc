// SPDX-License-Identifier: BSD-3-Clause
// CephFS on stripefs.
#include "on_stripefs.h"

namespace toto::layout {
namespace {

class OnCeph : public OnStripefs {
 protected:
  static void SetUpTestSuite() { mount("ceph"); }
};

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

TEST_F(OnCeph, LustresBackendIsRefusedHere) {
  EXPECT_EQ(create(*by_name("lustre"), path().c_str(), 0666, outcome_), Created::kRefused);
  EXPECT_EQ(outcome_.error, EOPNOTSUPP);
  EXPECT_EQ(by_name("lustre")->targets(folder().c_str()), 0U);
  EXPECT_TRUE(files().empty());
}

}  // namespace
}  // namespace toto::layout
