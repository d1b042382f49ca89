// SPDX-License-Identifier: BSD-3-Clause
// The exported wrappers of MPI, made from pmpi/calls.def. Each line gives two: a Fortran program reaches the C
// functions by their MPI_ names with one library and one binding, by their PMPI_ names with another. Both
// forward to the next definition of their own name.
#include <cstdlib>

#include "core/log.h"
#include "core/signature.h"
#include "pmpi/handlers.h"

// decltype of an MPI function may carry attributes that do not matter in a template argument.
#pragma GCC diagnostic ignored "-Wignored-attributes"

// MPICH's large-count forms exist since MPI 4.
#if !defined(OPEN_MPI) && MPI_VERSION >= 4
#define TOTO_MPI_LARGE TOTO_MPI
#else
#define TOTO_MPI_LARGE(count, name, handler)
#endif

namespace toto::pmpi {
namespace {

#define TOTO_MPI(count, name, handler)                              \
  constinit Symbol<decltype(::MPI_##name)> next_##name("MPI_" #name); \
  constinit Symbol<decltype(::PMPI_##name)> next_P##name("PMPI_" #name);
#include "pmpi/calls.def"
TOTO_MPI(0, Finalize, (Finalize))
#undef TOTO_MPI

// A program calls an MPI function, and no MPI library is loaded: nothing could go on.
[[noreturn]] void no_mpi(const char* name) {
  log::error(log::Line("no MPI library with ").add(name).add(" is loaded in this process"));
  std::abort();
}

template <class F>
F* next_of(Symbol<F>& symbol, const char* name) {
  F* next = symbol.get();
  if (next == nullptr) [[unlikely]] {
    no_mpi(name);
  }
  return next;
}

}  // namespace
}  // namespace toto::pmpi

#define TOTO_UNPAREN(...) __VA_ARGS__
#define TOTO_MPI_ONE(count, symbol, next, handler)                                                            \
  extern "C" TOTO_EXPORT toto::ResultOf<decltype(::symbol)> symbol(TOTO_PARAMETERS(count, decltype(::symbol))) { \
    using namespace toto;                                                                                     \
    using namespace toto::pmpi;                                                                               \
    return TOTO_UNPAREN handler::call(next_of(next, #symbol), TOTO_NAMES(count));                             \
  }
#define TOTO_MPI(count, name, handler)                          \
  TOTO_MPI_ONE(count, MPI_##name, next_##name, handler)         \
  TOTO_MPI_ONE(count, PMPI_##name, next_P##name, handler)
#include "pmpi/calls.def"

extern "C" TOTO_EXPORT int MPI_Finalize() {
  return toto::pmpi::Finalize::call(toto::pmpi::next_of(toto::pmpi::next_Finalize, "MPI_Finalize"));
}
extern "C" TOTO_EXPORT int PMPI_Finalize() {
  return toto::pmpi::Finalize::call(toto::pmpi::next_of(toto::pmpi::next_PFinalize, "PMPI_Finalize"));
}
