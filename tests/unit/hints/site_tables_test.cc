// SPDX-License-Identifier: BSD-3-Clause
// What computing centres and libraries tell their users to do, against what the prior does on its own. The
// sites do not agree with each other (100 GB shared: 72 stripes at NERSC, the progressive default at OLCF),
// so the prior cannot equal all of them: each test says where it is the site's choice, and where it deviates
// and why. Sources: docs/rules.md.
#include <gtest/gtest.h>

#include "tests/unit/hints/situations.h"

namespace toto::hints {
namespace {

constexpr std::uint64_t kGB = 1'000'000'000;
constexpr std::uint64_t kTB = 1000 * kGB;

// ---- NERSC: shared 1 to 10 GB 8, to 100 GB 24, above 72 stripes of 1 MiB, never above 72; a file per
// process 1, unless above 100 GB; romio_cb_write=enable, romio_ds_write=disable.

TEST(SiteTables, NerscSharedFilesAbove100GB) {
  const Prior p = prior(collective(64, 4096, 248, 101 * kGB));
  EXPECT_EQ(p.layout.count, 72U);
  EXPECT_EQ(p.find("romio_cb_write"), "enable");
  EXPECT_EQ(p.find("romio_ds_write"), "disable");
  EXPECT_EQ(p.find("cb_nodes"), "72");  // one aggregator a target
}

TEST(SiteTables, NerscNeverAbove72) {
  for (const std::uint64_t bytes : {std::uint64_t{0}, kTB, 1000 * kTB}) {
    EXPECT_LE(prior(collective(4096, 65'536, 248, bytes)).layout.count, 72U);
  }
}

TEST(SiteTables, NerscSharedFilesOf1To100GBByFewNodes) {
  // Two nodes for 8 stripes, six for 24: NERSC's table has the size alone, ours (T3PIO's rule) has four
  // targets a node, so that more nodes get more stripes than NERSC's 8 and 24.
  EXPECT_EQ(prior(collective(2, 128, 248, 5 * kGB)).layout.count, 8U);
  EXPECT_EQ(prior(collective(6, 384, 248, 50 * kGB)).layout.count, 24U);
  EXPECT_GE(prior(collective(64, 4096, 248, 5 * kGB)).layout.count, 8U);
  EXPECT_GE(prior(collective(64, 4096, 248, 50 * kGB)).layout.count, 24U);
}

TEST(SiteTables, NerscStripesOfOneMebibyteUpTo10GB) {
  // Above, ours grow to 4 and 16 MiB, as OLCF and nekRS have it.
  EXPECT_EQ(prior(collective(2, 128, 248, 5 * kGB)).layout.size, kMiB);
}

TEST(SiteTables, NerscFilePerProcess) {
  EXPECT_EQ(prior(file_per_process(4096, 248, 10 * kGB)).layout.count, 1U);
  EXPECT_GT(prior(file_per_process(100, 248, 101 * kGB)).layout.count, 1U);
}

TEST(SiteTables, NerscSmallSharedFilesDeviate) {
  // NERSC leaves shared files below 1 GB at one stripe. Ours have up to 8 (L1a), since several writers gain
  // from several targets far earlier.
  EXPECT_EQ(prior(collective(2, 128, 248, 500'000'000)).layout.count, 8U);
}

// ---- OLCF Orion: a progressive default; by hand only shared files above 512 GB: 8 stripes, 16 from 1 TB,
// 64 from 8 TB, 128 from 16 TB, of 16 MiB, 450 at most; nothing for serial files, files per process, small
// ones.

Situation on_orion(Situation s) {
  s.targets = 450;
  s.folder_is_composite = true;
  return s;
}

TEST(SiteTables, OlcfKeepsTheProgressiveDefault) {
  EXPECT_EQ(prior(on_orion(serial(450, 10 * kTB))).layout.count, 0U);
  EXPECT_EQ(prior(on_orion(file_per_process(4096, 450, kTB))).layout.count, 0U);
  EXPECT_EQ(prior(on_orion(collective(128, 1024, 450, 50'000'000))).layout.count, 0U);
  EXPECT_EQ(prior(on_orion(collective(128, 1024, 450, 50 * kGB))).layout.count, 0U);
}

TEST(SiteTables, OlcfLargeSharedFilesAreAtLeastAsWideWithStripesOf16MiB) {
  // Ours follow the nodes and are wider than Orion's own 8 and 16, whose targets are large.
  struct Step {
    std::uint64_t bytes;
    std::uint32_t stripes;
  };
  for (const Step& step : {Step{513 * kGB, 8}, Step{kTB, 16}, Step{8 * kTB, 64}}) {
    const Prior p = prior(on_orion(collective(128, 1024, 450, step.bytes)));
    EXPECT_GE(p.layout.count, step.stripes);
    EXPECT_LE(p.layout.count, 450U);
    EXPECT_EQ(p.layout.size, 16 * kMiB);
  }
}

TEST(SiteTables, OlcfAbove16TBDeviates) {
  // Orion's 128 stripes are above NERSC's "never more than 72", which is our limit everywhere.
  EXPECT_EQ(prior(on_orion(collective(128, 1024, 450, 16 * kTB))).layout.count, 72U);
}

// ---- ARCHER2: file per process 1; shared and collective: all 12 targets, 1 MiB

TEST(SiteTables, Archer2) {
  EXPECT_EQ(prior(file_per_process(2048, 12)).layout.count, 1U);
  const Prior p = prior(collective(16, 2048, 12, 9 * kGB));
  EXPECT_EQ(p.layout.count, 12U);
  EXPECT_EQ(p.layout.size, kMiB);
  EXPECT_EQ(prior(shared(16, 2048, 12)).layout.count, 12U);  // and before anything is known
}

// ---- LUMI: shared: more than one, a factor of the number of processes, 1 to 4 MB, a multiple of the size of
// writes; file per process 1

TEST(SiteTables, Lumi) {
  EXPECT_EQ(prior(file_per_process(1024, 32)).layout.count, 1U);
  for (const std::uint32_t nodes : {1U, 2U, 4U, 8U, 64U}) {
    const Prior p = prior(collective(nodes, nodes * 128, 32, 50 * kGB));
    EXPECT_GT(p.layout.count, 1U);
    EXPECT_EQ(nodes * 128 % p.layout.count, 0U) << nodes;
    EXPECT_GE(p.layout.size, 512 * kKiB);
    EXPECT_LE(p.layout.size, 4 * kMiB);
  }
  EXPECT_EQ(prior(independent(8, 1024, 32, Spatiality::kContiguous, 2 * kMiB)).layout.size, 2 * kMiB);
}

// ---- CSCS: a progressive default that ends on all targets

TEST(SiteTables, CscsProgressiveDefaultIsKept) {
  Situation s = collective(16, 1024, 32, 50 * kGB);
  s.folder_is_composite = true;
  EXPECT_EQ(prior(s).layout.count, 0U);
  EXPECT_EQ(prior(s).find("striping_factor"), "");
}

// ---- Lustre wiki: below 1 MiB 1; to 1 GiB 1 to 4; above, one client 4 to 8, many clients 8 or more, or all

TEST(SiteTables, LustreWikiBelowOneMebibyte) {
  EXPECT_EQ(prior(shared(8, 64, 32, kMiB - 1)).layout.count, 1U);
}

TEST(SiteTables, LustreWikiOneClient) {
  for (const std::uint32_t ranks : {2U, 4U, 16U, 128U}) {
    const std::uint32_t count = prior(collective(1, ranks, 32, 4 * kGiB)).layout.count;
    EXPECT_GE(count, 4U);
    EXPECT_LE(count, 8U);
  }
}

TEST(SiteTables, LustreWikiManyClients) {
  EXPECT_GE(prior(collective(8, 256, 32, 2 * kGiB)).layout.count, 8U);
  EXPECT_EQ(prior(collective(64, 256, 32, 100 * kGiB)).layout.count, 32U);
}

TEST(SiteTables, LustreWikiUpToOneGibibyte) {
  // 1 to 4 there, up to 8 for ours where many write (L1a); serial files keep the folder's.
  EXPECT_LE(prior(collective(1, 2, 32, 100 * kMiB)).layout.count, 4U);
  EXPECT_LE(prior(collective(8, 256, 32, 500 * kMiB)).layout.count, 8U);
}

// ---- Blue Waters: shared: as many stripes as nodes, 360 at most; file per process 1, above 100 GB 4

TEST(SiteTables, BlueWaters) {
  EXPECT_EQ(prior(file_per_process(2000, 1440)).layout.count, 1U);
  EXPECT_EQ(prior(file_per_process(360, 1440, 101 * kGB)).layout.count, 4U);
  // Strided: its choice. Else four a node (T3PIO), to 72.
  EXPECT_EQ(prior(independent(40, 640, 1440, Spatiality::kStrided, kMiB, 10 * kGB)).layout.count, 40U);
  EXPECT_GE(prior(collective(16, 256, 1440, 50 * kGB)).layout.count, 16U);
  EXPECT_EQ(prior(collective(360, 5760, 1440, kTB)).layout.count, 72U);  // 360 there
}

// ---- E3SM (Scorpio): min(I/O tasks, targets), 72 at most, 1 MiB

TEST(SiteTables, E3sm) {
  EXPECT_EQ(prior(collective(72, 72, 248, 9 * kGB)).layout.count, 72U);
  EXPECT_EQ(prior(collective(128, 128, 248, 9 * kGB)).layout.count, 72U);
  EXPECT_EQ(prior(collective(128, 128, 48, 9 * kGB)).layout.count, 48U);  // Theta
  EXPECT_EQ(prior(collective(72, 72, 248, 9 * kGB)).layout.size, kMiB);
  // Fewer tasks than targets get up to four targets each, a task a node.
  EXPECT_GE(prior(collective(16, 16, 72, 9 * kGB)).layout.count, 16U);
}

TEST(SiteTables, E3smRestartsAreNeverLeftOnOneStripe) {
  // Their restart file: minutes on one stripe, seconds on 16.
  EXPECT_GE(prior(shared(16, 16, 72)).layout.count, 16U);
}

// ---- nekRS on Frontier: min(nodes / 2, 400), 16 MiB, romio_cb_write=enable, romio_ds_write=disable

TEST(SiteTables, NekRs) {
  const Prior p = prior(collective(128, 1024, 450, kTB));
  EXPECT_GE(p.layout.count, 64U);  // theirs: 64; above 144 nodes ours stay at 72
  EXPECT_EQ(p.layout.size, 16 * kMiB);
  EXPECT_EQ(p.find("romio_cb_write"), "enable");
  EXPECT_EQ(p.find("romio_ds_write"), "disable");
  // Theirs is true; we do not promise for the program that no rank ever writes on its own.
  EXPECT_EQ(p.find("romio_no_indep_rw"), "");
}

// ---- T3PIO: at most 80; as many nodes: 80, else nodes * min(80 / nodes, 4); cb_nodes the same; 1 MiB

TEST(SiteTables, T3pio) {
  for (const std::uint32_t nodes : {2U, 5U, 7U, 13U, 18U}) {
    const Prior p = prior(independent(nodes, nodes * 16, 300, Spatiality::kContiguous, 0));
    EXPECT_EQ(p.layout.count, nodes * 4) << nodes;
    EXPECT_EQ(p.layout.size, kMiB);
  }
  // 72 instead of 80: NERSC's limit. One node: 8 instead of 4 (L7a).
  EXPECT_EQ(prior(independent(80, 1280, 300, Spatiality::kContiguous, 0, 9 * kGB)).layout.count, 72U);
  EXPECT_EQ(prior(independent(1, 16, 300, Spatiality::kContiguous, 0, kGB)).layout.count, 8U);
}

TEST(SiteTables, T3pioAsManyAggregatorsAsStripes) {
  const Prior p = prior(collective(8, 128, 300, 9 * kGB));
  EXPECT_EQ(p.layout.count, 32U);
  EXPECT_EQ(p.find("cb_nodes"), "32");
  // A stripe count with many divisors: 20 would be T3PIO's.
  EXPECT_EQ(prior(collective(5, 80, 300, 9 * kGB)).layout.count, 16U);
}

}  // namespace
}  // namespace toto::hints
