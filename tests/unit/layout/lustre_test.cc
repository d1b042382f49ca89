// SPDX-License-Identifier: BSD-3-Clause
// What is set and read as "lustre.lov": hand-made blobs, laid out as lustre_user.h says.
#include "hints/layout/lustre.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "hints/layout/lustre_abi.h"

namespace toto::layout::lustre {
namespace {

constexpr std::uint64_t kEof = ~std::uint64_t{0};
constexpr std::uint32_t kMiB = 1 << 20;

using Bytes = std::vector<std::byte>;

template <typename T>
void append(Bytes& bytes, const T& value) {
  const auto* begin = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof(T));
}

// V1 without a pool, else V3. The objects lie on `osts`, which may be fewer than `count`.
Bytes plain(std::uint32_t size, std::uint16_t count, const std::vector<std::uint32_t>& osts = {},
            const std::string& pool = "", std::uint32_t pattern = kRaid0) {
  LovV3 lov{};
  lov.head = {.magic = pool.empty() ? kMagicV1 : kMagicV3,
              .pattern = pattern,
              .object_id = {1, 2},
              .stripe_size = size,
              .stripe_count = count,
              .stripe_offset = 3};
  std::memcpy(lov.pool.data(), pool.data(), std::min(pool.size(), lov.pool.size()));
  Bytes bytes;
  if (pool.empty()) {
    append(bytes, lov.head);
  } else {
    append(bytes, lov);
  }
  for (const std::uint32_t ost : osts)
    append(bytes, LovObject{.object_id = {5, 6}, .generation = 0, .ost = ost});
  return bytes;
}

struct Part {
  std::uint64_t start;
  std::uint64_t end;
  std::uint32_t flags;
  Bytes lov;
};

Bytes composite(const std::vector<Part>& parts, std::uint32_t magic = kMagicComposite,
                std::uint16_t mirrors = 0) {
  const std::size_t header = sizeof(Composite) + parts.size() * sizeof(Component);
  Bytes entries;
  Bytes lovs;
  std::uint32_t id = 1;
  for (const Part& part : parts) {
    Component component{};
    component.id = id++;
    component.flags = part.flags;
    component.start = part.start;
    component.end = part.end;
    component.offset = static_cast<std::uint32_t>(header + lovs.size());
    component.size = static_cast<std::uint32_t>(part.lov.size());
    append(entries, component);
    lovs.insert(lovs.end(), part.lov.begin(), part.lov.end());
  }
  Composite head{};
  head.magic = magic;
  head.size = static_cast<std::uint32_t>(header + lovs.size());
  head.components = static_cast<std::uint16_t>(parts.size());
  head.mirrors = mirrors;
  Bytes bytes;
  append(bytes, head);
  bytes.insert(bytes.end(), entries.begin(), entries.end());
  bytes.insert(bytes.end(), lovs.begin(), lovs.end());
  return bytes;
}

// lfs setstripe -E 4M -c 1 -E 256M -c 4 -E -1 -c -1, written as far as the second component.
Bytes progressive() {
  return composite({{0, 4 * kMiB, kInstantiated, plain(kMiB, 1, {7})},
                    {4 * kMiB, 256 * kMiB, kInstantiated, plain(kMiB, 4, {3, 4, 5, 6})},
                    {256 * kMiB, kEof, 0, plain(4 * kMiB, kAll)}});
}

TEST(ParseLov, RecordedV1) {
  // getfattr -e hex -n lustre.lov of a file of two stripes of 1 MiB on OST 1 and 0.
  const unsigned char recorded[] = {
      0xd0, 0x0b, 0xd1, 0x0b, 0x01, 0x00, 0x00, 0x00, 0x06, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
      0x01, 0x04, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x02, 0x00, 0x00, 0x00,
      0x22, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x23, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};
  std::uint32_t osts[2] = {99, 99};
  const auto lov = parse_lov(std::as_bytes(std::span(recorded)), osts);
  ASSERT_TRUE(lov);
  EXPECT_EQ(lov->layout.count, 2U);
  EXPECT_EQ(lov->layout.size, kMiB);
  EXPECT_TRUE(lov->layout.pool.empty());
  EXPECT_EQ(lov->objects, 2U);
  EXPECT_EQ(osts[0], 1U);
  EXPECT_EQ(osts[1], 0U);
  EXPECT_FALSE(lov->composite());
  EXPECT_FALSE(lov->overstriped());
}

TEST(ParseLov, V3HasAPool) {
  std::uint32_t osts[8] = {};
  const auto lov = parse_lov(plain(4 * kMiB, 3, {4, 5, 6}, "flash"), osts);
  ASSERT_TRUE(lov);
  EXPECT_EQ(lov->layout.count, 3U);
  EXPECT_EQ(lov->layout.size, 4U * kMiB);
  EXPECT_EQ(lov->layout.pool, "flash");
  EXPECT_EQ(lov->objects, 3U);
  EXPECT_EQ(osts[0], 4U);
  EXPECT_EQ(osts[2], 6U);
  EXPECT_EQ(osts[3], 0U);
}

TEST(ParseLov, PoolOfFullLengthAndUnterminated) {
  EXPECT_EQ(parse_lov(plain(kMiB, 1, {}, "123456789012345"))->layout.pool, "123456789012345");
  const auto unterminated = parse_lov(plain(kMiB, 1, {}, "1234567890123456"));
  // No pool of that file system is called so: handed on whole, and refused where a file is to be created with
  // it.
  EXPECT_EQ(unterminated->layout.pool, "1234567890123456");
}

TEST(ParseLov, FolderDefaultHasACountAndNoObjects) {
  const auto lov = parse_lov(plain(2 * kMiB, 8));
  ASSERT_TRUE(lov);
  EXPECT_EQ(lov->layout.count, 8U);
  EXPECT_EQ(lov->objects, 0U);
}

TEST(ParseLov, AllTargets) {
  EXPECT_EQ(parse_lov(plain(kMiB, 0xffff))->layout.count, kAllTargets);
  EXPECT_EQ(parse_lov(plain(kMiB, 0xfffe))->layout.count, 0xfffeU);
}

TEST(ParseLov, Overstriping) {
  const auto lov = parse_lov(plain(kMiB, 4, {0, 1, 0, 1}, "", kRaid0 | kOverstriping));
  ASSERT_TRUE(lov);
  EXPECT_TRUE(lov->overstriped());
  EXPECT_EQ(lov->layout.count, 4U);
  // "Two objects on every OST", as 2.17 writes it into a folder's default.
  EXPECT_EQ(parse_lov(plain(kMiB, 0xfffe, {}, "", kRaid0 | kOverstriping))->layout.count, kAllTargets);
}

TEST(ParseLov, ListedOstsAreReadAsV3) {
  Bytes blob = plain(kMiB, 2, {9, 8}, "p");
  const std::uint32_t magic = kMagicSpecific;
  std::memcpy(blob.data(), &magic, sizeof(magic));
  std::uint32_t first = 0;
  ASSERT_TRUE(parse_lov(blob, {&first, 1}));
  EXPECT_EQ(first, 9U);
}

TEST(ParseLov, WidelyStripedFile) {
  std::vector<std::uint32_t> osts(2000);
  for (std::uint32_t i = 0; i < osts.size(); ++i) osts[i] = i;
  std::vector<std::uint32_t> read(osts.size());
  const auto lov = parse_lov(plain(kMiB, 2000, osts), read);
  ASSERT_TRUE(lov);
  EXPECT_EQ(lov->objects, 2000U);
  EXPECT_EQ(read, osts);
}

TEST(ParseLov, CompositeShowsItsLastInstantiatedComponent) {
  std::uint32_t osts[8] = {};
  const auto lov = parse_lov(progressive(), osts);
  ASSERT_TRUE(lov);
  EXPECT_TRUE(lov->composite());
  EXPECT_EQ(lov->components, 3U);
  EXPECT_EQ(lov->layout.count, 4U);
  EXPECT_EQ(lov->start, 4U * kMiB);
  EXPECT_EQ(lov->end, 256U * kMiB);
  EXPECT_EQ(lov->objects, 4U);
  EXPECT_EQ(osts[0], 3U);
}

TEST(ParseLov, CompositeDefaultShowsItsLastComponent) {
  const auto lov = parse_lov(
      composite({{0, 4 * kMiB, 0, plain(kMiB, 1)}, {4 * kMiB, kEof, 0, plain(4 * kMiB, kAll, {}, "flash")}}));
  ASSERT_TRUE(lov);
  EXPECT_EQ(lov->layout.count, kAllTargets);
  EXPECT_EQ(lov->layout.pool, "flash");
  EXPECT_EQ(lov->end, kEof);
}

TEST(ParseLov, DataOnMdtCountsOnlyAlone) {
  const Part first{0, kMiB, kInstantiated, plain(kMiB, 0, {}, "", kDataOnMdt)};
  const auto both = parse_lov(composite({first, {kMiB, kEof, 0, plain(4 * kMiB, 2)}}));
  ASSERT_TRUE(both);
  EXPECT_EQ(both->layout.count, 2U);
  const auto alone = parse_lov(composite({first}));
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->pattern, kDataOnMdt);
}

