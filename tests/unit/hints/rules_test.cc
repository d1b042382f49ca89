// SPDX-License-Identifier: BSD-3-Clause
#include "hints/rules.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hints/mpi_keys.h"

namespace toto::hints {
namespace {

std::vector<std::string> warnings;

class RulesTest : public testing::Test {
 protected:
  void SetUp() override { warnings.clear(); }

  void parse(std::string_view text) {
    text_ = text;
    rules_->parse("TOTO_HINTS", text_, [](std::string_view message) { warnings.emplace_back(message); });
  }
  std::string find(std::string_view path, std::string_view key) const {
    return std::string(rules_->find(path, key));
  }
  std::map<std::string, std::string> all(std::string_view path) const {
    std::map<std::string, std::string> found;
    rules_->for_each(path, [&](std::string_view key, std::string_view value) {
      EXPECT_TRUE(found.emplace(key, value).second) << key << " was visited twice";
    });
    return found;
  }
  // One warning that names the setting and everything in `parts`.
  static void expect_one_warning(const std::vector<std::string>& parts) {
    ASSERT_EQ(warnings.size(), 1U) << testing::PrintToString(warnings);
    EXPECT_EQ(warnings[0].rfind("TOTO_HINTS: ", 0), 0U) << warnings[0];
    for (const std::string& part : parts) {
      EXPECT_NE(warnings[0].find(part), std::string::npos) << warnings[0] << " lacks " << part;
    }
  }

