// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/nodes.h"

#include <array>
#include <limits>

#include "core/job.h"
#include "core/job_id.h"
#include "core/registry.h"
#include "core/segment.h"
#include "pmpi/real.h"

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

bool split(int ranks_per_node) {
  const int rank = job.rank.load();
  if (ranks_per_node > 0) {
    const int local = local_rank() >= 0 ? local_rank() : rank;
    return real::Comm_split(predefined::comm_world(), local / ranks_per_node, rank, &ours.node) ==
           MPI_SUCCESS;
  }
  return real::Comm_split_type(predefined::comm_world(), MPI_COMM_TYPE_SHARED, rank, predefined::info_null(),
                               &ours.node) == MPI_SUCCESS;
}

}  // namespace

bool make(int ranks_per_node) {
  if (!split(ranks_per_node)) return false;
  real::Comm_set_errhandler(ours.node, predefined::errors_return());
  real::Comm_rank(ours.node, &ours.rank);
  if (real::Comm_split(predefined::comm_world(), ours.rank == 0 ? 0 : 1, job.rank.load(), &ours.leaders) !=
      MPI_SUCCESS) {
    real::Comm_free(&ours.node);
    return false;
  }
  real::Comm_set_errhandler(ours.leaders, predefined::errors_return());
  if (ours.rank == 0) real::Comm_size(ours.leaders, &ours.count);
  real::Bcast(static_cast<void*>(&ours.count), 1, predefined::integer(), 0, ours.node);
  job.nodes = ours.count;
  ours.made = true;
  return true;
}

void free() {
  if (!ours.made) return;
  real::Comm_free(&ours.leaders);
  real::Comm_free(&ours.node);
  ours = Nodes{};
}

bool made() { return ours.made; }
bool is_leader() { return ours.made && ours.rank == 0; }
int count() { return ours.count; }
MPI_Comm leaders() { return ours.leaders; }

bool gather(segment::Mapping& all) {
  if (!ours.made) return false;
  if (ours.rank == 0) registry::start();  // the leader is a member even where it opened no file itself
  // A number that only members of one segment have in common. Ranks that counted nothing agree to any.
  constexpr int kAny = std::numeric_limits<int>::max();
  const int mine = static_cast<int>(segment::nonce() & 0x3fff'ffffU);
  const bool counted = registry::area() != nullptr;
  const std::array<int, 2> tell{counted ? mine : kAny, counted ? -mine : kAny};
  std::array<int, 2> told{};
  if (real::Allreduce(tell.data(), told.data(), 2, predefined::integer(), predefined::min(), ours.node) !=
      MPI_SUCCESS) {
    return false;
  }
  int shared = told[0] != 0 && told[0] == -told[1] ? 1 : 0;
  if (shared != 0 && ours.rank == 0 && all.open(segment::path().c_str()) != 0) shared = 0;
  if (real::Bcast(static_cast<void*>(&shared), 1, predefined::integer(), 0, ours.node) != MPI_SUCCESS)
    return false;
  return shared != 0;
}

}  // namespace toto::pmpi::nodes
