// SPDX-License-Identifier: BSD-3-Clause
// Which hints an MPI library reads, and under which names. One table; the sources are in docs/mpi-hints.md.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/outcome.h"

namespace toto::hints {

enum class MpiIo : std::uint8_t {
  kUnknown,
  kOmpioOld,  // Open MPI before 4.1.6: reads stripe_size, stripe_width; collective_buffering inverted
  kOmpio,     // Open MPI 4.1.6, 5.0 and later: striping_unit, striping_factor
  kRomio,     // MPICH and its kin
  kOmpiRomio, // ROMIO inside Open MPI
};
[[nodiscard]] std::string_view name(MpiIo library);

// Whether MPI_File_get_info of this library tells what it really uses (ROMIO in MPICH does; Open MPI 4.1
// returns the caller's own info, whichever of its two MPI-IO parts is used).
[[nodiscard]] bool tells_the_truth(MpiIo library);

// The names under which `library` reads the canonical `key`: one, two (both spellings) or none (it does
// not read such a hint at all: it need not be passed).
struct Names {
  std::string_view first, second;
  [[nodiscard]] bool none() const { return first.empty(); }
};
[[nodiscard]] Names names(MpiIo library, std::string_view key);

// Canonical name of a key in any library's spelling ("stripe_width" -> "striping_factor").
[[nodiscard]] std::string_view canonical(std::string_view key);

}  // namespace toto::hints
