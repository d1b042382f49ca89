// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/communicator.h"

#include "core/heap.h"
#include "pmpi/real.h"

namespace toto::pmpi {
namespace {

constinit int keyval = MPI_KEYVAL_INVALID;
constinit std::atomic<bool> stopped{false};

int not_copied(MPI_Comm, int, void*, void*, void*, int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}
int on_delete(MPI_Comm, int, void* value, void*) {
  release(static_cast<Partner*>(value));
  return MPI_SUCCESS;
}

// MPI_Comm_create, not MPI_Comm_dup: a dup would call the program's attribute callbacks.
bool make(MPI_Comm comm, Partner& partner) {
  MPI_Group group{};
  if (real::Comm_group(comm, &group) != MPI_SUCCESS) return false;
  const bool made = real::Comm_create(comm, group, &partner.comm) == MPI_SUCCESS;
  real::Group_free(&group);
  if (!made || partner.comm == predefined::comm_null()) return false;
  real::Comm_set_errhandler(partner.comm, predefined::errors_return());
  real::Comm_rank(partner.comm, &partner.rank);
  return true;
}

}  // namespace

bool start_partners() {
  return real::Comm_create_keyval(&not_copied, &on_delete, &keyval, static_cast<void*>(nullptr)) == MPI_SUCCESS;
}
void stop_partners() { stopped = true; }

Partner* partner_of(MPI_Comm comm) {
  int size = 1;
  if (real::Comm_size(comm, &size) != MPI_SUCCESS || size < 2) return nullptr;
  void* value = nullptr;
  int found = 0;
  if (real::Comm_get_attr(comm, keyval, static_cast<void*>(&value), &found) == MPI_SUCCESS && found != 0) {
    return static_cast<Partner*>(value);
  }
  auto fresh = Heap<Partner>::make();
  if (!fresh || !make(comm, *fresh)) return nullptr;
  Partner* partner = fresh.release();
  partner->size = size;
  partner->users = 1;
  if (real::Comm_set_attr(comm, keyval, static_cast<void*>(partner)) != MPI_SUCCESS) partner->users = 0;
  return partner;
}

void keep(Partner* partner) {
  if (partner != nullptr) partner->users.fetch_add(1);
}

void release(Partner* partner) {
  if (partner == nullptr || partner->users.fetch_sub(1) > 1) return;
  if (stopped) return;  // inside MPI_Finalize communicators are MPI's to free
  real::Comm_free(&partner->comm);
  Heap<Partner>::destroy(partner);
}

}  // namespace toto::pmpi
