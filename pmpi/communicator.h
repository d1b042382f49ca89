// SPDX-License-Identifier: BSD-3-Clause
// Our own communicator beside each of the program's on which files are opened: made inside the first
// MPI_File_open on it (which is collective), kept by an attribute, freed with it or with the last file. So our
// messages never meet the program's, and never its error handlers.
#pragma once

#include <mpi.h>

#include <atomic>

namespace toto::pmpi {

struct Partner {
  MPI_Comm comm{};  // ours: same group, errors return
  int rank = 0;
  int size = 1;
  std::atomic<int> users{0};  // the attribute and the open files
};

// Local calls, at MPI_Init and MPI_Finalize. After stop_partners() nothing more is freed: MPI does it.
bool start_partners();
void stop_partners();

// The partner of `comm`; collective when it is new. nullptr: a communicator of one rank, or MPI refused
// (on all ranks alike, as far as it tells).
Partner* partner_of(MPI_Comm comm);
// One user more or less; the last one frees. Collective when it does: called in close and in Comm_free.
void keep(Partner* partner);
void release(Partner* partner);

}  // namespace toto::pmpi
