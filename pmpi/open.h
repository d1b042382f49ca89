// SPDX-License-Identifier: BSD-3-Clause
// MPI_File_open and MPI_File_close: deciding, creating beforehand, handing the hints on, verifying; and the
// one reduction at close that makes a file's numbers those of all ranks.
#pragma once

#include <mpi.h>

#include "pmpi/symbol.h"

namespace toto::pmpi {

using FileOpenFunction = decltype(::MPI_File_open);
using FileCloseFunction = decltype(::MPI_File_close);

// Collective over `comm`, as the call itself; returns what `next` returned.
int open_file(FileOpenFunction* next, MPI_Comm comm, const char* name, int amode, MPI_Info info,
              MPI_File* file);
int close_file(FileCloseFunction* next, MPI_File* file);

}  // namespace toto::pmpi
