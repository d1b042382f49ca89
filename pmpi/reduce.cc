// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/reduce.h"

#include <type_traits>

#include "pmpi/real.h"

namespace toto::pmpi {
namespace {

// An MPI type of sizeof(T) bytes and the operation that merges two of them.
template <class T>
class Reduction {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  bool to_rank_0(MPI_Comm comm, T& value) {
    if (!ready_) return false;
    int rank = 0;
    real::Comm_rank(comm, &rank);
    const void* from = rank == 0 ? MPI_IN_PLACE : static_cast<const void*>(&value);
    return real::Reduce(from, static_cast<void*>(rank == 0 ? &value : nullptr), 1, type_, op_, 0, comm) ==
           MPI_SUCCESS;
  }

  // Local calls; made at MPI_Init, before any thread could want it.
  bool make() {
    if (real::Type_contiguous(static_cast<int>(sizeof(T)), predefined::byte(), &type_) != MPI_SUCCESS)
      return false;
    if (real::Type_commit(&type_) != MPI_SUCCESS) return false;
    ready_ = real::Op_create(&merge, 1, &op_) == MPI_SUCCESS;
    return ready_;
  }

  void free() {
    if (!ready_) return;
    real::Op_free(&op_);
    real::Type_free(&type_);
    ready_ = false;
  }

 private:
  static void merge(void* from, void* into, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i) static_cast<T*>(into)[i].merge(static_cast<T*>(from)[i]);
  }

  bool ready_ = false;
  MPI_Datatype type_{};
  MPI_Op op_{};
};

constinit Reduction<FamilySummary> families;
constinit Reduction<Summary> summaries;

}  // namespace

bool reduce_family(MPI_Comm comm, FamilySummary& family) { return families.to_rank_0(comm, family); }
bool reduce_summary(Summary& summary) { return summaries.to_rank_0(predefined::comm_world(), summary); }
bool make_reductions() { return families.make() && summaries.make(); }
void free_reductions() {
  families.free();
  summaries.free();
}

}  // namespace toto::pmpi
