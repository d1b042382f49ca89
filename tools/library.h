// SPDX-License-Identifier: BSD-3-Clause
// Where the library to preload lies, seen from the toto command itself: ../lib/toto/<mpi>/libtoto_pmpi.so in
// a build tree, ../<libdir>/toto/<mpi>/libtoto_pmpi.so where it is installed.
#pragma once

#include <string>
#include <vector>

namespace toto::tools {

inline constexpr const char* kLibraryName = "libtoto_pmpi.so";

// The build for an MPI; empty when there is none.
[[nodiscard]] std::string library_for(const std::string& mpi);

// The build to take when nothing tells the MPI: the default one, else any; empty when there is none.
[[nodiscard]] std::string default_library();

// The MPIs that there is a build for, and the folders that are searched (for messages).
[[nodiscard]] std::vector<std::string> library_builds();
[[nodiscard]] std::vector<std::string> library_folders();

}  // namespace toto::tools
