// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/symbol.h"

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <string_view>

#include "core/path.h"

namespace toto::pmpi {
namespace {

// Names of MPI libraries as files: Open MPI and MPICH's kin, Debian's names, Cray's, the standard ABI's.
bool is_mpi_library(std::string_view path) {
  const std::string_view base = path::base_name(path);
  constexpr std::array<std::string_view, 5> kStarts{"libmpi.so", "libmpich.so", "libmpi_", "libmpicxx.so", "libpmpi.so"};
  for (const std::string_view start : kStarts) {
    if (base.starts_with(start)) return true;
  }
  return false;
}

struct Wanted {
  const char* name;
  void* found;
};

int look_into(dl_phdr_info* info, size_t, void* data) {
  auto& wanted = *static_cast<Wanted*>(data);
  if (info->dlpi_name == nullptr || !is_mpi_library(info->dlpi_name)) return 0;
  // NOLOAD: a handle for what is there already; the count that it adds only keeps MPI from being unloaded.
  void* handle = ::dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return 0;
  wanted.found = ::dlsym(handle, wanted.name);
  ::dlclose(handle);
  return wanted.found != nullptr ? 1 : 0;
}

void* find_in_mpi_libraries(const char* name) {
  Wanted wanted{.name = name, .found = nullptr};
  ::dl_iterate_phdr(look_into, &wanted);
  return wanted.found;
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
