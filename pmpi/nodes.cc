// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/nodes.h"

#include <array>
#include <limits>

#include "core/job.h"
#include "core/job_id.h"
#include "core/registry.h"
#include "core/segment.h"
#include "pmpi/real.h"
#include "pmpi/reduce.h"

namespace toto::pmpi::nodes {
namespace {

struct Nodes {
  bool made = false;
  int rank = 0;   // on the node
  int count = 1;  // of nodes
  MPI_Comm node{};
  MPI_Comm leaders{};
};
constinit Nodes ours;

// Each step is made by every rank that can, whatever became of the one before: a rank that stopped would
// leave the others waiting.
bool split(int ranks_per_node) {
  const MPI_Comm world = predefined::comm_world();
  const int rank = job.rank.load();
  MPI_Comm machine{};
  if (real::Comm_split_type(world, MPI_COMM_TYPE_SHARED, rank, predefined::info_null(), &machine) !=
      MPI_SUCCESS) {
    return false;
  }
  ours.node = machine;
  bool good = true;
  if (ranks_per_node > 0) {
    int local = local_rank();
    if (local < 0) real::Comm_rank(machine, &local);
    good = real::Comm_split(machine, local / ranks_per_node, rank, &ours.node) == MPI_SUCCESS;
    real::Comm_free(&machine);
  }
  if (!good) return false;
  real::Comm_set_errhandler(ours.node, predefined::errors_return());
  return real::Comm_rank(ours.node, &ours.rank) == MPI_SUCCESS;
}

}  // namespace

bool make(int ranks_per_node) {
  const MPI_Comm world = predefined::comm_world();
  bool good = split(ranks_per_node);
  const bool leads = good && ours.rank == 0;
  good = real::Comm_split(world, leads ? 0 : MPI_UNDEFINED, job.rank.load(), &ours.leaders) == MPI_SUCCESS &&
         good;
  if (leads && good) {
    real::Comm_set_errhandler(ours.leaders, predefined::errors_return());
    real::Comm_size(ours.leaders, &ours.count);
  }
  // Rank 0 leads its node. Both the smallest of all ranks: whether all are good, and minus the number of
  // nodes.
  const std::array<int, 2> mine{good ? 1 : 0, job.rank.load() == 0 ? -ours.count : 0};
  std::array<int, 2> all{};
  good = real::Allreduce(mine.data(), all.data(), 2, predefined::integer(), predefined::min(), world) ==
             MPI_SUCCESS &&
         all[0] == 1;
  if (!good) return false;  // what some ranks made stays with them: freeing it would take all of its ranks
  ours.count = -all[1];
  ours.made = true;
  job.nodes = ours.count;
  return true;
}

void free() {
  if (!ours.made) return;
  if (ours.rank == 0) real::Comm_free(&ours.leaders);
  real::Comm_free(&ours.node);
  ours = Nodes{};
}

bool made() { return ours.made; }
bool is_leader() { return ours.made && ours.rank == 0; }
int count() { return ours.count; }
MPI_Comm leaders() { return ours.leaders; }

Gathered gather(segment::Mapping& all, bool good) {
  if (!ours.made) return good ? Gathered::kApart : Gathered::kLate;
  if (ours.rank == 0) registry::start();  // the leader is a member even where it opened no file itself
  // A number that only members of one segment have in common. Ranks that counted nothing agree to any.
  constexpr int kAny = std::numeric_limits<int>::max();
  const int mine = static_cast<int>(segment::nonce() & 0x3fff'ffffU);
  const bool counted = registry::area() != nullptr;
  Numbers told{};
  if (!smallest_of_all(ours.node, {counted ? mine : kAny, counted ? -mine : kAny, good ? 1 : 0}, told) ||
      told[2] == 0) {
    return Gathered::kLate;
  }
  if (told[0] == 0 || told[0] != -told[1]) return Gathered::kApart;
  const bool mapped = ours.rank != 0 || all.open(segment::path().c_str()) == 0;
  if (!smallest_of_all(ours.node, {mapped ? 1 : 0, 0, 0}, told)) return Gathered::kLate;
  return told[0] == 1 ? Gathered::kShared : Gathered::kApart;
}

}  // namespace toto::pmpi::nodes
