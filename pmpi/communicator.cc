// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/communicator.h"

#include <algorithm>
#include <array>

#include "core/heap.h"
#include "pmpi/real.h"

namespace toto::pmpi {
namespace {

// Kept where the program calls MPI from one thread at a time. Else two files of MPI_COMM_WORLD may be opened
// and closed at once, on each rank in another order, and need a communicator each.
constinit Partner* of_world = nullptr;

constinit Reserve<Partner, 16> reserve;

// Local: every rank of `group` comes to the same answer. Some ranks at a time, so that no memory is needed.
bool is_within_world(MPI_Group group) {
  constexpr int kAtOnce = 256;
  int size = 0;
  MPI_Group world{};
  if (real::Group_size(group, &size) != MPI_SUCCESS) return false;
  if (real::Comm_group(predefined::comm_world(), &world) != MPI_SUCCESS) return false;
  bool all = true;
  for (int first = 0; first < size && all; first += kAtOnce) {
    const int some = std::min(size - first, kAtOnce);
    std::array<int, kAtOnce> ranks, in_world;
    for (int i = 0; i < some; ++i) ranks[static_cast<std::size_t>(i)] = first + i;
    all = real::Group_translate_ranks(group, some, static_cast<const int*>(ranks.data()), world,
                                      in_world.data()) == MPI_SUCCESS &&
          std::find(in_world.begin(), in_world.begin() + some, MPI_UNDEFINED) == in_world.begin() + some;
  }
  real::Group_free(&world);
  return all;
}

// MPI_Comm_create, not MPI_Comm_dup: a dup would call the program's attribute callbacks.
bool make(MPI_Comm comm, Partner& partner) {
  MPI_Group group{};
  if (real::Comm_group(comm, &group) != MPI_SUCCESS) return false;
  const bool made = is_within_world(group) && real::Comm_create(comm, group, &partner.comm) == MPI_SUCCESS;
  real::Group_free(&group);
  if (!made || partner.comm == predefined::comm_null()) return false;
  real::Comm_set_errhandler(partner.comm, predefined::errors_return());
  real::Comm_rank(partner.comm, &partner.rank);
  return true;
}

}  // namespace

Partner* partner_of(MPI_Comm comm) {
  const bool world = comm == predefined::comm_world();
  if (world && of_world != nullptr) return of_world;
  Partner* partner = reserve.take();
  if (partner == nullptr) return nullptr;
  if (!make(comm, *partner)) {
    reserve.give_back(partner);
    return nullptr;
  }
  int level = MPI_THREAD_MULTIPLE;
  partner->kept = world && real::Query_thread(&level) == MPI_SUCCESS && level < MPI_THREAD_MULTIPLE;
  if (partner->kept) of_world = partner;
  return partner;
}

void release_kept() {
  if (of_world == nullptr) return;
  of_world->kept = false;
  release(of_world);
  of_world = nullptr;
}

void release(Partner* partner) {
  if (partner == nullptr || partner->kept) return;
  real::Comm_free(&partner->comm);
  reserve.give_back(partner);
}

}  // namespace toto::pmpi
