// SPDX-License-Identifier: BSD-3-Clause
// Rounds: while the program runs, the leaders of the nodes combine what their nodes have done
// (core/sketch.h), at most one round every TOTO_ANALYSIS_PERIOD. A round is one non-blocking all-reduce on a
// communicator of our own, posted and tested inside MPI calls that the program makes anyway: no thread of
// ours, no thread level raised, nobody waits. A rank that computes for long makes the round long, not
// anybody's call.
//
// A leader also spaces its rounds so that its own share of the work stays below a five-hundredth of the time.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/clock.h"
#include "core/report.h"
#include "core/sketch.h"

namespace toto::pmpi::rounds {

namespace detail {
extern constinit std::atomic<bool> on;            // on leaders, between MPI_Init and MPI_Finalize
extern constinit std::atomic<std::uint64_t> due;  // ticks: nothing to do before
void take_turn();
}  // namespace detail

// Called on the way into the program's own calls: a few nanoseconds, unless something is due.
[[gnu::always_inline]] inline void turn() {
  if (!detail::on.load(std::memory_order_relaxed)) return;
  if (clock::ticks() >= detail::due.load(std::memory_order_relaxed)) detail::take_turn();
}

// At MPI_Init, after nodes::make(), where all ranks want rounds.
void start();

enum class Finish : std::uint8_t { kDone, kLate, kTrouble };
// Collective over MPI_COMM_WORLD, at MPI_Finalize: agrees on the last round and completes it. kLate: somebody
// did not come within TOTO_FINALIZE_LIMIT; nobody goes on. kTrouble: on this rank, which the others do not
// know yet.
Finish finish();

// The job as of the last round that is complete: since the start, or in a window of one period
// (TOTO_ACCUMULATE_STATISTICS=0). nullptr: none yet.
[[nodiscard]] const Sketch* latest();

// For the report.
[[nodiscard]] report::Rounds account();

}  // namespace toto::pmpi::rounds
