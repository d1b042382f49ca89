// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/symbol.h"

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <string_view>

#include "core/fixed_string.h"
#include "core/path.h"

namespace toto::pmpi {
namespace {

// Names of MPI libraries as files: Open MPI and MPICH's kin, Debian's names, Cray's, the standard ABI's; and
// of PMIx's, which Open MPI loads privately itself.
bool is_mpi_library(std::string_view path) {
  const std::string_view base = path::base_name(path);
  constexpr std::array<std::string_view, 6> kStarts{"libmpi.so",    "libmpich.so", "libmpi_",
                                                    "libmpicxx.so", "libpmpi.so",  "libpmix.so"};
  for (const std::string_view start : kStarts) {
    if (base.starts_with(start)) return true;
  }
  return false;
}

struct Libraries {
  std::size_t count = 0;
  std::array<FixedString<511>, 6> paths;
};

// Names only: the loader holds a lock while it calls this, under which nothing may be loaded or looked up.
int note_library(dl_phdr_info* info, size_t, void* data) {
  auto& libraries = *static_cast<Libraries*>(data);
  if (info->dlpi_name != nullptr && is_mpi_library(info->dlpi_name) &&
      libraries.count < libraries.paths.size()) {
    libraries.paths[libraries.count++] = std::string_view(info->dlpi_name);
  }
  return 0;
}

void* find_in_mpi_libraries(const char* name) {
  Libraries libraries;
  ::dl_iterate_phdr(note_library, &libraries);
  for (std::size_t i = 0; i < libraries.count; ++i) {
    // NOLOAD: a handle for what is there already, given back at once.
    void* handle = ::dlopen(libraries.paths[i].c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    void* found = ::dlsym(handle, name);
    ::dlclose(handle);
    if (found != nullptr) return found;
  }
  return nullptr;
}

}  // namespace

void* find_symbol(const char* name) {
  if (void* next = ::dlsym(RTLD_NEXT, name)) return next;
  return find_in_mpi_libraries(name);
}

void* find_variable(const char* name) {
  if (void* live = ::dlsym(RTLD_DEFAULT, name)) return live;
  return find_in_mpi_libraries(name);
}

}  // namespace toto::pmpi
