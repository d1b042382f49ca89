// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/reduce.h"

#include <type_traits>

#include "core/heap.h"
#include "core/job.h"
#include "pmpi/patience.h"
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

  // The same, but not for longer than MPI_Finalize may wait.
  bool to_rank_0_in_time(MPI_Comm comm, const T& value, T& all) {
    MPI_Request request{};
    return ready_ &&
           real::Ireduce(static_cast<const void*>(&value), static_cast<void*>(&all), 1, type_, op_, 0, comm,
                         &request) == MPI_SUCCESS &&
           patience::until_done(request);
  }

  bool start_to_all(MPI_Comm comm, const T& value, T& all, MPI_Request* request) {
    return ready_ && real::Iallreduce(static_cast<const void*>(&value), static_cast<void*>(&all), 1, type_,
                                      op_, comm, request) == MPI_SUCCESS;
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
constinit Reduction<Sketch> sketches;

struct Pair {
  Numbers mine, all;
};

}  // namespace

bool reduce_family(MPI_Comm comm, FamilySummary& family) { return families.to_rank_0(comm, family); }

bool smallest_of_all(MPI_Comm comm, const Numbers& mine, Numbers& all) {
  auto pair = Heap<Pair>::make(Pair{mine, {}});
  MPI_Request request{};
  if (!pair || real::Iallreduce(static_cast<const void*>(pair->mine.data()),
                                static_cast<void*>(pair->all.data()), static_cast<int>(mine.size()),
                                predefined::integer(), predefined::min(), comm, &request) != MPI_SUCCESS) {
    return false;
  }
  if (!patience::until_done(request)) {
    pair.release();  // MPI may still write to it
    return false;
  }
  all = pair->all;
  return true;
}

bool reduce_summary(Summary& summary, bool good) {
  // Where time runs out, MPI may use these for ever.
  auto mine = Heap<Summary>::make(summary);
  auto all = Heap<Summary>::make();
  // A rank that came late has the words of those who did not wait for it, but not their attention. Nobody
  // sends large messages before all have spoken again: MPICH waits in MPI_Finalize for such a one to be
  // received.
  Numbers told{};
  if (!smallest_of_all(predefined::comm_world(), {good && mine && all ? 1 : 0, 0, 0}, told)) return false;
  if (told[0] == 0) return false;
  if (!summaries.to_rank_0_in_time(predefined::comm_world(), *mine, *all)) {
    mine.release();
    all.release();
    return false;
  }
  if (job.rank.load() == 0) summary = *all;
  return true;
}

bool start_sketch_reduction(MPI_Comm comm, const Sketch& mine, Sketch& all, MPI_Request* request) {
  return sketches.start_to_all(comm, mine, all, request);
}

bool make_reductions() { return families.make() && summaries.make() && sketches.make(); }
void free_reductions() {
  families.free();
  summaries.free();
  sketches.free();
}

}  // namespace toto::pmpi
