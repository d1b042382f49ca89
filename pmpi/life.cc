// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/life.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "core/config.h"
#include "core/heap.h"
#include "core/job.h"
#include "core/log.h"
#include "core/process.h"
#include "core/report.h"
#include "core/summary.h"
#include "hints/advise.h"
#include "hints/classify.h"
#include "pmpi/communicator.h"
#include "pmpi/library.h"
#include "pmpi/real.h"
#include "pmpi/reduce.h"

namespace toto::pmpi {
namespace {

constinit Agreement agreed;

int environment_number(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return 0;
  const std::string_view digits(text);
  int value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

// Ranks on this node, by the launchers' variables; 0: not told.
int local_ranks() {
  for (const char* name :
       {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "PMI_LOCAL_SIZE", "SLURM_NTASKS_PER_NODE"}) {
    if (const int count = environment_number(name); count > 0) return count;
  }
  return 0;
}

// Several programs in one launch (MPMD): some of them may not have us, and a message of ours to them would
// wait for ever. Every rank must come to the same answer without a message: Open MPI's launcher tells all of
// them.
bool several_programs() { return environment_number("OMPI_NUM_APP_CTX") > 1; }

std::string_view thread_level_name(int level) {
  if (level == MPI_THREAD_SINGLE) return "single";
  if (level == MPI_THREAD_FUNNELED) return "funneled";
  return level == MPI_THREAD_SERIALIZED ? "serialized" : "multiple";
}

void report_job() {
  const bool reports = !job.reported.exchange(true);
  const bool speaks = job.rank.load() == 0;
  if (!agreed.report && !report::wanted()) return;
  // Not on the stack, and not always there: tens of KiB.
  const auto summary = Heap<Summary>::make();
  if (!summary) return;
  Summary::of_process(*summary);
  if (agreed.together && agreed.report && job.ranks.load() > 1) {
    if (!reduce_summary(*summary)) {
      log::warn("the ranks' statistics could not be combined: the report holds those of rank 0 only");
    }
  }
  if (reports && (speaks || !agreed.together)) {
    report::write(*summary, {hints::classify, hints::advise});
  }
}

}  // namespace

const Agreement& agreement() { return agreed; }

void after_init() {
  if (!library::matches() || !real::available()) return;
  agreed.usable = true;
  int rank = 0, ranks = 1, level = 0;
  real::Comm_rank(predefined::comm_world(), &rank);
  real::Comm_size(predefined::comm_world(), &ranks);
  job.ranks = ranks;
  job.rank = rank;
  const int local = local_ranks();
  job.nodes = local > 0 ? std::max(1, (ranks + local - 1) / local) : 1;
  job.mpi_library = library::version();
  job.mpi_io = hints::name(library::mpi_io());
  if (real::Query_thread(&level) == MPI_SUCCESS) job.thread_level = thread_level_name(level);
  log::set_rank(rank);
  if (!config::settings().combine) return;
  if (several_programs()) {
    log::warn(
        "several programs in one MPI job: each is measured by itself, and files opened by MPI get no layout");
    return;
  }
  // Disabled ranks take part, so that nobody waits for them later.
  // Ready first, asked then: a rank that cannot take part must say so while all are asked.
  const bool ready = make_reductions() && process::is_active();
  std::array<int, 2> mine{ready ? 1 : 0, report::wanted() ? 0 : 1};
  std::array<int, 2> all{0, 1};
  if (ranks > 1) {
    if (real::Allreduce(mine.data(), all.data(), 2, predefined::integer(), predefined::min(),
                        predefined::comm_world()) != MPI_SUCCESS) {
      return;
    }
  } else {
    all = mine;
  }
  agreed.together = all[0] == 1;
  agreed.report = all[1] == 0;
}

void before_finalize() {
  if (!agreed.usable || !process::is_active()) return;
  report_job();
  free_reductions();
  release_kept();
  agreed = Agreement{};
}

}  // namespace toto::pmpi
