// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/life.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <string_view>

#include "core/clock.h"
#include "core/collect.h"
#include "core/config.h"
#include "core/job.h"
#include "core/job_id.h"
#include "core/log.h"
#include "core/process.h"
#include "core/registry.h"
#include "core/report.h"
#include "core/segment.h"
#include "core/summary.h"
#include "hints/advise.h"
#include "hints/classify.h"
#include "hints/learned.h"
#include "hints/tuning.h"
#include "pmpi/communicator.h"
#include "pmpi/library.h"
#include "pmpi/nodes.h"
#include "pmpi/present.h"
#include "pmpi/real.h"
#include "pmpi/reduce.h"
#include "pmpi/rounds.h"

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

// Whether every rank has us: a message of ours to one that has not would wait for ever. Every rank must come
// to the same answer without a message. Where nobody can be asked, all are taken to have us, but for several
// programs in one launch (MPMD), of which Open MPI's launcher tells every rank.
bool all_have_us(int ranks) {
  switch (present::ask(ranks)) {
    case present::Answer::kEverywhere:
      return true;
    case present::Answer::kNotEverywhere:
      return false;
    case present::Answer::kUnknown:
      break;
  }
  return environment_number("OMPI_NUM_APP_CTX") <= 1;
}

std::string_view thread_level_name(int level) {
  if (level == MPI_THREAD_SINGLE) return "single";
  if (level == MPI_THREAD_FUNNELED) return "funneled";
  return level == MPI_THREAD_SERIALIZED ? "serialized" : "multiple";
}

// Large, and needed by all ranks at once: not on the heap, where one of them might not get it.
struct Ending {
  segment::Mapping segment;
  collect::Areas areas;
  Summary mine, all;
  bool all_areas = false;  // no rank's numbers are elsewhere
};
alignas(Ending) constinit std::array<std::byte, sizeof(Ending)> ending_memory{};

// Brings the job's numbers together on rank 0, in `all`; on other ranks nothing is left to report. False:
// somebody did not come in time, or had trouble.
bool combine(Ending& ending) {
  if (Area* own = registry::area(); own != nullptr) kernel_io::note(*own);
  if (nodes::share_one_segment()) {  // the rest comes when MPI_Finalize is over
    nodes::finish_counting();
    ending.all_areas = true;
    return true;
  }
  const bool alone = job.ranks.load() == 1;
  const bool talks =
      agreed.together && agreed.report;  // also alone: there may be other processes on its node
  const rounds::Finish finish = talks && !alone ? rounds::finish() : rounds::Finish::kDone;
  if (finish == rounds::Finish::kLate) return false;
  // Trouble of this rank's own is told in the message that follows: others wait for it. And a rank that came
  // late has the words of those who did not wait for it, but not their attention: nobody sends large messages
  // before all have spoken again, as MPICH waits in MPI_Finalize for such a one to be received.
  const nodes::Gathered gathered =
      talks ? nodes::gather(ending.segment, finish == rounds::Finish::kDone) : nodes::Gathered::kApart;
  if (gathered == nodes::Gathered::kLate) return false;
  const bool shared = gathered == nodes::Gathered::kShared;
  if (!shared) {
    if (Area* own = registry::area(); own != nullptr && collect::take(*own, true)) ending.areas.add(*own);
  } else if (nodes::is_leader()) {
    collect::claim(ending.segment, job.world.load(), ending.areas);
  }
  const bool one_has_all = !talks || alone || (shared && nodes::count() == 1);
  ending.all_areas = alone || (shared && nodes::count() == 1);
  if (one_has_all || (shared && !nodes::is_leader())) {
    collect::summarise(ending.areas.all(), true, ending.all);
    return true;
  }
  collect::summarise(ending.areas.all(), true, ending.mine);
  return reduce_summary(shared ? nodes::leaders() : predefined::comm_world(), ending.mine, ending.all);
}

constinit Ending* to_write = nullptr;  // on the rank that reports, until MPI_Finalize is over

void say_that_some_are_late() {
  log::warn(
      "MPI_Finalize: some ranks did not come in time to combine the statistics: each node reports by "
      "itself");
  job.reported = false;
}

// False: some ranks did not come. Then each node's last process reports what its node has.
bool end_job() {
  if (job.reported.exchange(true) || (!agreed.report && !config::wants_report())) return true;
  auto* ending = new (ending_memory.data()) Ending;
  if (!combine(*ending)) {
    say_that_some_are_late();
    collect::settle(ending->areas.all(), false);
    return false;
  }
  if (config::wants_report() && (job.rank.load() == 0 || !agreed.together)) {
    to_write = ending;  // and only then is this node reported
  } else {
    collect::settle(ending->areas.all(), true);
    ending->~Ending();
  }
  return true;
}

// What all ranks must know of each other, in one message. Each the smallest of all ranks.
struct Facts {
  int ready;           // can and will talk
  int no_report;       // wants none
  int ranks_per_node;  // TOTO_RANKS_PER_NODE; where ranks differ, nobody may split by it
  int minus_ranks_per_node;
  int rounds;  // wants them
  int world;   // rank 0's choice
  int told;    // knows by its launcher whether it leads its node
  int leader;  // its own number where it does: the first leader's, and minus the last one's
  int minus_leader;
  int segment;  // where it counts, as a number that only those who count there have; 0: by itself
  int minus_segment;
};
using FactNumbers = std::array<int, sizeof(Facts) / sizeof(int)>;

