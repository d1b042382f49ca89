// SPDX-License-Identifier: BSD-3-Clause
// Which MPI a program uses. An MPI library's handles differ from kind to kind, so that the preloaded library
// has one build a kind: "openmpi" (and what is derived from it), "mpich" (MPICH's ABI: Intel, MVAPICH, Cray),
// "mpi-abi" (the standard ABI of MPI 5).
#pragma once

#include <string>
#include <string_view>

#include "tools/program.h"

namespace toto::tools {

struct MpiKind {
  std::string name;    // empty: no sign of any MPI
  std::string reason;  // "needs libmpi.so.40"
};

// By a library's name, of the MPI itself or of its Fortran and C++ parts; "?" for libmpi.so.12 and the like,
// which name several; empty: no MPI library.
[[nodiscard]] std::string_view mpi_of_library(std::string_view name);

// What the program is linked with, else who launches it (its own libraries say nothing of an interpreter
// that loads MPI later), else by its name (a launcher).
[[nodiscard]] MpiKind mpi_of_program(const Program& program);

// From the launcher's marks in the environment.
[[nodiscard]] MpiKind mpi_of_launcher();

}  // namespace toto::tools
