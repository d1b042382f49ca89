// SPDX-License-Identifier: BSD-3-Clause
#include "hints/decide.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/unit/hints/situations.h"

namespace toto::hints {
namespace {

class DecideTest : public testing::Test {
 protected:
  DecideTest() {
    // The prior's answer here: 32 stripes of 4 MiB, collective buffering with 32 aggregators.
    sources_.path = "/lustre/run/out.h5";
    sources_.situation = collective(16, 256, 32, 100 * kGiB);
    sources_.library = MpiIo::kRomio;
    sources_.can_set_layout = true;
  }

  void rules(std::string_view text, RuleMode mode = RuleMode::kFill) {
    text_ = text;
    rules_->parse("TOTO_HINTS", text_, nullptr);
    sources_.rules = rules_.get();
    sources_.mode = mode;
  }
  void cray_environment(std::string_view text) {
    cray_->parse("MPICH_MPIIO_HINTS", text, nullptr);
    sources_.cray_environment = cray_.get();
  }
  void romio_file(std::string_view text) {
    file_->parse_romio_file(text);
    sources_.romio_file = file_.get();
  }
  void program(std::vector<ProgramHint> hints) {
    program_ = std::move(hints);
    sources_.program = program_;
  }
  Outcome& decide_now() {
    *outcome_ = Outcome{};
    decide(sources_, *outcome_);
    return *outcome_;
  }
  void expect_hint(std::string_view key, std::string_view value, Origin origin,
                   HintStatus status = HintStatus::kRequested) {
    const Hint* hint = outcome_->find(key);
    ASSERT_NE(hint, nullptr) << key;
    EXPECT_EQ(hint->value, value) << key;
    EXPECT_EQ(name(hint->origin), name(origin)) << key;
    EXPECT_EQ(name(hint->status), name(status)) << key;
  }
  void expect_no_hint(std::string_view key) { EXPECT_EQ(outcome_->find(key), nullptr) << key; }
  bool reason_has(std::string_view text) const {
    return outcome_->reason.view().find(text) != std::string_view::npos;
  }

  Sources sources_;
  std::string text_;
  std::unique_ptr<Rules> rules_ = std::make_unique<Rules>();
  std::unique_ptr<Rules> cray_ = std::make_unique<Rules>();
  std::unique_ptr<Rules> file_ = std::make_unique<Rules>();
  std::unique_ptr<Outcome> outcome_ = std::make_unique<Outcome>();
  std::vector<ProgramHint> program_;
};

// ---- the prior alone

TEST_F(DecideTest, ThePriorDecidesWhereNobodyElseDoes) {
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.count, 32U);
  EXPECT_EQ(o.asked.size, 4 * kMiB);
  EXPECT_EQ(o.layout_origin, Origin::kPrior);
  expect_hint("striping_factor", "32", Origin::kPrior);
  expect_hint("striping_unit", "4194304", Origin::kPrior);
  expect_hint("romio_cb_write", "enable", Origin::kPrior);
  expect_hint("cb_nodes", "32", Origin::kPrior);
  EXPECT_EQ(o.reason.view().substr(0, 3), "L8:");
}

TEST_F(DecideTest, WithoutPriorNothingIsDecided) {
  sources_.use_prior = false;
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.count, 0U);
  EXPECT_EQ(o.layout_origin, Origin::kNone);
  EXPECT_EQ(o.hint_count, 0U);
  EXPECT_TRUE(o.reason.empty());
}

TEST_F(DecideTest, SerialFilesAreLeftAloneAndTheReasonSaysSo) {
  sources_.situation = serial(32);
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.count, 0U);
  EXPECT_EQ(o.asked.size, 0U);
  EXPECT_EQ(o.layout_origin, Origin::kNone);
  EXPECT_TRUE(reason_has("folder's default is kept")) << o.reason.view();
}

// ---- precedence

TEST_F(DecideTest, AFillingRuleWinsOverThePrior) {
  rules("*.h5:striping_factor=8:striping_unit=1M");
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.count, 8U);
  EXPECT_EQ(o.asked.size, kMiB);
  EXPECT_EQ(o.layout_origin, Origin::kUserFill);
  expect_hint("striping_factor", "8", Origin::kUserFill);
  expect_hint("striping_unit", "1048576", Origin::kUserFill);
  EXPECT_TRUE(reason_has("striping_factor=8 (user-fill)")) << o.reason.view();
}

