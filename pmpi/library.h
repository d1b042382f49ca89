// SPDX-License-Identifier: BSD-3-Clause
// Which MPI library is loaded, and which of its MPI-IO parts is used.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "hints/mpi_keys.h"

namespace toto::pmpi::library {

// Whether the MPI library in this process is of the family that this build was made for (Open MPI, or MPICH
// and its kin): their handles are of different types. When not, every MPI call is only forwarded, and one
// warning says which build to use.
[[nodiscard]] bool look_whether_it_matches();
enum class Match : std::uint8_t { kUnknown, kYes, kNo };
inline constinit std::atomic<Match> match{Match::kUnknown};
[[nodiscard]] inline bool matches() {
  const Match known = match.load(std::memory_order_relaxed);
  return known == Match::kYes || (known == Match::kUnknown && look_whether_it_matches());
}

[[nodiscard]] std::string_view version();  // first line of MPI_Get_library_version
[[nodiscard]] hints::MpiIo mpi_io();

}  // namespace toto::pmpi::library
