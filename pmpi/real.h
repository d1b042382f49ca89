// SPDX-License-Identifier: BSD-3-Clause
// The MPI functions and predefined handles that this library itself uses, by their profiling names: the
// library's own, also of those that we wrap.
#pragma once

#include <mpi.h>

#include "pmpi/symbol.h"

namespace toto::pmpi {

#define TOTO_REAL_FUNCTIONS(X) \
  X(Bcast)                     \
  X(Iallreduce)                \
  X(Ireduce)                   \
  X(Test)                      \
  X(Comm_create)               \
  X(Comm_free)                 \
  X(Group_size)                \
  X(Group_translate_ranks)     \
  X(Comm_group)                \
  X(Comm_rank)                 \
  X(Comm_set_errhandler)       \
  X(Comm_size)                 \
  X(Comm_split)                \
  X(Comm_split_type)           \
  X(Comm_test_inter)           \
  X(Get_elements_x)            \
  X(Get_library_version)       \
  X(Group_free)                \
  X(Info_create)               \
  X(Info_dup)                  \
  X(Info_free)                 \
  X(Info_get)                  \
  X(Info_get_nkeys)            \
  X(Info_get_nthkey)           \
  X(Info_set)                  \
  X(Op_create)                 \
  X(Op_free)                   \
  X(Query_thread)              \
  X(Reduce)                    \
  X(Type_commit)               \
  X(Type_contiguous)           \
  X(Type_free)                 \
  X(Type_size_x)

namespace real {
#define TOTO_X(name) using name##Symbol = Symbol<"PMPI_" #name, decltype(::PMPI_##name)>;
TOTO_REAL_FUNCTIONS(TOTO_X)
#undef TOTO_X

// real::Bcast(...): the library's PMPI_Bcast. That the symbol exists was checked by available().
#define TOTO_X(name)                  \
  template <class... A>               \
  inline auto name(A... a) {          \
    return name##Symbol::get()(a...); \
  }
TOTO_REAL_FUNCTIONS(TOTO_X)
#undef TOTO_X

// True when every one of them is there: asked once, before anything of ours is done.
[[nodiscard]] bool available();
}  // namespace real

// Predefined handles: constants with MPICH, addresses of the library's variables with Open MPI.
namespace predefined {
#if defined(OPEN_MPI)
#define TOTO_PREDEFINED(Handle, name, variable) \
  inline Handle name() { return static_cast<Handle>(Variable<variable>::get()); }
TOTO_PREDEFINED(MPI_Comm, comm_world, "ompi_mpi_comm_world")
TOTO_PREDEFINED(MPI_Comm, comm_self, "ompi_mpi_comm_self")
TOTO_PREDEFINED(MPI_Comm, comm_null, "ompi_mpi_comm_null")
TOTO_PREDEFINED(MPI_Info, info_null, "ompi_mpi_info_null")
TOTO_PREDEFINED(MPI_Datatype, byte, "ompi_mpi_byte")
TOTO_PREDEFINED(MPI_Datatype, integer, "ompi_mpi_int")
TOTO_PREDEFINED(MPI_Op, min, "ompi_mpi_op_min")
TOTO_PREDEFINED(MPI_Op, sum, "ompi_mpi_op_sum")
TOTO_PREDEFINED(MPI_Errhandler, errors_return, "ompi_mpi_errors_return")
#undef TOTO_PREDEFINED
#else
#define TOTO_PREDEFINED(Handle, name, constant) \
  inline Handle name() { return constant; }
TOTO_PREDEFINED(MPI_Comm, comm_world, MPI_COMM_WORLD)
TOTO_PREDEFINED(MPI_Comm, comm_self, MPI_COMM_SELF)
TOTO_PREDEFINED(MPI_Comm, comm_null, MPI_COMM_NULL)
TOTO_PREDEFINED(MPI_Info, info_null, MPI_INFO_NULL)
TOTO_PREDEFINED(MPI_Datatype, byte, MPI_BYTE)
TOTO_PREDEFINED(MPI_Datatype, integer, MPI_INT)
TOTO_PREDEFINED(MPI_Op, min, MPI_MIN)
TOTO_PREDEFINED(MPI_Op, sum, MPI_SUM)
TOTO_PREDEFINED(MPI_Errhandler, errors_return, MPI_ERRORS_RETURN)
#undef TOTO_PREDEFINED
#endif
}  // namespace predefined

}  // namespace toto::pmpi
