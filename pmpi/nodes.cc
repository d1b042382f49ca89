// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/nodes.h"

#include <array>

#include "core/clock.h"
#include "core/config.h"
#include "core/job.h"
#include "core/job_id.h"
#include "core/registry.h"
#include "core/segment.h"
#include "pmpi/patience.h"
#include "pmpi/real.h"
#include "pmpi/reduce.h"

namespace toto::pmpi::nodes {
namespace {

struct Nodes {
  bool made = false;
  bool leads = false;
  bool one_segment = false;
  int count = 1;  // of nodes
  MPI_Comm leaders{};
};
constinit Nodes ours;

// The place of this rank among those of its machine, as MPI sees it; -1: MPI refused.
int place_by_split() {
  MPI_Comm machine{};
  int place = -1;
  if (real::Comm_split_type(predefined::comm_world(), MPI_COMM_TYPE_SHARED, job.rank.load(),
                            predefined::info_null(), &machine) != MPI_SUCCESS) {
    return -1;
  }
  if (real::Comm_rank(machine, &place) != MPI_SUCCESS) place = -1;
  real::Comm_free(&machine);
  return place;
}

bool leads_at(int place, int ranks_per_node) {
  return place >= 0 && (ranks_per_node > 0 ? place % ranks_per_node == 0 : place == 0);
}

// Ranks of this job that count in the mapped segment, or of these, those that have finished.
int ranks_in(const segment::Mapping& segment, bool finished) {
  const std::uint64_t world = job.world.load();
  int found = 0;
  segment.for_each_area([&](const Area& area) {
    if (area.world.load() == world && area.who.rank >= 0 && (!finished || area.finished.load() == world))
      ++found;
  });
  return found;
}

// A rank that will never say that it has finished.
bool somebody_is_gone(const segment::Mapping& segment) {
  const std::uint64_t world = job.world.load();
  bool gone = false;
  segment.for_each_area([&](const Area& area) {
    if (area.world.load() != world || area.who.rank < 0 || area.finished.load() == world) return;
    // In this order: it may end right after it has said so.
    gone = gone || (!segment::is_alive(area.who.pid, 0) && area.finished.load() != world);
  });
  return gone;
}

}  // namespace

bool told_to_lead(int ranks_per_node) { return leads_at(local_rank(), ranks_per_node); }

bool make(Known how, int ranks_per_node) {
  const MPI_Comm world = predefined::comm_world();
  const bool is_first = job.rank.load() == 0;
  if (how == Known::kOne) {
    ours = {.made = true, .leads = is_first, .one_segment = true, .count = 1, .leaders = {}};
    job.nodes = 1;
    return true;
  }
  // Each step is made by every rank that can, whatever became of the one before: a rank that stopped would
  // leave the others waiting.
  bool good = true;
  if (how == Known::kTold) {
    ours.leads = told_to_lead(ranks_per_node);
  } else {
    const int place = place_by_split();
    good = place >= 0;
    ours.leads = leads_at(place, ranks_per_node);
  }
  good = real::Comm_split(world, ours.leads ? 0 : MPI_UNDEFINED, job.rank.load(), &ours.leaders) ==
             MPI_SUCCESS &&
         good;
  if (ours.leads && good) {
    real::Comm_set_errhandler(ours.leaders, predefined::errors_return());
    real::Comm_size(ours.leaders, &ours.count);
  }
  good = good && (!is_first || ours.leads);  // rank 0 leads its node
  // Both the smallest of all ranks: whether all are good, and minus the number of nodes.
  const std::array<int, 2> mine{good ? 1 : 0, is_first ? -ours.count : 0};
  std::array<int, 2> all{};
  good = smallest_of_world(mine, all) && all[0] == 1;
  if (!good) {  // what some ranks made stays with them: freeing it would take all of its ranks
    ours = Nodes{};
    return false;
  }
  ours.count = -all[1];
  ours.made = true;
  job.nodes = ours.count;
  return true;
}

void free() {
  if (ours.made && ours.leads && ours.leaders != MPI_Comm{}) real::Comm_free(&ours.leaders);
  ours = Nodes{};
}

bool is_leader() { return ours.made && ours.leads; }
int count() { return ours.count; }
MPI_Comm leaders() { return ours.leaders; }
bool share_one_segment() { return ours.one_segment; }

void finish_counting() { registry::area()->finished.store(job.world.load()); }

bool wait_for_counts(const segment::Mapping& all) {
  const std::uint64_t until =
      clock::monotonic_ns() + static_cast<std::uint64_t>(config::settings().finalize_limit) * 1'000'000'000;
  patience::Pause pause(20'000'000);  // others are still at work, and a look is at all areas
  while (ranks_in(all, true) < job.ranks.load()) {
    if (clock::monotonic_ns() > until || somebody_is_gone(all)) return false;
    pause.rest();
  }
  return true;
}

// In one message: every rank is found in the segment of a leader, or has counted nothing; each once.
Gathered gather(segment::Mapping& all, bool good) {
  int found = 0;
  if (ours.made) {
    if (ours.leads) registry::start();  // a leader is a member even where it opened no file itself
    if (ours.leads && all.open(segment::path().c_str()) == 0) found = ranks_in(all, false);
    if (registry::area() == nullptr) ++found;
  }
  Numbers told{};
  if (!sum_of_all(predefined::comm_world(), {good ? 0 : 1, found, 0}, told) || told[0] != 0)
    return Gathered::kLate;
  return ours.made && told[1] == job.ranks.load() ? Gathered::kShared : Gathered::kApart;
}

}  // namespace toto::pmpi::nodes
