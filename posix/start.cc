// SPDX-License-Identifier: BSD-3-Clause
#include "posix/start.h"

#include <pthread.h>

#include <atomic>

#include "core/clock.h"
#include "core/config.h"
#include "core/job.h"
#include "core/log.h"
#include "core/places.h"
#include "core/process.h"
#include "core/registry.h"
#include "core/report.h"
#include "hints/advise.h"
#include "hints/classify.h"
#include "posix/descriptors.h"
#include "posix/handlers.h"
#include "posix/record.h"

namespace toto::posix {

namespace {

// Forked children count in the same memory, and the report is the parent's. It must be there before the fork.
void before_fork() {
  if (process::is_active() && report::wanted()) registry::start();
}

void in_forked_child() {
  note_process();
  registry::after_fork();
  log::forget_warnings();
  job.reported = true;
}

__attribute__((constructor)) void start() {
  resolve_all();
  config::load();
  if (config::settings().disable) return;
  clock::start();
  if (!config::settings().pfs_paths.empty()) places::set_paths(config::settings().pfs_paths);
  note_process();
  pthread_atfork(before_fork, nullptr, in_forked_child);
  process::active.store(true, std::memory_order_relaxed);
}

// A process with MPI reports at MPI_Finalize.
__attribute__((destructor)) void end() {
  if (!process::is_active() || !report::wanted() || shares_memory_with_parent() ||
      job.reported.exchange(true))
    return;
  static constinit Summary summary;  // too large for a stack of unknown size
  Summary::of_process(summary);
  report::write(summary, {hints::classify, hints::advise});
}

}  // namespace
}  // namespace toto::posix
