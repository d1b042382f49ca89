// SPDX-License-Identifier: BSD-3-Clause
// What holds for the prior's answer to every situation, and where somebody stronger has chosen some fields.
#include "hints/prior.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "hints/mpi_keys.h"
#include "hints/rules.h"
#include "tests/unit/hints/situations.h"

namespace toto::hints {
namespace {

// ---- what holds for every situation

template <class Visit>
void for_many_situations(Visit visit) {
  using enum FileSystem;
  for (const FileSystem file_system : {kOther, kLustre, kBeegfs, kCeph, kGpfs, kNfs, kDaos}) {
    for (const Sharing sharing : {Sharing::kUnknown, Sharing::kSerial, Sharing::kFilePerProcess,
                                  Sharing::kShared, Sharing::kSubsetShared}) {
      for (const Spatiality spatiality :
           {Spatiality::kUnknown, Spatiality::kContiguous, Spatiality::kStrided}) {
        for (const Calls calls : {Calls::kUnknown, Calls::kIndependent, Calls::kCollective}) {
          for (const std::uint32_t nodes : {0U, 1U, 3U, 100U, 4'000'000'000U}) {
            for (const std::uint32_t targets : {0U, 1U, 5U, 8U, 450U, 4'000'000'000U}) {
              for (const std::uint64_t bytes :
                   {std::uint64_t{0}, std::uint64_t{1}, 30 * kMiB, kTiB, ~std::uint64_t{0}}) {
                for (const std::uint64_t request :
                     {std::uint64_t{0}, std::uint64_t{1}, kMiB, ~std::uint64_t{0}}) {
                  Situation s{.file_system = file_system,
                              .sharing = sharing,
                              .spatiality = spatiality,
                              .calls = calls,
                              .interleaved = nodes % 2 == 0,
                              .ranks = nodes,
                              .nodes = nodes,
                              .files = calls == Calls::kCollective ? targets / 5 : targets * 4,
                              .bytes = bytes,
                              .request = request,
                              .call_bytes = bytes,
                              .targets = targets,
                              .reads_only = false,
                              .folder_is_composite = request == 1,
                              .folder_stripe_size = request};
                  visit(s);
                }
              }
            }
          }
        }
      }
    }
  }
}

TEST(PriorAlways, StripingHintsComeAsAPairUnlessTheyOnlyAlign) {
  for_many_situations([](const Situation& s) {
    const Prior p = prior(s);
    if (!p.find("striping_factor").empty()) {
      ASSERT_NE(p.find("striping_unit"), "") << p.reason.view();
    }
    if (s.file_system != FileSystem::kGpfs && p.find("striping_factor").empty()) {
      ASSERT_EQ(p.find("striping_unit"), "") << p.reason.view();
    }
  });
}

TEST(PriorAlways, CountsStayWithinTargetsAndLimit) {
  for_many_situations([](const Situation& s) {
    const Prior p = prior(s);
    if (p.layout.count == kAllTargets) return;
    if (s.targets != 0) {
      ASSERT_LE(p.layout.count, s.targets) << p.reason.view();
    }
    if (s.file_system == FileSystem::kLustre) {
      ASSERT_LE(p.layout.count, 72U) << p.reason.view();
    }
    if (p.layout.count != 0) {
      ASSERT_GE(p.layout.size, 64 * kKiB) << p.reason.view();
    }
  });
}

TEST(PriorAlways, StripeSizesAreMultiplesOf64KiB) {
  for_many_situations([](const Situation& s) {
    const Prior p = prior(s);
    ASSERT_EQ(p.layout.size % (64 * kKiB), 0U) << p.reason.view();
    ASSERT_LE(p.layout.size, 16 * kMiB) << p.reason.view();
  });
}

TEST(PriorAlways, IndependentIoIsNeverForbidden) {
  for_many_situations([](const Situation& s) { ASSERT_EQ(prior(s).find("romio_no_indep_rw"), ""); });
}

TEST(PriorAlways, CollectiveBufferingIsNeverForcedOnUnknownCalls) {
  for_many_situations([](const Situation& s) {
    if (s.calls == Calls::kCollective) return;
    for (const char* key :
         {"romio_cb_write", "romio_ds_write", "cb_nodes", "cb_config_list", "cb_buffer_size"}) {
      ASSERT_EQ(prior(s).find(key), "") << key;
    }
  });
}

TEST(PriorAlways, SievingIsDisabledOnlyWithCollectiveBufferingOnStripedFileSystems) {
  for_many_situations([](const Situation& s) {
    const Prior p = prior(s);
    if (p.find("romio_ds_write").empty()) return;
    ASSERT_EQ(p.find("romio_cb_write"), "enable");
    ASSERT_TRUE(s.file_system == FileSystem::kLustre || s.file_system == FileSystem::kGpfs ||
                s.file_system == FileSystem::kBeegfs);
  });
}

TEST(PriorAlways, EveryKeyIsCanonicalAndGivenOnceWithAnUncutValue) {
  for_many_situations([](const Situation& s) {
    const Prior p = prior(s);
    std::set<std::string_view> seen;
    for (std::uint32_t i = 0; i < p.hint_count; ++i) {
      ASSERT_TRUE(is_known_key(p.hints[i].key)) << p.hints[i].key;
      ASSERT_EQ(canonical(p.hints[i].key), p.hints[i].key);
      ASSERT_TRUE(seen.insert(p.hints[i].key).second) << p.hints[i].key;
      ASSERT_FALSE(p.hints[i].value.truncated()) << p.hints[i].key;
      ASSERT_NE(p.hints[i].value, "0") << p.hints[i].key;
      // ROMIO's driver for PanFS ends the job where one of its layout hints is missing.
      ASSERT_FALSE(p.hints[i].key.starts_with("panfs_")) << p.hints[i].key;
    }
  });
}

TEST(PriorAlways, EveryAnswerNamesARowOfTheTableAndIsOneUncutSentence) {
  std::set<std::string> used;
  for_many_situations([&](const Situation& s) {
    const Prior p = prior(s);
    ASSERT_FALSE(p.reason.truncated()) << p.reason.view();
    bool known = false;
    for (const PriorRow& listed : prior_rows()) {
      known = known || (listed.file_system == s.file_system && listed.name == row(p));
    }
    ASSERT_TRUE(known) << p.reason.view();
    used.emplace(row(p));
  });
  for (const PriorRow& listed : prior_rows()) {
    if (listed.name != "L12") {
      EXPECT_EQ(used.count(std::string(listed.name)), 1U) << listed.name.view();
    }
  }
}

TEST(PriorAlways, TheReasonHasTheNumbersItRestsOn) {
  EXPECT_EQ(prior(collective(1, 4, 8, 30 * kMiB)).reason,
            "L8+L7a: shared, collective; 4 ranks on 1 node, 30 MiB, 8 targets: 8 stripes of 1 MiB");
  EXPECT_EQ(
      prior(file_per_process(1, 1)).reason,
      "L2: file per process, files for all targets; 1 rank on 1 node, 1 file, size not known, 1 target: "
      "1 stripe of 1 MiB");
}

// ---- fields that somebody stronger has chosen

TEST(PriorWithChosenFields, AggregatorsFollowTheChosenCount) {
  Layout chosen;
  chosen.count = 6;
  const Prior p = prior(collective(16, 256, 32, 100 * kGiB), chosen);
  EXPECT_EQ(p.layout.count, 6U);
  EXPECT_EQ(p.find("cb_nodes"), "6");
  EXPECT_EQ(p.find("cb_config_list"), "");
}

TEST(PriorWithChosenFields, BuffersFollowTheChosenSize) {
  Layout chosen;
  chosen.size = 10 * kMiB;
  const Prior p = prior(collective(16, 256, 32, 100 * kGiB), chosen);
  EXPECT_EQ(p.layout.size, 10 * kMiB);
  EXPECT_EQ(p.layout.count, 32U);
  EXPECT_EQ(p.find("cb_buffer_size"), std::to_string(20 * kMiB));
}

TEST(PriorWithChosenFields, HugeStripesGetNoBufferOfTheirSize) {
  Layout chosen;
  chosen.size = 257 * kMiB;
  EXPECT_EQ(prior(collective(16, 256, 32, 100 * kGiB), chosen).find("cb_buffer_size"), "");
}

TEST(PriorWithChosenFields, AllTargetsMeansTheirNumberForTheAggregators) {
  Layout chosen;
  chosen.count = kAllTargets;
  EXPECT_EQ(prior(collective(16, 256, 32, 100 * kGiB), chosen).find("cb_nodes"), "32");
}

}  // namespace
}  // namespace toto::hints