TEST_F(DecideTest, TheProgramWinsOverAFillingRule) {
  rules("*:striping_factor=8:cb_nodes=2");
  program({{"striping_factor", "4"}, {"cb_nodes", "1"}});
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.count, 4U);
  EXPECT_EQ(o.layout_origin, Origin::kProgram);
  expect_hint("striping_factor", "4", Origin::kProgram, HintStatus::kKept);
  expect_hint("cb_nodes", "1", Origin::kProgram, HintStatus::kKept);
}

TEST_F(DecideTest, AnOverridingRuleWinsOverTheProgram) {
  rules("*:striping_factor=8:cb_nodes=2", RuleMode::kOverride);
  program({{"striping_factor", "4"}, {"cb_nodes", "1"}, {"romio_ds_read", "disable"}});
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.count, 8U);
  EXPECT_EQ(o.layout_origin, Origin::kUserOverride);
  expect_hint("striping_factor", "8", Origin::kUserOverride);
  expect_hint("cb_nodes", "2", Origin::kUserOverride);
  expect_hint("romio_ds_read", "disable", Origin::kProgram, HintStatus::kKept);
}

TEST_F(DecideTest, EachFieldHasItsOwnSource) {
  rules("*:striping_unit=2M");
  program({{"striping_factor", "4"}});
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.count, 4U);
  EXPECT_EQ(o.asked.size, 2 * kMiB);
  EXPECT_EQ(o.layout_origin, Origin::kProgram);  // the strongest
  expect_hint("striping_factor", "4", Origin::kProgram, HintStatus::kKept);
  expect_hint("striping_unit", "2097152", Origin::kUserFill);
  expect_hint("romio_cb_write", "enable", Origin::kPrior);
}

TEST_F(DecideTest, RulesForOtherFilesDoNotCount) {
  rules("*.nc:striping_factor=8");
  EXPECT_EQ(decide_now().asked.count, 32U);
}

TEST_F(DecideTest, WithoutPriorTheUsersRulesAndTheProgramStillCount) {
  sources_.use_prior = false;
  rules("*:striping_factor=8:romio_cb_write=disable");
  program({{"striping_unit", "2097152"}});
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.count, 8U);
  EXPECT_EQ(o.asked.size, 2 * kMiB);
  EXPECT_EQ(o.hint_count, 3U);
  expect_hint("romio_cb_write", "disable", Origin::kUserFill);
}

TEST_F(DecideTest, ThePriorsAggregatorsFollowAStrongerCount) {
  rules("*:stripe_count=6");
  decide_now();
  expect_hint("cb_nodes", "6", Origin::kPrior);
}

// ---- the program's striping hints, in any spelling

TEST_F(DecideTest, AProgramsOldSpellingIsAWishForALayout) {
  program({{"stripe_width", "4"}, {"stripe_size", "2097152"}});
  sources_.library = MpiIo::kOmpio;
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.count, 4U);
  EXPECT_EQ(o.asked.size, 2 * kMiB);
  EXPECT_EQ(o.layout_origin, Origin::kProgram);
  expect_hint("stripe_width", "4", Origin::kProgram, HintStatus::kKept);
  expect_no_hint("striping_factor");  // nothing of ours beside it
}

TEST_F(DecideTest, OfTwoSpellingsTheCanonicalOneCounts) {
  program({{"stripe_width", "4"}, {"striping_factor", "16"}});
  EXPECT_EQ(decide_now().asked.count, 16U);
}

TEST_F(DecideTest, AllTargetsIsAWishForAllTargets) {
  program({{"striping_factor", "-1"}});
  EXPECT_EQ(decide_now().asked.count, kAllTargets);
}

TEST_F(DecideTest, ZeroIsAWishForTheFoldersDefault) {
  program({{"striping_factor", "0"}, {"striping_unit", "0"}});
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.count, 0U);
  EXPECT_EQ(o.asked.size, 0U);
  EXPECT_EQ(o.layout_origin, Origin::kNone);
}

TEST_F(DecideTest, AValueThatIsNoCountGivesNoLayoutAndIsPassedOn) {
  program({{"striping_factor", "many"}});
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.count, 0U);
  expect_hint("striping_factor", "many", Origin::kProgram, HintStatus::kKept);
  EXPECT_TRUE(reason_has("not understood")) << o.reason.view();
}

