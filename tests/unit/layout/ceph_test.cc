// SPDX-License-Identifier: BSD-3-Clause
// The text of "ceph.file.layout": recorded ones are read, and only valid ones are written.
#include "hints/layout/ceph.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>

namespace toto::layout::ceph {
namespace {

constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kMiB = 1024 * kKiB;

Layout present() {
  return {.count = 1, .size = 4 * kMiB, .object_size = 4 * kMiB, .pool = std::string_view("data")};
}

std::string format(std::uint32_t count, std::uint64_t size, std::uint64_t object_size = 0,
                   const char* pool = "", const Layout& has = present()) {
  const Layout layout{
      .count = count, .size = size, .object_size = object_size, .pool = std::string_view(pool)};
  return std::string(format_layout(layout, has).view());
}

TEST(ParseCephLayout, Recorded) {
  const auto layout = parse_layout("stripe_unit=1048576 stripe_count=4 object_size=4194304 pool=data");
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->size, kMiB);
  EXPECT_EQ(layout->count, 4U);
  EXPECT_EQ(layout->object_size, 4 * kMiB);
  EXPECT_EQ(layout->pool, "data");
}

TEST(ParseCephLayout, NamespacesAndUnknownFieldsAreSkipped) {
  const auto layout = parse_layout(
      "stripe_unit=65536 stripe_count=1 object_size=65536 pool=cephfs_data pool_namespace=ns new=1 word");
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->pool, "cephfs_data");
}

TEST(ParseCephLayout, LongPoolNamesAreCutAndSaySo) {
  const auto layout =
      parse_layout("stripe_unit=65536 stripe_count=1 object_size=65536 pool=cephfs.scratch.data");
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->pool, "cephfs.scratch.data");
  const std::string longer(64, 'p');
  EXPECT_TRUE(
      parse_layout("stripe_unit=65536 stripe_count=1 object_size=65536 pool=" + longer)->pool.truncated());
}

TEST(ParseCephLayout, NonsenseIsNothing) {
  for (const char* text :
       {"", " ", "stripe_unit=1048576", "stripe_unit=1048576 stripe_count=4",
        "stripe_unit= stripe_count=4 object_size=1", "stripe_unit=1M stripe_count=4 object_size=4194304",
        "stripe_unit=1048576 stripe_count=-1 object_size=4194304",
        "stripe_unit=1048576 stripe_count=4294967296 object_size=4194304",
        "stripe_unit=0 stripe_count=4 object_size=4194304",
        "stripe_unit=99999999999999999999 stripe_count=1 object_size=1", "{\"stripe_unit\": 4194304}"}) {
    EXPECT_FALSE(parse_layout(text)) << text;
  }
}

TEST(FormatCephLayout, OnlyWhatIsAsked) {
  EXPECT_EQ(format(0, 0), "");
  EXPECT_EQ(format(8, 0), "stripe_count=8");
  EXPECT_EQ(format(0, 0, 0, "fast"), "pool=fast");
  EXPECT_EQ(format(4, kMiB), "stripe_unit=1048576 object_size=4194304 stripe_count=4");
  EXPECT_EQ(format(4, kMiB, 0, "fast"), "stripe_unit=1048576 object_size=4194304 stripe_count=4 pool=fast");
}

TEST(FormatCephLayout, ObjectsGrowToWholeStripeUnits) {
  EXPECT_EQ(format(0, 16 * kMiB), "stripe_unit=16777216 object_size=16777216");
  EXPECT_EQ(format(0, 3 * kMiB), "stripe_unit=3145728 object_size=6291456");
  EXPECT_EQ(format(0, kMiB, 1), "stripe_unit=1048576 object_size=1048576");
  EXPECT_EQ(format(0, kMiB, 5 * kMiB / 2), "stripe_unit=1048576 object_size=3145728");
}

TEST(FormatCephLayout, StripeUnitGivesWayToAnObjectSizeAskedForAlone) {
  EXPECT_EQ(format(0, 0, kMiB), "stripe_unit=1048576 object_size=1048576");
  EXPECT_EQ(format(0, 0, 8 * kMiB), "stripe_unit=4194304 object_size=8388608");
}

