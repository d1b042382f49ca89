// SPDX-License-Identifier: BSD-3-Clause
// The exported wrappers of MPI, made from pmpi/calls.def. Each line gives two: a Fortran program reaches the
// C functions by their MPI_ names with one library and one binding, by their PMPI_ names with another. Both
// forward to the next definition of their own name.
#include <cstdint>
#include <cstdlib>
#include <type_traits>

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
  using Next_##name = Symbol<"MPI_" #name, decltype(::MPI_##name)>; \
  using Next_P##name = Symbol<"PMPI_" #name, decltype(::PMPI_##name)>;
#include "pmpi/calls.def"
TOTO_MPI(0, Finalize, (Finalize))
#undef TOTO_MPI

// A program calls an MPI function, and no MPI library is loaded: nothing could go on.
[[noreturn]] void no_mpi(const char* name) {
  log::error(log::Line("no MPI library with ").add(name).add(" is loaded in this process"));
  std::abort();
}

template <CallName name, class F>
F* next_of(Symbol<name, F>) {
  F* next = Symbol<name, F>::get();
  if (next == nullptr) [[unlikely]] {
    no_mpi(name.text);
  }
  return next;
}

}  // namespace
}  // namespace toto::pmpi

// The exported functions take every argument as wide as a register. With the wrong build preloaded (MPICH's
// handles are ints, Open MPI's are pointers) they can so hand on what they do not understand, untouched.
namespace toto::pmpi {
namespace {

template <class T>
using Wide = std::conditional_t<std::is_integral_v<T> && sizeof(T) < sizeof(std::intptr_t), std::intptr_t, T>;

template <class F>
struct WideSignature;
template <class R, class... A>
struct WideSignature<R(A...)> {
  using Function = Wide<R>(Wide<A>...);
};
template <class R, class... A>
struct WideSignature<R(A...) noexcept> : WideSignature<R(A...)> {};

template <class Handler, class F>
struct Wrapper;
template <class Handler, class R, class... A>
struct Wrapper<Handler, R(A...)> {
  static Wide<R> call(R (*next)(A...), Wide<A>... a) {
    if (!library::matches()) [[unlikely]] {
      return reinterpret_cast<Wide<R> (*)(Wide<A>...)>(reinterpret_cast<void*>(next))(a...);
    }
    return Handler::call(next, static_cast<A>(a)...);
  }
};
template <class Handler, class R, class... A>
struct Wrapper<Handler, R(A...) noexcept> : Wrapper<Handler, R(A...)> {};

}  // namespace
}  // namespace toto::pmpi

#define TOTO_UNPAREN(...) __VA_ARGS__
// Defined under another name in C++, so that mpi.h's declaration of the symbol stays what it is.
#define TOTO_MPI_ONE(count, symbol, next, handler)                                                           \
  using wide_##symbol = toto::pmpi::WideSignature<decltype(::symbol)>::Function;                             \
  extern "C" TOTO_EXPORT toto::ResultOf<wide_##symbol> toto_##symbol(                                        \
      TOTO_PARAMETERS(count, wide_##symbol)) asm(#symbol);                                                   \
  extern "C" toto::ResultOf<wide_##symbol> toto_##symbol(TOTO_PARAMETERS(count, wide_##symbol)) {            \
    using namespace toto;                                                                                    \
    using namespace toto::pmpi;                                                                              \
    using Following = next;                                                                                  \
    return Wrapper<TOTO_UNPAREN handler, decltype(::symbol)>::call(next_of(Following{}), TOTO_NAMES(count)); \
  }
#define TOTO_MPI(count, name, handler)                  \
  TOTO_MPI_ONE(count, MPI_##name, Next_##name, handler) \
  TOTO_MPI_ONE(count, PMPI_##name, Next_P##name, handler)
#include "pmpi/calls.def"

extern "C" TOTO_EXPORT int MPI_Finalize() {
  return toto::pmpi::Finalize::call(toto::pmpi::next_of(toto::pmpi::Next_Finalize{}));
}
extern "C" TOTO_EXPORT int PMPI_Finalize() {
  return toto::pmpi::Finalize::call(toto::pmpi::next_of(toto::pmpi::Next_PFinalize{}));
}