TEST(ParseLov, StaleMirrorsAndExtensionsAreNotShown) {
  const auto mirrored = parse_lov(composite({{0, kEof, kInstantiated | kStale, plain(kMiB, 1, {1})},
                                             {0, kEof, kInstantiated, plain(kMiB, 2, {2, 3})}},
                                            kMagicComposite, 1));
  ASSERT_TRUE(mirrored);
  EXPECT_EQ(mirrored->layout.count, 2U);
  const auto extending = parse_lov(composite({{0, 64ULL * kMiB, kInstantiated, plain(kMiB, 3, {1, 2, 3})},
                                              {64ULL * kMiB, kEof, kExtension, plain(64 * kMiB, 0)}},
                                             kMagicSelfExtending));
  ASSERT_TRUE(extending);
  EXPECT_EQ(extending->layout.count, 3U);
}

TEST(ParseLov, FirstOfEqualMirrorsIsShown) {
  std::uint32_t first = 0;
  ASSERT_TRUE(parse_lov(composite({{0, kEof, kInstantiated, plain(kMiB, 1, {1})},
                                   {0, kEof, kInstantiated, plain(kMiB, 1, {2})}},
                                  kMagicComposite, 1),
                        {&first, 1}));
  EXPECT_EQ(first, 1U);
}

