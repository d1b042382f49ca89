// SPDX-License-Identifier: BSD-3-Clause
// What a run measured, as a table on standard output and as IOR's JSON summary: tests[0].Results[] and
// summary[], with IOR's names and units.
#pragma once

#include <string>
#include <vector>

#include "bench/workload/options.h"

namespace workload {

// One phase (a write or a read of everything), times in seconds from the first rank's begin to the last
// rank's end, as IOR has them.
struct Phase {
  bool write = false;
  int repetition = 0;
  double open = 0, transfer = 0, close = 0, total = 0;
  double latency = 0;       // mean of one transfer, of the slowest rank
  double bytes = 0;         // of all ranks
  double transfers = 0;     // of all ranks
};

struct Run {
  std::string command;
  int ranks = 1;
  std::vector<Phase> phases;
};

void print_table(const Options& options, const Run& run);
// 0 or an errno.
int write_summary(const Options& options, const Run& run);

}  // namespace workload
