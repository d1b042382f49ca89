// SPDX-License-Identifier: BSD-3-Clause
#include "posix/start.h"

#include <pthread.h>

#include <atomic>

#include "core/clock.h"
#include "core/collect.h"
#include "core/config.h"
#include "core/job.h"
#include "core/log.h"
#include "core/places.h"
#include "core/process.h"
#include "core/registry.h"
#include "core/report.h"
#include "core/segment.h"
#include "core/start_up.h"
#include "core/sys.h"
#include "hints/advise.h"
#include "hints/classify.h"
#include "hints/own_files.h"
#include "hints/targets.h"
#include "hints/tuning.h"
#include "posix/descriptors.h"
#include "posix/handlers.h"
#include "posix/later.h"
#include "posix/owner.h"
#include "posix/record.h"

namespace toto::posix {

namespace {

// Forked children count in the same memory, and the report is the parent's. It must be there before the fork.
void before_fork() {
  if (process::is_active() && config::wants_report()) registry::before_fork();
}

void in_forked_child() {
  note_process();
  registry::after_fork();
  kernel_io::forget();
  hints::own_files::after_fork();
  hints::targets::after_fork();
  log::forget_warnings();
  job.reported = true;
}

__attribute__((constructor)) void start() {
  look_at_later();
  config::load();
  if (config::settings().disable) return;
  clock::start();
  if (!config::settings().pfs_paths.empty()) places::set_paths(config::settings().pfs_paths);
  note_process();
  pthread_atfork(before_fork, nullptr, in_forked_child);
  process::active.store(true, std::memory_order_relaxed);
}

TOTO_AT_START __attribute__((destructor)) void at_exit() {
  if (process::is_active() && config::wants_report()) end_process();
}

}  // namespace

// The last process of a segment reports what nobody has reported yet: all of a job without MPI; with MPI only
// what MPI_Finalize did not come to. A process without a segment reports for itself and its forked children.
void end_process() {
  if (!process::is_active() || !config::wants_report() || !is_noted_process()) return;
  static constinit collect::Areas areas{};  // these two are too large for a stack of unknown size
  static constinit Summary summary;
  static constinit std::atomic<bool> ending{false};  // two threads, or a signal handler in between
  if (ending.exchange(true)) return;
  const sys::KeepErrno keep;
  // The kernel adds what a child did to its parent's count when that waits for it.
  if (Area* own = registry::area(); own != nullptr && !segment::counts_here(sys::getppid()))
    kernel_io::note(*own);
  segment::Mapping all;
  if (segment::is_awaited()) registry::start();
  if (segment::nonce() != 0) {
    if (!segment::leave(all)) return;
    collect::claim(all, 0, areas);
  } else if (registry::area() != nullptr && !job.reported.exchange(true)) {
    areas.add(*registry::area());
  }
  bool done = areas.all().empty();
  if (!done) {
    report::About about = collect::about(areas.all(), nullptr);
    about.partial = about.who->rank >= 0;
    about.all_areas = !about.partial;
    about.kept = segment::nonce() != 0;
    collect::summarise(areas.all(), true, summary);
    done = report::write(summary, about, {hints::classify, hints::advise, hints::tuning::tell});
  }
  if (segment::nonce() == 0) return;
  if (done) {
    segment::remove();
  } else {  // it can be recovered
    collect::settle(areas.all(), false);
  }
}

}  // namespace toto::posix