TEST(ParseLov, UnknownFormsAreNothing) {
  Bytes blob = plain(kMiB, 2, {1, 2});
  for (const std::uint32_t magic : {0U, 0x0BD70BD0U, 0x0BD20BD0U, 0xffffffffU, 0xd00bd10bU}) {
    std::memcpy(blob.data(), &magic, sizeof(magic));
    EXPECT_FALSE(parse_lov(blob)) << std::hex << magic;
  }
}

TEST(ParseLov, EveryTruncationOfAPlainHeaderIsNothing) {
  const Bytes v1 = plain(kMiB, 2, {1, 2});
  for (std::size_t size = 0; size < 32; ++size) EXPECT_FALSE(parse_lov(std::span(v1).first(size))) << size;
  const Bytes v3 = plain(kMiB, 2, {1, 2}, "p");
  for (std::size_t size = 0; size < 48; ++size) EXPECT_FALSE(parse_lov(std::span(v3).first(size))) << size;
  // Half an object is none.
  for (std::size_t size = 32; size < v1.size(); ++size) {
    const auto lov = parse_lov(std::span(v1).first(size));
    ASSERT_TRUE(lov);
    EXPECT_EQ(lov->objects, size < 56 ? 0U : 1U) << size;
  }
}

TEST(ParseLov, EveryTruncationOfACompositeIsNothing) {
  const Bytes blob = progressive();
  for (std::size_t size = 0; size < blob.size(); ++size) {
    EXPECT_FALSE(parse_lov(std::span(blob).first(size))) << size;
  }
  EXPECT_TRUE(parse_lov(blob));
}

