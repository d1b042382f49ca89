// SPDX-License-Identifier: BSD-3-Clause
#include "hints/layout/components.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace toto::layout {
namespace {

constexpr std::uint64_t kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;

std::string round_trip(std::string_view text) {
  const auto parsed = parse_components(text);
  return parsed ? std::string(format_components(*parsed).view()) : "nothing";
}

TEST(ParseComponents, StripesSizesAndEnds) {
  const auto parsed = parse_components("1@64M+8x4M@10G+all@eof");
  ASSERT_TRUE(parsed);
  ASSERT_EQ(parsed->used, 3U);
  EXPECT_EQ(parsed->list[0], (Component{.end = 64 * kMiB, .size = 0, .count = 1}));
  EXPECT_EQ(parsed->list[1], (Component{.end = 10 * kGiB, .size = 4 * kMiB, .count = 8}));
  EXPECT_EQ(parsed->list[2], (Component{.end = kEof, .size = 0, .count = kAllTargets}));
}

TEST(ParseComponents, WhatIsWrittenIsReadBack) {
  for (const char* text :
       {"1@64M+8x4M@10G+all@eof", "4@eof", "2x64K@64K+1@eof", "1@1T+1@2T+1@3T+1@4T+2000@eof"}) {
    EXPECT_EQ(round_trip(text), text);
  }
  EXPECT_EQ(round_trip("1@65536+1x131072@1048576+1@eof"), "1@64K+1x128K@1M+1@eof");
}

TEST(ParseComponents, WhatLustreWouldNotTakeIsNothing) {
  for (const char* text : {"",
                           "+",
                           "4",
                           "4@",
                           "@eof",
                           "0@eof",
                           "x1M@eof",
                           "4x@eof",
                           "4x0@eof",
                           "4@1M",
                           "4@eof+4@eof",
                           "4@1M+4@1M+1@eof",
                           "4@2M+4@1M+1@eof",
                           "4@100K+1@eof",
                           "4x96K@1M+1@eof",
                           "4x1M@1536K+1@eof",
                           "-1@eof",
                           "4@eofx",
                           "4@eof+",
                           "2001@eof",
                           "4x4G@eof",
                           "1@1M+1@2M+1@3M+1@4M+1@5M+1@eof",
                           "4 @eof",
                           "4@99999999999T+1@eof",
                           "ALL@eof"}) {
    EXPECT_FALSE(parse_components(text)) << text;
  }
}

TEST(ParseComponents, RandomTextDoesNoHarm) {
  std::mt19937 random(1);
  const std::string letters = "0123456789@+xKMGalleof";
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (unsigned length = random() % 24; length > 0; --length) text += letters[random() % letters.size()];
    if (const auto parsed = parse_components(text)) {
      EXPECT_EQ(parse_components(format_components(*parsed)), parsed) << text;
    }
  }
}

TEST(SatisfiesComponents, CountsSizesAndEnds) {
  const auto holds = [](std::string_view asked, std::string_view obtained) {
    return satisfies(*parse_components(asked), *parse_components(obtained));
  };
  EXPECT_TRUE(holds("1@64M+4@eof", "1x1M@64M+4x1M@eof"));
  EXPECT_TRUE(holds("1@64M+all@eof", "1x1M@64M+8x1M@eof"));
  EXPECT_FALSE(holds("1@64M+4@eof", "1x1M@64M+3x1M@eof"));
  EXPECT_FALSE(holds("1@64M+4x2M@eof", "1x1M@64M+4x1M@eof"));
  EXPECT_FALSE(holds("1@64M+4@eof", "1x1M@32M+4x1M@eof"));
  EXPECT_FALSE(holds("4@eof", "1x1M@64M+4x1M@eof"));
  // A component of 4 MiB has no room for more than four stripes of 1 MiB.
  EXPECT_TRUE(holds("8@4M+1@eof", "4x1M@4M+1x1M@eof"));
  EXPECT_FALSE(holds("8@4M+1@eof", "3x1M@4M+1x1M@eof"));
}

}  // namespace
}  // namespace toto::layout