// All ranks are through MPI_Finalize, or in it: what they counted lies in one segment.
bool collect_from_segment() {
  if (const int error = to_write->segment.open(segment::path().c_str()); error != 0) {
    log::warn(log::Line("the node segment cannot be read (")
                  .add(strerrordesc_np(error))
                  .add("): the last process reports"));
    return false;
  }
  if (!nodes::wait_for_counts(to_write->segment)) {
    say_that_some_are_late();
    return false;
  }
  collect::claim(to_write->segment, job.world.load(), to_write->areas);
  collect::summarise(to_write->areas.all(), true, to_write->all);
  return true;
}

void write_report() {
  report::About about = collect::about(to_write->areas.all(), nullptr);
  about.rounds = rounds::account();
  about.all_areas = to_write->all_areas;
  about.kept = segment::nonce() != 0;
  const bool written =
      report::write(to_write->all, about, {hints::classify, hints::advise, hints::tuning::tell});
  collect::settle(to_write->areas.all(), written || !about.kept);
  if (!written && about.kept) segment::leave_to_recovery();
  to_write->~Ending();
  to_write = nullptr;
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
  job.reported = false;  // a forked child that becomes a rank of its own
  const int local = local_ranks();
  job.nodes = local > 0 ? std::max(1, (ranks + local - 1) / local) : 1;
  job.mpi_library = library::version();
  job.mpi_io = hints::name(library::mpi_io());
  if (real::Query_thread(&level) == MPI_SUCCESS) job.thread_level = thread_level_name(level);
  log::set_rank(rank);
  // Beside the program, so that it is there when a file is created, where nothing may be waited for. A job
  // that asked for nothing has its user's home left alone until a file of interest is opened by MPI.
  const bool asked = config::wants_report() || !config::settings().history.empty();
  if (asked && process::is_active() && config::settings().tuning && hints::learned::may_use_history())
    hints::learned::begin_to_read();
  if (!config::settings().combine) return;
  if (ranks > 1 && !all_have_us(ranks)) {
    log::warn(
        "not every rank of this MPI job has this library (or that cannot be told): each that has is measured "
        "by "
        "itself, and files that several ranks open by MPI get no layout");
    return;
  }
  // Disabled ranks take part, so that nobody waits for them later.
  // Ready first, asked then: a rank that cannot take part must say so while all are asked.
  const bool ready = make_reductions() && process::is_active();
  const auto pretended = static_cast<int>(config::settings().ranks_per_node);
  const auto chosen = static_cast<int>(clock::ticks() & 0x3fff'ffffU) | 1;
  constexpr int kNone = std::numeric_limits<int>::max();
  const bool leads = nodes::told_to_lead(pretended);
  if (ready && config::wants_report()) registry::start();
  // Where areas have run out, processes share the first.
  const bool has_area = segment::areas() < segment::kMostAreas;
  const auto segment = has_area ? static_cast<int>(segment::nonce() & 0x3fff'ffffU) : 0;
  const Facts mine{.ready = ready ? 1 : 0,
                   .no_report = config::wants_report() ? 0 : 1,
                   .ranks_per_node = pretended,
                   .minus_ranks_per_node = -pretended,
                   .rounds = config::settings().analysis_period > 0 ? 1 : 0,
                   .world = rank == 0 ? chosen : kNone,
                   .told = local_rank() >= 0 ? 1 : 0,
                   .leader = leads ? rank : kNone,
                   .minus_leader = leads ? -rank : kNone,
                   .segment = segment,
                   .minus_segment = -segment};
  const auto told = std::bit_cast<FactNumbers>(mine);
  FactNumbers least = told;
  if (ranks > 1 && !smallest_of_world(told, least)) return;
  const auto all = std::bit_cast<Facts>(least);
  agreed.together = all.ready == 1;
  agreed.report = all.no_report == 0;
  job.world = static_cast<std::uint64_t>(all.world);
  const bool pretend = all.ranks_per_node == -all.minus_ranks_per_node;
  nodes::Known known = nodes::Known::kBySplit;
  if (all.segment != 0 && all.segment == -all.minus_segment) {
    known = nodes::Known::kOne;
  } else if (all.told == 1 && pretend && all.leader == 0) {
    known = nodes::Known::kTold;
  }
  if (agreed.together && agreed.report && nodes::make(known, pretend ? all.ranks_per_node : 0) &&
      all.rounds == 1)
    rounds::start();
  if (Area* area = registry::area(); area != nullptr) {
    area->who.describe_self();
    area->world = job.world.load();
  }
}

namespace {
bool one_segment = false;  // of the world that has just been finalised
}

void before_finalize() {
  one_segment = nodes::share_one_segment();
  if (!agreed.usable || !process::is_active()) return;
  if (end_job()) {  // else MPI may still be at work with these
    free_reductions();
    nodes::free();
  }
  release_kept();
  agreed = Agreement{};
}

// Not before: everybody would wait in MPI_Finalize for this rank's file system.
void after_finalize() {
  if (to_write != nullptr && one_segment && !collect_from_segment()) {
    job.reported = false;
    to_write = nullptr;  // the node's last process reports
  }
  if (to_write != nullptr) write_report();
  // Last: it goes to the user's home, which may be slow.
  hints::tuning::keep();
}

}  // namespace toto::pmpi