TEST(ParseLov, CompositeWithOffsetsOutsideIsNothing) {
  const Bytes good = progressive();
  for (const std::uint32_t bad :
       {0U, 31U, 0xffffffffU, 0xfffffff0U, static_cast<std::uint32_t>(good.size())}) {
    for (const std::size_t field : {std::size_t{24}, std::size_t{28}}) {  // offset, size
      Bytes blob = good;
      std::memcpy(blob.data() + sizeof(Composite) + field, &bad, sizeof(bad));
      // Offset 0 points at the composite's own head, which is long enough but no component: not chosen here.
      if (parse_lov(blob)) {
        EXPECT_EQ(field, 24U);
        EXPECT_LT(bad, good.size());
      }
    }
  }
  EXPECT_FALSE(parse_lov(composite({})));
}

TEST(ParseLov, RandomDamageDoesNoHarm) {
  std::mt19937 random(1);
  const Bytes seeds[] = {plain(kMiB, 4, {1, 2, 3, 4}), plain(kMiB, 4, {1, 2, 3, 4}, "pool"), progressive()};
  for (int i = 0; i < 200000; ++i) {
    const Bytes& seed = seeds[random() % 3];
    // In memory of its own and of its exact size, so that a sanitizer sees a read past its end.
    Bytes blob(seed.begin(), seed.begin() + static_cast<std::ptrdiff_t>(random() % (seed.size() + 1)));
    for (std::uint32_t n = random() % 8; n > 0 && !blob.empty(); --n) {
      blob[random() % blob.size()] = static_cast<std::byte>(random());
    }
    std::uint32_t osts[3];
    const auto lov = parse_lov(blob, osts);
    if (lov) {
      EXPECT_LE(lov->objects * sizeof(LovObject), blob.size());
    }
  }
}

TEST(EncodeLov, V1WithoutAPool) {
  LovBlob blob{};
  ASSERT_EQ(encode_lov({.count = 4, .size = kMiB, .object_size = 0, .pool = {}}, blob), 32U);
  const unsigned char expected[32] = {0xd0, 0x0b, 0xd1, 0x0b, 1, 0, 0, 0, 0, 0, 0,    0, 0, 0, 0,    0,
                                      0,    0,    0,    0,    0, 0, 0, 0, 0, 0, 0x10, 0, 4, 0, 0xff, 0xff};
  EXPECT_EQ(std::memcmp(blob.data(), expected, sizeof(expected)), 0);
}

TEST(EncodeLov, V3WithAPool) {
  LovBlob blob{};
  ASSERT_EQ(encode_lov({.count = 2, .size = kMiB, .object_size = 0, .pool = std::string_view("flash")}, blob),
            48U);
  const auto lov = parse_lov(blob);
  ASSERT_TRUE(lov);
  EXPECT_EQ(lov->layout.pool, "flash");
  EXPECT_EQ(lov->layout.count, 2U);
}

TEST(EncodeLov, AListOfTargetsIsSpecific) {
  TargetList list{.count = 3, .target = {7, 2, 5}};
  Layout layout{.count = 3, .size = 2 * kMiB};
  layout.only = &list;
  LovBlob blob{};
  const std::size_t length = encode_lov(layout, blob);
  ASSERT_EQ(length, 48U + 3 * 24U);
  const unsigned char head[4] = {0xd0, 0x0b, 0xd5, 0x0b};
  EXPECT_EQ(std::memcmp(blob.data(), head, sizeof(head)), 0);
  EXPECT_EQ(static_cast<unsigned>(blob[30]), 7U);  // the offset: the first of the list
  std::array<std::uint32_t, 8> osts{};
  const auto lov = parse_lov(std::span(blob).first(length), osts);
  ASSERT_TRUE(lov);
  EXPECT_EQ(lov->layout.count, 3U);
  EXPECT_EQ(lov->layout.size, 2 * kMiB);
  EXPECT_EQ(lov->objects, 3U);
  EXPECT_EQ((std::array{osts[0], osts[1], osts[2]}), (std::array{7U, 2U, 5U}));
}

TEST(EncodeLov, AListOfTargetsGivesWayToAPool) {
  TargetList list{.count = 1, .target = {7}};
  Layout layout{.count = 1, .size = kMiB, .object_size = 0, .pool = std::string_view("flash")};
  layout.only = &list;
  LovBlob blob{};
  ASSERT_EQ(encode_lov(layout, blob), 48U);
  EXPECT_EQ(parse_lov(blob)->layout.pool, "flash");
}

