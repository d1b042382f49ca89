// SPDX-License-Identifier: BSD-3-Clause
#include "core/json_writer.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <string>

namespace toto {
namespace {

template <class Write>
std::string written(Write write) {
  const int fd = memfd_create("json", 0);
  std::array<char, 64> buffer{};
  JsonWriter json(fd, buffer);
  write(json);
  EXPECT_TRUE(json.finish());
  std::string text(static_cast<std::size_t>(lseek(fd, 0, SEEK_END)), '\0');
  EXPECT_EQ(pread(fd, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  close(fd);
  return text;
}

TEST(JsonWriter, PutsCommasBetweenMembersAndNowhereElse) {
  EXPECT_EQ(written([](JsonWriter& json) {
              json.begin_object();
              json.key("a").number(1);
              json.key("b").begin_array();
              json.end_array();
              json.key("c").begin_array();
              json.text("x");
              json.begin_object();
              json.end_object();
              json.boolean(true);
              json.end_array();
              json.key("d").integer(-5);
              json.end_object();
            }),
            R"({"a":1,"b":[],"c":["x",{},true],"d":-5})");
}

TEST(JsonWriter, SecondsKeepNineDigits) {
  EXPECT_EQ(written([](JsonWriter& json) { json.seconds(1'000'000'001); }), "1.000000001");
  EXPECT_EQ(written([](JsonWriter& json) { json.seconds(5); }), "0.000000005");
}

TEST(JsonWriter, SharesHaveFourDigitsAndAreOneOnlyForAll) {
  EXPECT_EQ(written([](JsonWriter& json) { json.share(1, 3); }), "0.3333");
  EXPECT_EQ(written([](JsonWriter& json) { json.share(99'999, 100'000); }), "0.9999");
  EXPECT_EQ(written([](JsonWriter& json) { json.share(~std::uint64_t{0}, ~std::uint64_t{0}); }), "1.0000");
  EXPECT_EQ(written([](JsonWriter& json) { json.share(1, 0); }), "0.0000");
}

TEST(JsonWriter, FileNamesOfAnyBytesStayValidJson) {
  EXPECT_EQ(written([](JsonWriter& json) { json.text("a\"b\\c\n\x01"); }), R"("a\"b\\c\u000a\u0001")");
  EXPECT_EQ(written([](JsonWriter& json) { json.text("gr\xC3\xBC\xC3\x9F"); }), "\"gr\xC3\xBC\xC3\x9F\"");
  // A lone byte, an overlong form, a surrogate, a cut sequence.
  EXPECT_EQ(written([](JsonWriter& json) { json.text("\xFF"); }), R"("\ufffd")");
  EXPECT_EQ(written([](JsonWriter& json) { json.text("\xC0\xAF"); }), R"("\ufffd\ufffd")");
  EXPECT_EQ(written([](JsonWriter& json) { json.text("\xED\xA0\x80"); }), R"("\ufffd\ufffd\ufffd")");
  EXPECT_EQ(written([](JsonWriter& json) { json.text("x\xE2\x82"); }), R"("x\ufffd\ufffd")");
}

TEST(JsonWriter, TextsLongerThanItsBufferArriveWhole) {
  const std::string longer(10'000, 'q');
  EXPECT_EQ(written([&](JsonWriter& json) { json.text(longer); }), '"' + longer + '"');
}

TEST(JsonWriter, AFullDiskIsToldOnceAtTheEnd) {
  const int fd = open("/dev/full", O_WRONLY);
  ASSERT_GE(fd, 0);
  std::array<char, 64> buffer{};
  JsonWriter json(fd, buffer);
  json.text("anything");
  EXPECT_FALSE(json.finish());
  EXPECT_EQ(json.error(), ENOSPC);
  close(fd);
}

}  // namespace
}  // namespace toto
