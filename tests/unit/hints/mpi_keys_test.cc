// SPDX-License-Identifier: BSD-3-Clause
#include "hints/mpi_keys.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>

namespace toto::hints {
namespace {

TEST(MpiKeys, OldOmpioIsGivenBothSpellingsOfStriping) {
  const Names factor = names(MpiIo::kOmpioOld, "striping_factor");
  EXPECT_EQ(factor.first, "stripe_width");  // a count, whatever the name says
  EXPECT_EQ(factor.second, "striping_factor");
  const Names unit = names(MpiIo::kOmpioOld, "striping_unit");
  EXPECT_EQ(unit.first, "stripe_size");
  EXPECT_EQ(unit.second, "striping_unit");
}

TEST(MpiKeys, OtherLibrariesAreGivenTheStandardsSpellingOnly) {
  for (const MpiIo library :
       {MpiIo::kOmpio41, MpiIo::kOmpio, MpiIo::kRomio, MpiIo::kCray, MpiIo::kOmpiRomio}) {
    EXPECT_EQ(names(library, "striping_factor").first, "striping_factor") << name(library);
    EXPECT_EQ(names(library, "striping_factor").second, "") << name(library);
    EXPECT_EQ(names(library, "striping_unit").first, "striping_unit") << name(library);
    EXPECT_EQ(names(library, "striping_unit").second, "") << name(library);
  }
}

TEST(MpiKeys, EverySpellingFindsItsCanonicalName) {
  EXPECT_EQ(canonical("striping_factor"), "striping_factor");
  EXPECT_EQ(canonical("stripe_width"), "striping_factor");
  EXPECT_EQ(canonical("stripe_count"), "striping_factor");
  EXPECT_EQ(canonical("stripe_size"), "striping_unit");
  EXPECT_EQ(canonical("romio_lustre_start_iodevice"), "start_iodevice");
  EXPECT_EQ(canonical("romio_cb_fr_types"), "romio_cb_fr_type");
  EXPECT_EQ(canonical("my_own_key"), "my_own_key");
  EXPECT_EQ(canonical(""), "");
}

TEST(MpiKeys, NamesTakeAnySpelling) {
  EXPECT_EQ(names(MpiIo::kRomio, "stripe_width").first, "striping_factor");
}

TEST(MpiKeys, AggregatorHintsAreReadEverywhere) {
  for (const MpiIo library : kMpiIos) {
    EXPECT_EQ(names(library, "cb_nodes").first, "cb_nodes") << name(library);
    EXPECT_EQ(names(library, "cb_buffer_size").first, "cb_buffer_size") << name(library);
  }
}

TEST(MpiKeys, OmpioReadsNoneOfRomiosKeys) {
  for (const char* key : {"romio_cb_write", "romio_ds_write", "romio_no_indep_rw", "cb_config_list"}) {
    EXPECT_TRUE(names(MpiIo::kOmpioOld, key).none()) << key;
    EXPECT_TRUE(names(MpiIo::kOmpio, key).none()) << key;
    EXPECT_EQ(names(MpiIo::kRomio, key).first, key);
    EXPECT_EQ(names(MpiIo::kOmpiRomio, key).first, key);
  }
}

TEST(MpiKeys, InvertedCollectiveBufferingIsNeverGivenToOldOmpio) {
  EXPECT_TRUE(names(MpiIo::kOmpioOld, "collective_buffering").none());
  EXPECT_TRUE(names(MpiIo::kOmpio41, "collective_buffering").none());
  EXPECT_EQ(names(MpiIo::kOmpio, "collective_buffering").first, "collective_buffering");
  EXPECT_TRUE(names(MpiIo::kRomio, "collective_buffering").none());
}

TEST(MpiKeys, StartDeviceHasTwoNamesInMpichAndTheOldOneInOpenMpi) {
  EXPECT_EQ(names(MpiIo::kRomio, "start_iodevice").first, "start_iodevice");
  EXPECT_EQ(names(MpiIo::kRomio, "start_iodevice").second, "romio_lustre_start_iodevice");
  EXPECT_EQ(names(MpiIo::kOmpiRomio, "start_iodevice").first, "romio_lustre_start_iodevice");
}

TEST(MpiKeys, CandidatesThatSwapTheStripingHintsAreGivenNone) {
  for (const char* key : {"striping_factor", "striping_unit", "stripe_width", "stripe_size"}) {
    EXPECT_TRUE(names(MpiIo::kOmpioSwapped, key).none()) << key;
  }
  EXPECT_EQ(names(MpiIo::kOmpioSwapped, "cb_nodes").first, "cb_nodes");
}

TEST(MpiKeys, OmpioIsToldByTheVersionOfOpenMpi) {
  for (const char* version :
       {"Open MPI v4.1.4", "Open MPI v4.1.5", "Open MPI v4.0.7", "Open MPI v3.1.6", "", "Open MPI"}) {
    EXPECT_EQ(ompio_of(version), MpiIo::kOmpioOld) << version;
  }
  for (const char* version :
       {"Open MPI v4.1.6", "Open MPI v4.1.8", "Open MPI v4.1.6rc1", "Open MPI v4.1.10"}) {
    EXPECT_EQ(ompio_of(version), MpiIo::kOmpio41) << version;
  }
  for (const char* version : {"Open MPI v5.0.0rc8", "Open MPI v5.0.0rc9"}) {
    EXPECT_EQ(ompio_of(version), MpiIo::kOmpioSwapped) << version;
  }
  for (const char* version : {"Open MPI v5.0.0", "Open MPI v5.0.0rc10", "Open MPI v5.0.5",
                              "Open MPI v5.1.0a1", "Open MPI v6.0.0"}) {
    EXPECT_EQ(ompio_of(version), MpiIo::kOmpio) << version;
  }
}

TEST(MpiKeys, CraysKeysGoToCrayOnly) {
  EXPECT_EQ(names(MpiIo::kCray, "cray_cb_nodes_multiplier").first, "cray_cb_nodes_multiplier");
  EXPECT_TRUE(names(MpiIo::kRomio, "cray_cb_nodes_multiplier").none());
  EXPECT_TRUE(names(MpiIo::kOmpiRomio, "cray_cb_nodes_multiplier").none());
  EXPECT_TRUE(names(MpiIo::kOmpio, "cray_cb_nodes_multiplier").none());
}

TEST(MpiKeys, ThePoolIsNoMpiLibrarysBusiness) {
  for (const MpiIo library : kMpiIos) EXPECT_TRUE(names(library, "pool").none()) << name(library);
}

TEST(MpiKeys, UnknownKeysAreReadUnderTheirOwnNameForAllWeKnow) {
  for (const MpiIo library : kMpiIos) EXPECT_EQ(names(library, "vendor_x").first, "vendor_x");
}

TEST(MpiKeys, WithoutAnMpiLibraryThereAreNoNames) {
  EXPECT_TRUE(names(MpiIo::kUnknown, "striping_factor").none());
  EXPECT_TRUE(names(MpiIo::kUnknown, "vendor_x").none());
}

TEST(MpiKeys, OnlyRomioInMpichTellsTheTruth) {
  EXPECT_FALSE(tells_the_truth(MpiIo::kUnknown));
  for (const MpiIo library : kMpiIos)
    EXPECT_EQ(tells_the_truth(library), library == MpiIo::kRomio) << name(library);
}

TEST(MpiKeys, NoSpellingStandsForTwoKeys) {
  std::set<std::string_view> seen;
  for (const MpiKey& known : known_keys()) {
    for (const std::string_view spelling : known.spellings()) {
      if (!spelling.empty()) {
        EXPECT_TRUE(seen.insert(spelling).second) << spelling;
      }
    }
  }
}

TEST(MpiKeys, EveryNameFitsIntoAnOutcome) {
  for (const MpiKey& known : known_keys()) {
    EXPECT_FALSE(decltype(Hint::key)(known.key).truncated()) << known.key.view();
    EXPECT_FALSE(decltype(Hint::key)(known.alias).truncated()) << known.alias.view();
  }
}

}  // namespace
}  // namespace toto::hints