TEST(EncodeLov, SizesAreRoundedDownToWhatLustreTakes) {
  const auto encoded_size = [](std::uint64_t size) {
    LovBlob blob{};
    const std::size_t length = encode_lov({.count = 1, .size = size, .object_size = 0, .pool = {}}, blob);
    return parse_lov(std::span(blob).first(length))->layout.size;
  };
  EXPECT_EQ(encoded_size(0), 0U);
  EXPECT_EQ(encoded_size(1), 65536U);
  EXPECT_EQ(encoded_size(65535), 65536U);
  EXPECT_EQ(encoded_size(65536), 65536U);
  EXPECT_EQ(encoded_size(131071), 65536U);
  EXPECT_EQ(encoded_size(1000000), 983040U);
  EXPECT_EQ(encoded_size(0xffff'ffff), 0xffff'0000U);
  EXPECT_EQ(encoded_size(~std::uint64_t{0}), 0xffff'0000U);
}

TEST(EncodeLov, CountsAreLimitedAndAllTargetsIsMarked) {
  const auto encoded_count = [](std::uint32_t count) {
    LovBlob blob{};
    const std::size_t length = encode_lov({.count = count, .size = kMiB, .object_size = 0, .pool = {}}, blob);
    return parse_lov(std::span(blob).first(length))->layout.count;
  };
  EXPECT_EQ(encoded_count(0), 0U);
  EXPECT_EQ(encoded_count(1), 1U);
  EXPECT_EQ(encoded_count(2000), 2000U);
  EXPECT_EQ(encoded_count(100000), 2000U);
  EXPECT_EQ(encoded_count(kAllTargets), kAllTargets);
}

TEST(EncodeLov, ComponentsAreAHeadEntriesAndALayoutEach) {
  LovBlob blob;
  Layout layout;
  layout.components = std::string_view("1@4M+4x2M@64M+all@eof");
  const std::size_t size = encode_lov(layout, blob);
  ASSERT_EQ(size, 32U + 3 * (48 + 32));
  Composite head;
  std::memcpy(&head, blob.data(), sizeof(head));
  EXPECT_EQ(head.magic, kMagicComposite);
  EXPECT_EQ(head.size, size);
  EXPECT_EQ(head.components, 3U);
  EXPECT_EQ(head.mirrors, 0U);
  std::uint64_t start = 0;
  for (int i = 0; i < 3; ++i) {
    Component entry;
    std::memcpy(&entry, blob.data() + 32 + i * 48, sizeof(entry));
    EXPECT_EQ(entry.start, start);
    start = entry.end;
    LovV1 lov;
    std::memcpy(&lov, blob.data() + entry.offset, sizeof(lov));
    EXPECT_EQ(lov.magic, kMagicV1);
    EXPECT_EQ(lov.stripe_offset, kAnyOst);
    EXPECT_EQ(lov.stripe_count, i == 0 ? 1 : i == 1 ? 4 : kAll);
    EXPECT_EQ(lov.stripe_size, i == 1 ? 2 * kMiB : 0);
  }
  EXPECT_EQ(start, ~std::uint64_t{0});
  const auto read = parse_lov(std::span<const std::byte>(blob).first(size));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->layout.components.view(), "1@4M+4x2M@64M+all@eof");
  layout.components = std::string_view("nonsense");
  EXPECT_EQ(encode_lov(layout, blob), 0U);
}

TEST(ParseLov, ComponentsAreTold) {
  EXPECT_EQ(parse_lov(progressive())->layout.components.view(), "1x1M@4M+4x1M@256M+allx4M@eof");
  // Data on the metadata server first.
  const Bytes on_mdt = composite({{0, kMiB, kInstantiated, plain(kMiB, 0, {}, "", kDataOnMdt)},
                                  {kMiB, kEof, kInstantiated, plain(kMiB, 2, {1, 2})}});
  EXPECT_EQ(parse_lov(on_mdt)->layout.components.view(), "mdt@1M+2x1M@eof");
  // Mirrors are no row of components.
  const Bytes mirrored = composite(
      {{0, kEof, kInstantiated, plain(kMiB, 1, {1})}, {0, kEof, 0, plain(kMiB, 1)}}, kMagicComposite, 1);
  EXPECT_TRUE(parse_lov(mirrored)->layout.components.empty());
}

TEST(ForEachPart, EveryComponentHasItsObjects) {
  std::string text;
  for_each_part(
      progressive(),
      [](const Extent& extent, void* context) {
        auto& out = *static_cast<std::string*>(context);
        out += std::to_string(extent.start / kMiB) + ":";
        for (std::uint32_t i = 0; i < 8; ++i) {
          if (const auto ost = extent.ost(i)) out += " " + std::to_string(*ost);
        }
        out += ";";
      },
      &text);
  EXPECT_EQ(text, "0: 7;4: 3 4 5 6;256:;");
}

class LustreParameters : public ::testing::Test {
 protected:
  LustreParameters() {
    char name[] = "/tmp/toto-lustre-XXXXXX";
    root_ = mkdtemp(name);
  }
  ~LustreParameters() override { std::filesystem::remove_all(root_); }
  void put(const std::string& where, const std::string& text) const {
    const std::filesystem::path file = root_ + "/" + where;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::string root_;
  const std::string new_ = "/new", old_ = "/old";
  [[nodiscard]] std::uint32_t active(std::string_view device) const {
    const std::string sys = root_ + new_, proc = root_ + old_;
    const std::string_view roots[] = {sys, proc};
    return active_osts(device, roots);
  }
  [[nodiscard]] std::int64_t group(std::string_view device) const {
    const std::string sys = root_ + new_;
    const std::string_view roots[] = {sys};
    return setstripe_group(device, roots);
  }
};

TEST_F(LustreParameters, ActiveOstsFromTheFirstPlaceThatTells) {
  EXPECT_EQ(active("scratch-clilov-ffff8a0b"), 0U);
  put("old/lov/scratch-clilov-ffff8a0b/activeobd", "12\n");
  EXPECT_EQ(active("scratch-clilov-ffff8a0b"), 12U);
  put("new/lov/scratch-clilov-ffff8a0b/activeobd", "248\n");
  EXPECT_EQ(active("scratch-clilov-ffff8a0b"), 248U);
  put("new/lov/odd/activeobd", "many\n");
  for (const char* device : {"odd", "", ".", "..", "../lov/scratch-clilov-ffff8a0b", "a/b", "none"}) {
    EXPECT_EQ(active(device), 0U) << device;
  }
}

TEST_F(LustreParameters, TheGroupThatMaySetLayouts) {
  EXPECT_EQ(group("scratch-clilov-ffff8a0b"), -1);  // clients before 2.16 have no such parameter
  put("new/llite/scratch-ffff8a0b/enable_setstripe_gid", "-1\n");
  EXPECT_EQ(group("scratch-clilov-ffff8a0b"), -1);
  put("new/llite/scratch-ffff8a0b/enable_setstripe_gid", "0\n");
  EXPECT_EQ(group("scratch-clilov-ffff8a0b"), 0);
  put("new/llite/scratch-ffff8a0b/enable_setstripe_gid", "4321\n");
  EXPECT_EQ(group("scratch-clilov-ffff8a0b"), 4321);
  EXPECT_EQ(group("scratch-ffff8a0b"), -1);
  EXPECT_EQ(group(""), -1);
}

TEST(LustreBackend, OtherFileSystemsRefuseWithoutHarm) {
  const LustreBackend lustre;
  Layout layout;
  EXPECT_NE(lustre.read("/proc/self/status", layout), 0);
  EXPECT_EQ(lustre.read("/nowhere/x", layout), ENOENT);
  EXPECT_EQ(lustre.targets("/nowhere"), 0U);
  EXPECT_EQ(lustre.targets("/tmp"), 0U);
  FolderDefault folder;
  EXPECT_NE(lustre.folder_default("/tmp", folder), 0);
}

}  // namespace
}  // namespace toto::layout::lustre
