// SPDX-License-Identifier: BSD-3-Clause
// Units, tables and layouts in words.
#include <gtest/gtest.h>

#include <cmath>

#include "core/outcome.h"
#include "tools/stripes.h"
#include "tools/table.h"
#include "tools/units.h"

namespace toto::tools {
namespace {

TEST(Units, Bytes) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1024), "1 KiB");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(31457280), "30 MiB");
  EXPECT_EQ(bytes_text(UINT64_MAX), "16 EiB");
}

TEST(Units, RatesAndTimes) {
  EXPECT_EQ(rate_text(1048576, 0.5), "2 MiB/s");
  EXPECT_EQ(rate_text(1, 0), "-");
  EXPECT_EQ(rate_text(0, 1), "-");
  EXPECT_EQ(seconds_text(0), "0 s");
  EXPECT_EQ(seconds_text(0.0042), "4.2 ms");
  EXPECT_EQ(seconds_text(12.3), "12.3 s");
  EXPECT_EQ(seconds_text(725), "12 min 05 s");
  EXPECT_EQ(seconds_text(4000), "1 h 06 min");
  EXPECT_EQ(seconds_text(NAN), "0 s");
  EXPECT_EQ(plural(1, "rank"), "1 rank");
  EXPECT_EQ(plural(2, "rank"), "2 ranks");
}

TEST(Units, Printable) {
  EXPECT_EQ(printable("/a b/\xC3\xA4"), "/a b/\xC3\xA4");
  EXPECT_EQ(printable("a\nb\x1b\x7f"), "a\\x0ab\\x1b\\x7f");
}

TEST(Table, AlignsAndLeavesTheLastColumnOpen) {
  Table table({{"name"}, {"n", Table::kRight}, {"what"}});
  table.row({"\xC3\xA4", "1", "short"});
  table.row({"long name", "1000"});
  EXPECT_EQ(table.text(),
            "  name          n  what\n"
            "  \xC3\xA4             1  short\n"
            "  long name  1000\n");
}

TEST(Stripes, Words) {
  EXPECT_EQ(stripes_text(0, 0, ""), "-");
  EXPECT_EQ(stripes_text(1, 0, ""), "1 stripe");
  EXPECT_EQ(stripes_text(8, 1048576, ""), "8 stripes of 1 MiB");
  EXPECT_EQ(stripes_text(0, 65536, ""), "stripes of 64 KiB");
  EXPECT_EQ(stripes_text(kAllTargets, 1048576, "flash"), "stripes on all targets of 1 MiB in pool flash");
  EXPECT_EQ(stripe_count_text(kAllTargets), "all");
}

}  // namespace
}  // namespace toto::tools
