// SPDX-License-Identifier: BSD-3-Clause
// The small reader against toml++, on everything a settings file may hold and on broken ones.
#include "core/toml.h"

#include <gtest/gtest.h>

#include <toml++/toml.h>
#include <map>
#include <string>

namespace toto::toml {
namespace {

using Entries = std::map<std::string, std::string>;

Entries ours(std::string_view text, bool& good) {
  Entries out;
  const Error error = parse(
      text,
      [](const Entry& entry, void* context) {
        if (entry.kind == Kind::kOther) return;
        (*static_cast<Entries*>(context))[std::string(entry.key.view())] = std::string(entry.value.view());
      },
      &out);
  good = error.what.empty();
  return out;
}

Entries theirs(std::string_view text, bool& good) {
  Entries out;
  good = true;
  try {
    for (const auto& [key, node] : ::toml::parse(text)) {
      const std::string name(key.str());
      if (const auto* s = node.as_string()) out[name] = s->get();
      if (const auto* n = node.as_integer()) out[name] = std::to_string(n->get());
      if (const auto* b = node.as_boolean()) out[name] = b->get() ? "true" : "false";
    }
  } catch (const ::toml::parse_error&) {
    good = false;
  }
  return out;
}

class Documents : public testing::TestWithParam<const char*> {};

TEST_P(Documents, AreReadAsAFullReaderReadsThem) {
  bool we = false, they = false;
  const Entries mine = ours(GetParam(), we);
  const Entries full = theirs(GetParam(), they);
  EXPECT_EQ(we, they) << GetParam();
  if (they) {
    EXPECT_EQ(mine, full) << GetParam();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Toml, Documents,
    testing::Values("", "# only a comment\n\n",
                    "TOTO_PFS_PATHS = \"/scratch\"\nTOTO_ANALYSIS_PERIOD = 500 # ms\n",
                    "a = 'C:\\no\\escape'\r\nb = true\r\nc=false",
                    "a = \"tab\\t quote\\\" backslash\\\\ \\u00fc \\U0001F600\"",
                    "a = \"\"\"\nfirst\nsecond\"\"\"\nb = 1", "a = '''\nx'y''z'''",
                    "a = \"\"\"one \\\n    two\"\"\"", "a = \"\"\"quotes \"\" inside\"\"\"\"\"\n",
                    "n = +17\nm = -3\nk = 1_000\nz = 0", "\"quoted key\" = 1\n'other' = 2",
                    "list = [1, 2, # three\n 3]\nx = 1", "t = { a = 1, b = \"}\" }\nx = 2",
                    "x = 1\n[table]\nx = 2\n[[array]]\ny = 3\n", "f = 1.5\nd = 1979-05-27\ni = inf\nx = 1",
                    // broken
                    "a", "a =", "a = ", "= 1", "a = 1 2", "a = \"open", "a = 'open\n", "a = \"\"\"open",
                    "a = \"bad \\q\"", "a = \"\\u12\"", "a = \"\\uD800\"", "a = 1__0", "a = _1", "a = 1_",
                    "a = 01", "a = [1, 2", "a = bare", "a b = 1", "[table", "a = True", "a = + 1"));

TEST(Toml, AnErrorTellsTheLine) {
  const Error error = parse(
      "a = 1\nb = 2\nc = \n", [](const Entry&, void*) {}, nullptr);
  EXPECT_EQ(error.line, 3);
  EXPECT_FALSE(error.what.empty());
}

TEST(Toml, AStringTooLongForASettingIsAnError) {
  bool good = true;
  ours("a = \"" + std::string(5000, 'x') + "\"", good);
  EXPECT_FALSE(good);
}

}  // namespace
}  // namespace toto::toml
