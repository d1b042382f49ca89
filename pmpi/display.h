// SPDX-License-Identifier: BSD-3-Clause
// TOTO_HINTS_DISPLAY: the hints of a file at its open, on standard error, as Cray's users know them from
// MPICH_MPIIO_HINTS_DISPLAY:
//
//   PE 0: MPIIO hints for /scratch/me/dump.0:
//             cb_buffer_size           = 16777216
#pragma once

#include <mpi.h>

#include "core/outcome.h"

namespace toto::pmpi {

// Called on rank 0 of the file's communicator after the open. `used`: from MPI_File_get_info. A layout that
// was read back from the file system is shown as striping_factor and striping_unit, whatever the MPI library
// says of these.
void display_hints(const char* path, MPI_Info used, const Outcome& outcome);

}  // namespace toto::pmpi
