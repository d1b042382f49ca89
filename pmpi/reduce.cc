// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/reduce.h"

#include <type_traits>

#include "core/heap.h"
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
constinit Reserve<Pair, 4> pairs;  // a rank that does not say its word at MPI_Finalize is waited for

bool of_all(MPI_Op op, MPI_Comm comm, const Numbers& mine, Numbers& all) {
  Pair* const pair = pairs.take();
  if (pair == nullptr) return false;
  pair->mine = mine;
  MPI_Request request{};
  const bool started = real::Iallreduce(static_cast<const void*>(pair->mine.data()),
                                        static_cast<void*>(pair->all.data()), static_cast<int>(mine.size()),
                                        predefined::integer(), op, comm, &request) == MPI_SUCCESS;
  const bool done = started && patience::until_done(request);
  if (done) all = pair->all;
  if (done || !started) pairs.give_back(pair);  // else MPI may still write to it
  return done;
}

}  // namespace

bool reduce_family(MPI_Comm comm, FamilySummary& family) { return families.to_rank_0(comm, family); }

bool reduce_summary(MPI_Comm comm, const Summary& mine, Summary& all) {
  return summaries.to_rank_0_in_time(comm, mine, all);
}

bool smallest_of_world(std::span<const int> mine, std::span<int> all) {
  MPI_Request request{};
  return real::Iallreduce(static_cast<const void*>(mine.data()), static_cast<void*>(all.data()),
                          static_cast<int>(mine.size()), predefined::integer(), predefined::min(),
                          predefined::comm_world(), &request) == MPI_SUCCESS &&
         patience::until_all_come(request);
}

bool smallest_of_all(MPI_Comm comm, const Numbers& mine, Numbers& all) {
  return of_all(predefined::min(), comm, mine, all);
}

bool sum_of_all(MPI_Comm comm, const Numbers& mine, Numbers& all) {
  return of_all(predefined::sum(), comm, mine, all);
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