TEST(FormatCephLayout, ObjectsStayBelowWhatOsdsTake) {
  EXPECT_EQ(format(0, 1024 * kMiB), "stripe_unit=134217728 object_size=134217728");
  EXPECT_EQ(format(0, kMiB, 1024 * kMiB), "stripe_unit=1048576 object_size=134217728");
  EXPECT_EQ(format(0, 100 * kMiB, 110 * kMiB), "stripe_unit=104857600 object_size=104857600");
  // ... unless the folder's administrator says that larger ones are taken.
  Layout large = present();
  large.object_size = large.size = 512 * kMiB;
  EXPECT_EQ(format(0, 256 * kMiB, 0, "", large), "stripe_unit=268435456 object_size=536870912");
}

TEST(FormatCephLayout, WithoutAPresentLayoutTheBuiltInOneCounts) {
  EXPECT_EQ(format(2, kMiB, 0, "", Layout{}), "stripe_unit=1048576 object_size=4194304 stripe_count=2");
}

TEST(FormatCephLayout, EveryWishGivesAValidLayout) {
  const std::uint64_t sizes[] = {
      0,          1,          65535,      65536,      65537,      98304,      3 * 65536,
      1000000,    kMiB,       3 * kMiB,   4 * kMiB,   7 * kMiB,   64 * kMiB,  100 * kMiB,
      128 * kMiB, 129 * kMiB, 1ULL << 31, 1ULL << 32, 1ULL << 40, 1ULL << 63, ~std::uint64_t{0}};
  for (const std::uint64_t unit : sizes) {
    for (const std::uint64_t object : sizes) {
      for (const std::uint64_t has_unit : {std::uint64_t{0}, 65536 * kKiB / 1024, 4 * kMiB, 192 * kKiB}) {
        const Layout has{.count = 1, .size = has_unit, .object_size = has_unit * 3, .pool = {}};
        const std::string text = format(0, unit, object, "", has);
        if (unit == 0 && object == 0) {
          EXPECT_EQ(text, "");
          continue;
        }
        const auto layout = parse_layout(text + " stripe_count=1");
        ASSERT_TRUE(layout) << text;
        EXPECT_EQ(layout->size % 65536, 0U) << text;
        EXPECT_EQ(layout->object_size % 65536, 0U) << text;
        EXPECT_EQ(layout->object_size % layout->size, 0U) << text;
        EXPECT_GE(layout->object_size, layout->size) << text;
        EXPECT_LE(layout->object_size, 128 * kMiB) << text;
        // What is valid is kept as it is.
        if (unit != 0 && unit % 65536 == 0 && unit <= 128 * kMiB) {
          EXPECT_EQ(layout->size, unit) << text;
        }
      }
    }
  }
}

TEST(CephBackend, AllTargetsHasNoMeaning) {
  const CephBackend ceph;
  EXPECT_FALSE(ceph.capabilities().all_targets);
  EXPECT_EQ(ceph.targets("/tmp"), 0U);
  Layout obtained;
  EXPECT_EQ(ceph.create("/nowhere/x", 0644, {.count = kAllTargets, .size = 0, .object_size = 0, .pool = {}},
                        obtained),
            EINVAL);
}

TEST(CephBackend, PoolNamesThatWouldBeOtherFieldsAreRefused) {
  const CephBackend ceph;
  Layout obtained;
  const Layout blank{.count = 1, .size = 0, .object_size = 0, .pool = std::string_view("a stripe_unit=")};
  EXPECT_EQ(ceph.create("/nowhere/x", 0644, blank, obtained), EINVAL);
  const std::string name(64, 'p');
  const Layout longer{.count = 1, .size = 0, .object_size = 0, .pool = std::string_view(name)};
  EXPECT_EQ(ceph.create("/nowhere/x", 0644, longer, obtained), ENAMETOOLONG);
}

TEST(CephBackend, OtherFileSystemsRefuseWithoutHarm) {
  const CephBackend ceph;
  Layout layout;
  EXPECT_NE(ceph.read("/proc/self/status", layout), 0);
  EXPECT_EQ(ceph.read("/nowhere/x", layout), ENOENT);
  FolderDefault folder;
  EXPECT_NE(ceph.folder_default("/proc", folder), 0);
}

}  // namespace
}  // namespace toto::layout::ceph