TEST_F(DecideTest, AValueThatIsNoSizeGivesNoLayout) {
  program({{"striping_unit", "large"}});
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.size, 0U);
  expect_hint("striping_unit", "large", Origin::kProgram, HintStatus::kKept);
}

// ---- ROMIO takes striping_unit alone for "all targets"

TEST_F(DecideTest, AProgramsUnitAloneIsCompletedWithACount) {
  program({{"striping_unit", "2097152"}});
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.count, 32U);
  EXPECT_EQ(o.asked.size, 2 * kMiB);
  expect_hint("striping_unit", "2097152", Origin::kProgram, HintStatus::kKept);
  expect_hint("striping_factor", "32", Origin::kPrior);
}

TEST_F(DecideTest, ARulesUnitAloneIsCompletedWithACount) {
  rules("*:striping_unit=2M");
  decide_now();
  expect_hint("striping_unit", "2097152", Origin::kUserFill);
  expect_hint("striping_factor", "32", Origin::kPrior);
}

TEST_F(DecideTest, ARulesUnitAloneStaysOutOfTheHintsWhereNoCountIsKnown) {
  rules("*:striping_unit=2M");
  sources_.use_prior = false;
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.size, 2 * kMiB);  // with the folder's count
  EXPECT_EQ(o.asked.count, 0U);
  EXPECT_EQ(o.layout_origin, Origin::kUserFill);
  expect_no_hint("striping_unit");
  sources_.use_prior = true;
  sources_.situation.folder_is_composite = true;
  sources_.situation.bytes = 0;
  decide_now();
  expect_no_hint("striping_unit");
}

// ---- components

TEST_F(DecideTest, ComponentsSayItAll) {
  rules("*.h5:components=1@64M+8x4M@10G+all@eof");
  const Outcome& o = decide_now();
  EXPECT_EQ(o.asked.components, "1@64M+8x4M@10G+all@eof");
  EXPECT_EQ(o.asked.count, 0U);
  EXPECT_EQ(o.asked.size, 0U);
  EXPECT_EQ(name(o.layout_origin), name(Origin::kUserFill));
  // No MPI library knows them, and a plain pair of striping hints would say something else.
  expect_no_hint("components");
  expect_no_hint("striping_factor");
  expect_no_hint("striping_unit");
  EXPECT_TRUE(reason_has("components="));
}

TEST_F(DecideTest, MalformedComponentsAreLeftOut) {
  rules("*.h5:components=8@1M");
  const Outcome& o = decide_now();
  EXPECT_TRUE(o.asked.components.empty());
  EXPECT_NE(o.asked.count, 0U);
}

// ---- pools

TEST_F(DecideTest, APoolIsForTheLayoutAndNoHint) {
  rules("*:pool=flash");
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.pool, "flash");
  EXPECT_EQ(o.asked.count, 32U);
  EXPECT_EQ(o.layout_origin, Origin::kUserFill);
  expect_no_hint("pool");
}

TEST_F(DecideTest, APoolAloneIsALayout) {
  rules("*:pool=flash");
  sources_.use_prior = false;
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.pool, "flash");
  EXPECT_EQ(o.layout_origin, Origin::kUserFill);
}

TEST_F(DecideTest, APoolNameIsNeverCut) {
  rules("*:pool=a_name_that_is_longer_than_any_pool_name_of_any_file_system_can_be");
  Outcome& o = decide_now();
  EXPECT_TRUE(o.asked.pool.empty());
  EXPECT_EQ(o.layout_origin, Origin::kPrior);
  EXPECT_TRUE(reason_has("left out")) << o.reason.view();
}

// ---- no control over the layout: an existing file, or a file system without

TEST_F(DecideTest, L12ExistingFilesGetTheHintsOfCollectiveBufferingOnly) {
  sources_.can_set_layout = false;
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.count, 0U);
  EXPECT_EQ(o.layout_origin, Origin::kNone);
  expect_no_hint("striping_factor");
  expect_no_hint("striping_unit");
  expect_hint("romio_cb_write", "enable", Origin::kPrior);
  expect_hint("cb_nodes", "32", Origin::kPrior);
  EXPECT_TRUE(reason_has("L12")) << o.reason.view();
}

