// SPDX-License-Identifier: BSD-3-Clause
// Our own communicator beside the one on which a file is opened: made inside MPI_File_open and freed inside
// MPI_File_close (both collective over it), so that our messages never meet the program's, and never its
// error handlers. That of MPI_COMM_WORLD is kept, as most files are opened there; others are not, as an MPI
// library has only some two thousand of them.
#pragma once

#include <mpi.h>

namespace toto::pmpi {

struct Partner {
  MPI_Comm comm{};  // ours: same group, errors return
  int rank = 0;
  bool kept = false;
};

// The partner of `comm`, which has several ranks; collective. nullptr: not all of its ranks are of our own
// MPI_COMM_WORLD, where all were asked (spawned processes may not have us), or MPI refused.
Partner* partner_of(MPI_Comm comm);
void release(Partner* partner);
// At MPI_Finalize: the one that was kept.
void release_kept();

}  // namespace toto::pmpi
