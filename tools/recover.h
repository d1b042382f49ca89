// SPDX-License-Identifier: BSD-3-Clause
// Reports of jobs that ended without one (killed, aborted, out of time): made from the node segments that
// they left, which are then removed.
#pragma once

#include <string>

namespace toto::tools {

struct Recovered {
  int reports = 0;   // written
  int failures = 0;  // reports that could not be written, segments that could not be read: left as they are
  int running = 0;   // segments of jobs that still run on this machine: left alone
};

// All segments of this user in TOTO_SEGMENT_DIR (or /dev/shm) whose job has this name; empty: every job.
// `report` not empty: where the report goes; else where the job itself was told to write it. Says on standard
// error what it did, or nothing when `quiet`.
Recovered recover(const std::string& job, const std::string& report, bool quiet);

// Forks a watcher that is nobody's child and holds nothing open: it waits for the end of this process, which
// goes on to become the program, and then of all that the job runs on this node; where they left a segment
// without a report, it makes the report.
void watch_over(const std::string& job);

}  // namespace toto::tools