TEST_F(DecideTest, TheUsersStripingHintsArePassedOnEvenWithoutControl) {
  sources_.can_set_layout = false;
  rules("*:striping_factor=8:striping_unit=1M");
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.count, 0U);
  expect_hint("striping_factor", "8", Origin::kUserFill);
  expect_hint("striping_unit", "1048576", Origin::kUserFill);
}

TEST_F(DecideTest, FilesThatAreReadGetNoStripingHints) {
  sources_.can_set_layout = false;
  sources_.situation.reads_only = true;
  sources_.situation.folder_stripe_size = kMiB;
  decide_now();
  expect_no_hint("striping_factor");
  expect_no_hint("striping_unit");
  expect_no_hint("romio_cb_write");
  expect_hint("cb_buffer_size", "16777216", Origin::kPrior);
}

TEST_F(DecideTest, GpfsIsAlignedToItsBlocks) {
  sources_.can_set_layout = false;
  sources_.situation.file_system = FileSystem::kGpfs;
  sources_.situation.folder_stripe_size = 8 * kMiB;
  decide_now();
  expect_hint("striping_unit", "8388608", Origin::kPrior);
  expect_no_hint("striping_factor");
}

// ---- the library's own names

TEST_F(DecideTest, OldOmpioIsGivenBothSpellingsAndNoneOfRomiosKeys) {
  sources_.library = MpiIo::kOmpioOld;
  decide_now();
  expect_hint("stripe_width", "32", Origin::kPrior);
  expect_hint("striping_factor", "32", Origin::kPrior);
  expect_hint("stripe_size", "4194304", Origin::kPrior);
  expect_hint("striping_unit", "4194304", Origin::kPrior);
  expect_hint("cb_nodes", "32", Origin::kPrior);
  expect_no_hint("romio_cb_write");
  expect_no_hint("romio_ds_write");
  expect_no_hint("cb_config_list");
  expect_no_hint("collective_buffering");
}

TEST_F(DecideTest, NewOmpioIsGivenTheStandardsNamesOnly) {
  sources_.library = MpiIo::kOmpio;
  decide_now();
  expect_hint("striping_factor", "32", Origin::kPrior);
  expect_no_hint("stripe_width");
  expect_no_hint("romio_cb_write");
}

TEST_F(DecideTest, AUsersHintThatTheLibraryDoesNotReadIsListedAsIgnored) {
  sources_.library = MpiIo::kOmpio;
  rules("*:romio_cb_write=disable");
  decide_now();
  expect_hint("romio_cb_write", "disable", Origin::kUserFill, HintStatus::kIgnored);
}

TEST_F(DecideTest, AUsersUnknownKeyIsPassedOn) {
  rules("*:vendor_x=7");
  decide_now();
  expect_hint("vendor_x", "7", Origin::kUserFill);
}

TEST_F(DecideTest, UnitsAndWordsBecomePlainNumbersForTheMpiLibrary) {
  rules("*:striping_factor=all:striping_unit=4MiB:cb_buffer_size=32M:ind_wr_buffer_size=1m");
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.count, kAllTargets);
  expect_hint("striping_factor", "-1", Origin::kUserFill);
  expect_hint("striping_unit", "4194304", Origin::kUserFill);
  expect_hint("cb_buffer_size", "33554432", Origin::kUserFill);
  expect_hint("ind_wr_buffer_size", "1048576", Origin::kUserFill);
}

TEST_F(DecideTest, APosixCreationGetsALayoutAndNoHints) {
  sources_.library = MpiIo::kUnknown;
  rules("*:striping_factor=8:cb_nodes=4");
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.count, 8U);
  EXPECT_EQ(o.layout_origin, Origin::kUserFill);
  EXPECT_EQ(o.hint_count, 0U);
}

// ---- limits

TEST_F(DecideTest, AProgramWithManyKeysDoesNotPushOurHintsOut) {
  std::vector<std::string> keys;
  for (int i = 0; i < 100; ++i) keys.push_back("app_key_" + std::to_string(i));
  std::vector<ProgramHint> hints;
  for (const std::string& key : keys) hints.push_back({key, "1"});
  program(hints);
  Outcome& o = decide_now();
  expect_hint("striping_factor", "32", Origin::kPrior);
  expect_hint("cb_nodes", "32", Origin::kPrior);
  EXPECT_EQ(o.hint_count, o.hints.size());
}

