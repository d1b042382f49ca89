// SPDX-License-Identifier: BSD-3-Clause
// The text of TOTO_HINTS_DISPLAY: the hints of a file at its open, as Cray's users know them from
// MPICH_MPIIO_HINTS_DISPLAY:
//
//   PE 0: MPIIO hints for /scratch/me/dump.0:
//             cb_buffer_size           = 16777216
#pragma once

#include <span>
#include <string_view>

#include "core/fixed_string.h"
#include "core/outcome.h"
#include "hints/decide.h"
#include "hints/mpi_keys.h"

namespace toto::hints {

// One write for all of it, so that the texts of two files do not mix. What does not fit is left out.
using DisplayText = FixedString<16000>;

// `used`: what MPI_File_get_info of `library` returned; where that proves nothing the first line says so. A
// layout that was read back from the file system is shown as striping_factor and striping_unit, whatever the
// MPI library says of these.
void display(std::string_view path, int rank, MpiIo library, std::span<const ProgramHint> used,
             const Outcome& outcome, DisplayText& text);

}  // namespace toto::hints
