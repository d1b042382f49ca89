// SPDX-License-Identifier: BSD-3-Clause
//
// Translation of the file systems' own structures, and the text of the faults.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

#include "beegfs.h"
#include "ceph.h"
#include "faults.h"
#include "lustre.h"

namespace toto::stripefs {
namespace {

template <typename T>
void Put(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

std::string Lov(std::uint32_t magic, std::uint32_t size, std::uint16_t count, std::uint16_t offset) {
  std::string bytes(magic == lustre::kMagicV1 ? lustre::kSizeV1 : lustre::kSizeV3, '\0');
  Put(bytes, 0, magic);
  Put(bytes, 24, size);
  Put(bytes, 28, count);
  Put(bytes, 30, offset);
  return bytes;
}

int Decode(const std::string& bytes, FileLayout* layout, lustre::Way way = lustre::Way::kAttribute) {
  return lustre::Decode(bytes, way, layout);
}

TEST(LustreDecode, TakesTheValuesAndMeansDefaultAndAllByTheirNumbers) {
  FileLayout layout;
  ASSERT_EQ(Decode(Lov(lustre::kMagicV1, 1 << 20, 4, 0xffff), &layout), 0);
  EXPECT_EQ(layout.parts[0].wish.unit, 1U << 20);
  EXPECT_EQ(layout.parts[0].wish.count, 4U);
  EXPECT_FALSE(layout.parts[0].wish.first);
  ASSERT_EQ(Decode(Lov(lustre::kMagicV1, 0, 0xffff, 3), &layout), 0);
  EXPECT_EQ(layout.parts[0].wish.count, kAllTargets);
  EXPECT_EQ(layout.parts[0].wish.first, 3U);
}

TEST(LustreDecode, OffsetZeroMeansAnyByAttributeAndTargetZeroByIoctl) {
  FileLayout layout;
  ASSERT_EQ(Decode(Lov(lustre::kMagicV1, 0, 1, 0), &layout), 0);
  EXPECT_FALSE(layout.parts[0].wish.first);
  ASSERT_EQ(Decode(Lov(lustre::kMagicV1, 0, 1, 0), &layout, lustre::Way::kIoctl), 0);
  EXPECT_EQ(layout.parts[0].wish.first, 0U);
}

TEST(LustreDecode, RefusesWhatTheServerRefuses) {
  FileLayout layout;
  EXPECT_EQ(Decode(Lov(lustre::kMagicV1, 100000, 1, 0), &layout), EINVAL);
  EXPECT_EQ(Decode(Lov(0x12345678, 1 << 20, 1, 0), &layout), EINVAL);
  EXPECT_EQ(Decode(Lov(lustre::kMagicV1, 1 << 20, 1, 0).substr(0, 31), &layout), ERANGE);
  EXPECT_EQ(Decode(Lov(lustre::kMagicV3, 1 << 20, 1, 0).substr(0, 47), &layout), ERANGE);
  EXPECT_EQ(Decode(Lov(lustre::kMagicSpecific, 1 << 20, 2, 0), &layout), ERANGE);
}

// Two components: [0, 4 MiB) with one stripe, the rest with four.
std::string Composite() {
  const std::string sub = Lov(lustre::kMagicV1, 1 << 20, 1, 0xffff);
  std::string bytes(32 + 2 * 48 + 2 * 32, '\0');
  Put(bytes, 0, lustre::kMagicComposite);
  Put(bytes, 4, static_cast<std::uint32_t>(bytes.size()));
  Put(bytes, 14, std::uint16_t{2});
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t entry = 32 + i * 48;
    Put(bytes, entry + 8, std::uint64_t{i == 0 ? 0U : 4U << 20});
    Put(bytes, entry + 16, i == 0 ? std::uint64_t{4U << 20} : kEndOfFile);
    Put(bytes, entry + 24, static_cast<std::uint32_t>(128 + i * 32));
    Put(bytes, entry + 28, std::uint32_t{32});
    bytes.replace(128 + i * 32, 32, sub);
  }
  Put(bytes, 128 + 32 + 28, std::uint16_t{4});
  return bytes;
}

TEST(LustreDecode, ReadsAComposite) {
  FileLayout layout;
  ASSERT_EQ(Decode(Composite(), &layout), 0);
  ASSERT_EQ(layout.parts.size(), 2U);
  EXPECT_EQ(layout.parts[0].end, 4U << 20);
  EXPECT_EQ(layout.parts[1].wish.count, 4U);
}

TEST(LustreDecode, RefusesACompositeWithAGap) {
  std::string bytes = Composite();
  Put(bytes, 32 + 48 + 8, std::uint64_t{8U << 20});
  FileLayout layout;
  EXPECT_EQ(Decode(bytes, &layout), EINVAL);
}

TEST(LustreDecode, StandsEveryTruncationAndEveryFlippedByte) {
  const std::string good = Composite();
  FileLayout layout;
  for (std::size_t size = 0; size < good.size(); ++size) EXPECT_NE(Decode(good.substr(0, size), &layout), 0);
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(~bytes[at]);
    Decode(bytes, &layout);  // must not read outside: checked by sanitizers
  }
}

TEST(LustreEncode, ShowsObjectsOnTheirTargetsOncePlaced) {
  FileLayout layout;
  std::string wanted = Lov(lustre::kMagicV3, 1 << 20, 3, 2);
  wanted.replace(32, 4, "fast");
  ASSERT_EQ(Decode(wanted, &layout), 0);
  EXPECT_EQ(lustre::Encode(layout, 7).size(), lustre::kSizeV3);
  Placer placer(4, 1, 1 << 20);
  ASSERT_EQ(placer.Place(layout.parts[0]), 0);
  const std::string shown = lustre::Encode(layout, 7);
  ASSERT_EQ(shown.size(), lustre::kSizeV3 + 3 * lustre::kSizeObject);
  EXPECT_STREQ(shown.c_str() + 32, "fast");
  const std::uint32_t expected[] = {2, 3, 0};
  for (std::size_t i = 0; i < 3; ++i) {
    std::uint32_t target = 99;
    std::memcpy(&target, shown.data() + 48 + i * 24 + 20, sizeof target);
    EXPECT_EQ(target, expected[i]);
  }
}

TEST(LustreEncode, ACompositeReadsBackAsWhatWasSet) {
  FileLayout layout;
  ASSERT_EQ(Decode(Composite(), &layout), 0);
  Placer placer(4, 1, 1 << 20);
  ASSERT_EQ(placer.Place(layout.parts[0]), 0);
  FileLayout again;
  ASSERT_EQ(Decode(lustre::Encode(layout, 7), &again), 0);
  ASSERT_EQ(again.parts.size(), 2U);
  EXPECT_EQ(again.parts[0].end, layout.parts[0].end);
  EXPECT_EQ(again.parts[0].wish.count, 1U);
  EXPECT_EQ(again.parts[1].wish.count, 4U);
}

TEST(Ceph, FollowsTheRulesForValues) {
  ceph::Fields fields;
  for (const char* bad : {"4096", "0", "98304", "abc", "4x", " 4", "", "8388608", "1M"}) {
    EXPECT_EQ(ceph::Set(".stripe_unit", bad, &fields), EINVAL) << bad;
  }
  EXPECT_EQ(ceph::Set(".stripe_unit", "1048576", &fields), 0);
  EXPECT_EQ(ceph::Set(".stripe_count", "0", &fields), EINVAL);
  EXPECT_EQ(ceph::Set(".stripe_count", "-1", &fields), 0);
  EXPECT_EQ(ceph::Set(".stripe_count", "4294967296", &fields), EINVAL);
  EXPECT_EQ(ceph::Set(".object_size", "1572864", &fields), EINVAL);
  EXPECT_EQ(ceph::Set(".object_size", "2147483648", &fields), 0);
  EXPECT_EQ(ceph::Set(".object_size", "4294967296", &fields), EINVAL);
  EXPECT_EQ(ceph::Set(".pool", "data", &fields), 0);
  EXPECT_EQ(ceph::Set(".pool", "nowhere", &fields), EINVAL);
  EXPECT_EQ(ceph::Set(".bogus", "1", &fields), ENODATA);
}

TEST(Ceph, TheWholeIsCheckedOnceAtTheEnd) {
  ceph::Fields fields;
  EXPECT_EQ(ceph::Set("", "stripe_unit=8388608 stripe_count=3 object_size=16777216", &fields), 0);
  EXPECT_EQ(ceph::Set("", "stripe_unit=65536,stripe_count=3", &fields), EINVAL);
  EXPECT_EQ(fields.stripe_unit, 8388608U);
  std::string text;
  EXPECT_EQ(ceph::Get("", fields, &text), 0);
  EXPECT_EQ(text, "stripe_unit=8388608 stripe_count=3 object_size=16777216 pool=data");
}

TEST(Beegfs, ChunksArePowersOfTwoFrom64K) {
  for (const auto& [chunk, expected] :
       {std::pair{0U, 0}, {65536U, 0}, {1U << 20, 0}, {32768U, EINVAL}, {196608U, EINVAL}}) {
    std::string bytes(24, '\0');
    Put(bytes, 16, chunk);
    beegfs::MakeFile request{};
    EXPECT_EQ(beegfs::DecodeMakeFile(bytes, &request), expected) << chunk;
  }
}

TEST(Faults, AreReplacedAsAWholeOrNotAtAll) {
  Faults faults;
  EXPECT_EQ(faults.Set("setlayout=EACCES,clip=2"), 0);
  EXPECT_EQ(faults.Check("setlayout"), EACCES);
  EXPECT_EQ(faults.clip(), 2U);
  for (const char* bad : {"setlayout", "setlayout=EWHAT", "fly=EIO", "clip=x", "create=NOOP"}) {
    EXPECT_EQ(faults.Set(bad), EINVAL) << bad;
  }
  EXPECT_EQ(faults.text(), "setlayout=EACCES,clip=2");
  EXPECT_EQ(faults.Set("setlayout=NOOP"), 0);
  EXPECT_EQ(faults.Check("setlayout"), 0);
  EXPECT_EQ(faults.clip(), 0U);
  EXPECT_EQ(faults.Set(""), 0);
  EXPECT_FALSE(faults.Check("setlayout"));
}

}  // namespace
}  // namespace toto::stripefs
