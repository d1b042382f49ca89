// SPDX-License-Identifier: BSD-3-Clause
// Whether every rank of MPI_COMM_WORLD has this library, found out without a message to any of them: one that
// has no library would not answer, and a collective that only some ranks enter breaks the program's own.
//
// Where the MPI library meets the other ranks by PMIx (Open MPI), each rank of ours adds a key of its own to
// what the MPI library publishes in MPI_Init anyway (it calls PMIx_Commit, which is wrapped), and looks for
// those of the others afterwards. MPICH's own client of PMI is inside the library, out of reach.
#pragma once

#include <cstdint>

namespace toto::pmpi::present {

enum class Answer : std::uint8_t {
  kEverywhere,
  kNotEverywhere,
  kUnknown,  // no PMIx: to be assumed
};

// After MPI_Init, for a world of so many ranks: the same answer on all ranks that ask. Of large worlds some
// ranks are looked at, spread over it, and the first of each program; a look costs microseconds.
[[nodiscard]] Answer ask(int ranks);

}  // namespace toto::pmpi::present