  std::string text_;
  std::unique_ptr<Rules> rules_ = std::make_unique<Rules>();
};

using Map = std::map<std::string, std::string>;

TEST_F(RulesTest, OnePatternWithSeveralHints) {
  parse("*.h5:striping_factor=8:striping_unit=4M:romio_cb_write=enable");
  EXPECT_EQ(all("/s/a.h5"),
            (Map{{"striping_factor", "8"}, {"striping_unit", "4M"}, {"romio_cb_write", "enable"}}));
  EXPECT_EQ(all("/s/a.nc"), Map{});
  EXPECT_TRUE(warnings.empty()) << testing::PrintToString(warnings);
}

TEST_F(RulesTest, SeveralPatternsSeparatedByCommas) {
  parse("*.h5:cb_nodes=8, wrfout*:cb_nodes=4");
  EXPECT_EQ(find("/s/a.h5", "cb_nodes"), "8");
  EXPECT_EQ(find("/s/wrfout_d01", "cb_nodes"), "4");
  EXPECT_TRUE(warnings.empty());
}

TEST_F(RulesTest, ThePatternMayBeRepeatedBeforeEachHint) {
  parse("*:cray_cb_write_lock_mode=2,*:cray_cb_nodes_multiplier=4");  // as ARCHER2's guide writes it
  EXPECT_EQ(all("/a"), (Map{{"cray_cb_write_lock_mode", "2"}, {"cray_cb_nodes_multiplier", "4"}}));
  parse("*.h5:cb_nodes=2:*.h5:cb_buffer_size=1M");
  EXPECT_EQ(all("/a.h5"), (Map{{"cb_nodes", "2"}, {"cb_buffer_size", "1M"}}));
  EXPECT_TRUE(warnings.empty()) << testing::PrintToString(warnings);
}

TEST_F(RulesTest, ALaterRuleWinsKeyByKey) {
  parse("*:cb_nodes=2:romio_ds_write=disable,*.h5:cb_nodes=8");
  EXPECT_EQ(all("/a.h5"), (Map{{"cb_nodes", "8"}, {"romio_ds_write", "disable"}}));
  EXPECT_EQ(all("/a.nc"), (Map{{"cb_nodes", "2"}, {"romio_ds_write", "disable"}}));
}

TEST_F(RulesTest, TwoSpellingsAreOneKey) {
  parse("*:striping_factor=2,*:stripe_count=8:stripe_size=1M");
  EXPECT_EQ(all("/a"), (Map{{"striping_factor", "8"}, {"striping_unit", "1M"}}));
  EXPECT_EQ(find("/a", "stripe_width"), "8");
  EXPECT_TRUE(warnings.empty());
}

TEST_F(RulesTest, AFileHasOneRuleALineAndComments) {
  parse(
      "# for the checkpoints\n"
      "*.chk:striping_factor=all:pool=flash   # every target\r\n"
      "\n"
      "  /s/run#1/*:cb_nodes=4\n");
  EXPECT_EQ(all("/x/a.chk"), (Map{{"striping_factor", "all"}, {"pool", "flash"}}));
  EXPECT_EQ(find("/s/run#1/a", "cb_nodes"), "4");  // a '#' within a word is part of a name
  EXPECT_TRUE(warnings.empty()) << testing::PrintToString(warnings);
}

TEST_F(RulesTest, AnEmptyTextIsNoRuleAndNoWarning) {
  parse("");
  EXPECT_TRUE(rules_->empty());
  EXPECT_EQ(find("/a", "cb_nodes"), "");
  EXPECT_TRUE(warnings.empty());
}

TEST_F(RulesTest, ParsingAgainForgetsTheOldRules) {
  parse("*:cb_nodes=4");
  parse("*:striping_factor=2");
  EXPECT_EQ(all("/a"), (Map{{"striping_factor", "2"}}));
}

TEST_F(RulesTest, AggregatorListsKeepTheirColon) {
  parse("*:cb_config_list=*:4:cb_nodes=8");
  EXPECT_EQ(all("/a"), (Map{{"cb_config_list", "*:4"}, {"cb_nodes", "8"}}));
  EXPECT_TRUE(warnings.empty()) << testing::PrintToString(warnings);
}

// ---- bad input: one warning each, and the rest holds

TEST_F(RulesTest, APatternWithoutHintsIsLeftOut) {
  parse("*.h5,*.nc:cb_nodes=4");
  expect_one_warning({"\"*.h5\"", "without hints", "left out"});
  EXPECT_EQ(find("/a.nc", "cb_nodes"), "4");
}

TEST_F(RulesTest, ACommaBetweenHintsLosesThePatternAndIsExplained) {
  parse("*.h5:cb_nodes=4,striping_factor=8");
  expect_one_warning({"\"striping_factor=8\"", "without a pattern", "separated by ':'", "left out"});
  EXPECT_EQ(all("/a.h5"), (Map{{"cb_nodes", "4"}}));
}

TEST_F(RulesTest, AnEmptyPatternIsLeftOut) {
  parse(":cb_nodes=4,*:cb_nodes=2");
  expect_one_warning({"\":cb_nodes=4\"", "no pattern", "left out"});
  EXPECT_EQ(find("/a", "cb_nodes"), "2");
}

TEST_F(RulesTest, EmptyPartsBetweenCommasAreLeftOut) {
  parse("*:cb_nodes=2,,*:striping_factor=4");
  expect_one_warning({"nothing between two commas", "left out"});
  EXPECT_EQ(all("/a"), (Map{{"cb_nodes", "2"}, {"striping_factor", "4"}}));
}

TEST_F(RulesTest, EmptyPartsBetweenColonsAreLeftOut) {
  parse("*:cb_nodes=2::striping_factor=4");
  expect_one_warning({"\"*\"", "key=value is expected", "left out"});
  EXPECT_EQ(all("/a"), (Map{{"cb_nodes", "2"}, {"striping_factor", "4"}}));
}

TEST_F(RulesTest, APartWithoutEqualsIsLeftOut) {
  parse("*.h5:cb_nodes:striping_factor=4");
  expect_one_warning({"\"cb_nodes\"", "\"*.h5\"", "no '='", "left out"});
  EXPECT_EQ(all("/a.h5"), (Map{{"striping_factor", "4"}}));
}

TEST_F(RulesTest, AKeyWithoutValueIsLeftOut) {
  parse("*:cb_nodes=:striping_factor=4");
  expect_one_warning({"\"cb_nodes=\"", "no value", "left out"});
  EXPECT_EQ(all("/a"), (Map{{"striping_factor", "4"}}));
}

TEST_F(RulesTest, AValueWithoutKeyIsLeftOut) {
  parse("*:=5:striping_factor=4");
  expect_one_warning({"\"=5\"", "no key", "left out"});
}

TEST_F(RulesTest, ASemicolonBetweenRulesIsExplained) {
  parse("*:romio_filter=a;*.h5:cb_nodes=2");
  ASSERT_FALSE(warnings.empty());
  EXPECT_NE(warnings[0].find("';'"), std::string::npos) << warnings[0];
}

TEST_F(RulesTest, AnUnknownKeyIsPassedOnWithASuggestion) {
  parse("*:striping_facto=8");
  expect_one_warning({"\"striping_facto=8\"", "passed on", "did you mean \"striping_factor\"?"});
  EXPECT_EQ(all("/a"), (Map{{"striping_facto", "8"}}));
}

TEST_F(RulesTest, AnUnknownKeyLikeNoOtherHasNoSuggestion) {
  parse("*:hermes_buffer=8");
  expect_one_warning({"\"hermes_buffer=8\"", "passed on"});
  EXPECT_EQ(warnings[0].find("did you mean"), std::string::npos) << warnings[0];
}

TEST_F(RulesTest, AStripeCountThatIsNoneIsLeftOut) {
  for (const char* value : {"eight", "-2", "8.5", "8x", "0x8", "65535", "4294967295", "99999999999"}) {
    warnings.clear();
    parse(std::string("*:striping_factor=") + value + ":cb_nodes=2");
    expect_one_warning({std::string("\"striping_factor=") + value + "\"", "-1 or \"all\"", "left out"});
    EXPECT_EQ(all("/a"), (Map{{"cb_nodes", "2"}})) << value;
  }
}

TEST_F(RulesTest, StripeCountsThatAreGood) {
  for (const char* value : {"1", "8", "2000", "-1", "all", "ALL", "0"}) {
    parse(std::string("*:striping_factor=") + value);
    EXPECT_EQ(find("/a", "striping_factor"), value);
  }
  EXPECT_TRUE(warnings.empty()) << testing::PrintToString(warnings);
}

TEST_F(RulesTest, ASizeThatIsNoneIsLeftOut) {
  for (const char* key : {"striping_unit", "cb_buffer_size"}) {
    for (const char* value : {"big", "4X", "4MM", "4Mi4", "-4M", "1.5M", "M", "99999999999999G"}) {
      warnings.clear();
      const std::string part = std::string(key) + "=" + value;
      parse("*:" + part + ":cb_nodes=2");
      expect_one_warning({"\"" + part + "\"", "a size is expected", "left out"});
      EXPECT_EQ(all("/a"), (Map{{"cb_nodes", "2"}})) << part;
    }
  }
}

TEST_F(RulesTest, SwitchesAndBooleansAreChecked) {
  parse("*:romio_cb_write=on");
  expect_one_warning({"\"romio_cb_write=on\"", "enable, disable or automatic", "left out"});
  warnings.clear();
  parse("*:romio_no_indep_rw=1");
  expect_one_warning({"\"romio_no_indep_rw=1\"", "true or false", "left out"});
  warnings.clear();
  parse("*:romio_cb_write=Enable:romio_no_indep_rw=TRUE");
  EXPECT_TRUE(warnings.empty());
}

TEST_F(RulesTest, NoAggregatorsAreNone) {
  parse("*:cb_nodes=0");
  expect_one_warning({"\"cb_nodes=0\"", "left out"});
}

TEST_F(RulesTest, AVeryLongPartIsCutInItsWarningButTheConsequenceIsRead) {
  parse("*:cb_nodes=" + std::string(5000, '7'));
  expect_one_warning({"...", "left out"});
  EXPECT_LT(warnings[0].size(), 480U);  // a line of the log
}

TEST_F(RulesTest, MoreHintsThanThereIsRoomForAreLeftOut) {
  std::string text;
  for (std::size_t i = 0; i <= Rules::kMost; ++i) text += "*:cb_nodes=" + std::to_string(i + 1) + "\n";
  parse(text);
  expect_one_warning({std::to_string(Rules::kMost), "left out"});
  EXPECT_EQ(find("/a", "cb_nodes"), std::to_string(Rules::kMost));
}

TEST_F(RulesTest, WarningsNeedNoListener) {
  rules_->parse("TOTO_HINTS", "*,:=,*:a,*:cb_nodes=x,*:nope=1", nullptr);
  EXPECT_EQ(all("/a"), (Map{{"nope", "1"}}));
}

TEST(ParseSize, UnitsArePowersOf1024) {
  struct Good {
    const char* text;
    std::uint64_t bytes;
  };
  for (const Good& good :
       {Good{"0", 0}, Good{"65536", 65536}, Good{"64k", 65536}, Good{"4M", 4 << 20}, Good{"4MB", 4 << 20},
        Good{"4MiB", 4 << 20}, Good{"4mib", 4 << 20}, Good{"4Mi", 4 << 20}, Good{"7B", 7},
        Good{"2G", 2ULL << 30}, Good{"1T", 1ULL << 40}, Good{"1P", 1ULL << 50}}) {
    std::uint64_t bytes = 1;
    EXPECT_TRUE(parse_size(good.text, bytes)) << good.text;
    EXPECT_EQ(bytes, good.bytes) << good.text;
  }
}

TEST(ParseSize, WhatIsNoSizeLeavesTheResultAlone) {
  for (const char* text :
       {"", "M", "four", "-1", "+1", "1 M", "1.5M", "4BB", "4iB", "0x10", "16385P", "18446744073709551616"}) {
    std::uint64_t bytes = 77;
    EXPECT_FALSE(parse_size(text, bytes)) << text;
    EXPECT_EQ(bytes, 77U) << text;
  }
}

TEST(ParseSize, TheLargestSizes) {
  std::uint64_t bytes = 0;
  EXPECT_TRUE(parse_size("18446744073709551615", bytes));
  EXPECT_EQ(bytes, ~0ULL);
  EXPECT_TRUE(parse_size("16383P", bytes));
  EXPECT_FALSE(parse_size("16384P", bytes));
}

TEST(KnownKeys, EverySpellingIsKnownAndNothingElse) {
  for (const MpiKey& known : known_keys()) EXPECT_TRUE(is_known_key(known.key)) << known.key.view();
  EXPECT_TRUE(is_known_key("stripe_count"));
  EXPECT_TRUE(is_known_key("pool"));
  EXPECT_FALSE(is_known_key(""));
  EXPECT_FALSE(is_known_key("Striping_Factor"));
}

TEST(KnownKeys, SlipsOfTheFingerFindTheirKey) {
  EXPECT_EQ(nearest_known_key("striping_facto"), "striping_factor");
  EXPECT_EQ(nearest_known_key("Striping_Factor"), "striping_factor");
  EXPECT_EQ(nearest_known_key("cb_node"), "cb_nodes");
  EXPECT_EQ(nearest_known_key("romio_cb_wrote"), "romio_cb_write");
  EXPECT_EQ(nearest_known_key("stripe_cuont"), "stripe_count");
  EXPECT_EQ(nearest_known_key("xy"), "");
  EXPECT_EQ(nearest_known_key(""), "");
  EXPECT_EQ(nearest_known_key(std::string(1000, 'a')), "");
}

TEST_F(RulesTest, RomiosFileIsReadAsRomioReadsIt) {
  rules_->parse_romio_file(
      "# a comment\ncb_nodes 4\n  cb_buffer_size\t8388608  \nthree words here\nalone\n\n #cb 1\ncb_nodes 8\n"
      "stripe_width 16\nromio_cb_write enable\r\n");
  const std::map<std::string, std::string> expected{{"cb_nodes", "4"},
                                                    {"cb_buffer_size", "8388608"},
                                                    {"#cb", "1"},
                                                    {"striping_factor", "16"},
                                                    {"romio_cb_write", "enable"}};
  EXPECT_EQ(all("/any/file"), expected);
}

TEST_F(RulesTest, OfRomiosFileFourKibibytesCount) {
  text_ = "cb_nodes 4\n" + std::string(4096, '#') + "\ncb_buffer_size 1\n";
  rules_->parse_romio_file(text_);
  EXPECT_EQ(all("/any/file").size(), 1U);
  rules_->parse_romio_file("");
  EXPECT_TRUE(rules_->empty());
}

}  // namespace
}  // namespace toto::hints