TEST_F(DecideTest, AValueThatDoesNotFitIsNotPassedOnCut) {
  rules("*:vendor_x=" + std::string(200, 'a') + ":vendor_y=" + std::string(88, 'b'));
  decide_now();
  expect_no_hint("vendor_x");
  expect_hint("vendor_y", std::string(88, 'b'), Origin::kUserFill);
}

TEST_F(DecideTest, ALongValueInTheReasonIsCutThere) {
  program({{"striping_factor", "123456789012345678901234567890123456789012345678901234567890"}});
  decide_now();
  EXPECT_FALSE(outcome_->reason.truncated()) << outcome_->reason.view();
}

// ---- what was given to the MPI library itself

TEST_F(DecideTest, CraysEnvironmentIsStrongerThanTheProgram) {
  cray_environment("*:striping_factor=8:cb_nodes=4");
  program({{"striping_factor", "16"}, {"cb_nodes", "2"}, {"romio_cb_read", "disable"}});
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.count, 8U);
  EXPECT_EQ(o.layout_origin, Origin::kCrayEnvironment);
  expect_hint("striping_factor", "8", Origin::kCrayEnvironment);
  expect_hint("cb_nodes", "4", Origin::kCrayEnvironment);
  expect_hint("romio_cb_read", "disable", Origin::kProgram, HintStatus::kKept);
}

TEST_F(DecideTest, RomiosFileIsWeakerThanTheProgramAndStrongerThanThePrior) {
  romio_file("striping_factor 8\ncb_nodes 4\nromio_cb_write disable\n");
  program({{"cb_nodes", "2"}});
  Outcome& o = decide_now();
  EXPECT_EQ(o.asked.count, 8U);
  EXPECT_EQ(o.layout_origin, Origin::kRomioFile);
  expect_hint("striping_factor", "8", Origin::kRomioFile);
  expect_hint("romio_cb_write", "disable", Origin::kRomioFile);
  expect_hint("cb_nodes", "2", Origin::kProgram, HintStatus::kKept);
}

TEST_F(DecideTest, TheUsersRulesStandOverOrBetweenThem) {
  cray_environment("*:striping_factor=8");
  romio_file("striping_unit 1048576\n");
  rules("*:striping_factor=2:striping_unit=2M", RuleMode::kOverride);
  decide_now();
  expect_hint("striping_factor", "2", Origin::kUserOverride);
  expect_hint("striping_unit", "2097152", Origin::kUserOverride);
  rules("*:striping_factor=2:striping_unit=2M", RuleMode::kFill);
  decide_now();
  expect_hint("striping_factor", "8", Origin::kCrayEnvironment);
  expect_hint("striping_unit", "2097152", Origin::kUserFill);
}

TEST_F(DecideTest, CraysEnvironmentCountsForTheFilesThatItNames) {
  cray_environment("*.nc:striping_factor=8");
  Outcome& o = decide_now();
  EXPECT_EQ(o.layout_origin, Origin::kPrior);
}

// ---- aggregators of ROMIO on Lustre

TEST_F(DecideTest, MoreAggregatorsThanStripesNeedARatio) {
  program({{"cb_nodes", "9"}, {"striping_factor", "4"}});
  decide_now();
  expect_hint("romio_lustre_co_ratio", "3", Origin::kProgram);
}

TEST_F(DecideTest, NoRatioWhereItIsGivenOrNotNeededOrNotRead) {
  program({{"cb_nodes", "9"}, {"striping_factor", "4"}, {"romio_lustre_co_ratio", "2"}});
  decide_now();
  expect_hint("romio_lustre_co_ratio", "2", Origin::kProgram, HintStatus::kKept);
  program({{"cb_nodes", "4"}, {"striping_factor", "4"}});
  decide_now();
  expect_no_hint("romio_lustre_co_ratio");
  program({{"cb_nodes", "9"}, {"striping_factor", "4"}});
  sources_.library = MpiIo::kOmpio;
  decide_now();
  expect_no_hint("romio_lustre_co_ratio");
  sources_.library = MpiIo::kRomio;
  sources_.situation.file_system = FileSystem::kGpfs;
  decide_now();
  expect_no_hint("romio_lustre_co_ratio");
}

}  // namespace
}  // namespace toto::hints
