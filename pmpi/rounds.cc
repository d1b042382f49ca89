// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/rounds.h"

#include <sched.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <new>

#include "core/collect.h"
#include "core/config.h"
#include "core/job.h"
#include "core/process.h"
#include "core/registry.h"
#include "core/segment.h"
#include "core/sys.h"
#include "pmpi/nodes.h"
#include "pmpi/patience.h"
#include "pmpi/real.h"
#include "pmpi/reduce.h"

namespace toto::pmpi::rounds {

namespace detail {
constinit std::atomic<bool> on{false};
constinit std::atomic<std::uint64_t> due{0};
}  // namespace detail

namespace {

// What a leader holds for its rounds, from the first to the last.
struct State {
  segment::Mapping segment;
  std::uint64_t mapped_areas = 0;
  collect::Areas areas;
  std::size_t next_area = 0;  // of a round that is being prepared
  bool preparing = false;
  Sketch ours, told, complete, before, window;
  MPI_Request request{};
  bool pending = false;
  std::uint64_t posted = 0;
  std::uint64_t posted_at = 0;   // ticks
  std::uint64_t spent = 0;       // CPU time of this rank, ns, in all
  std::uint64_t last_spent = 0;  // and of the last round
};
constinit State* state = nullptr;
alignas(State) constinit std::array<std::byte, sizeof(State)> memory{};  // so that no leader can lack it
constinit std::atomic<bool> busy{false};

constexpr std::uint64_t kShare = 500;            // one part in so many of the time may go into rounds
constexpr std::uint64_t kTestEvery = 1'000'000;  // ns between two looks at a pending round
constexpr std::uint64_t kTurn = 50'000;          // ns after which a turn takes no further area

std::uint64_t cpu_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

std::uint64_t ticks_of(std::uint64_t ns) {
  return static_cast<std::uint64_t>(static_cast<double>(ns) / clock::rate().ns_per_tick);
}

// The areas of the node that count for this job, as of now. The segment grows with its processes.
void look_at_node() {
  State& my = *state;
  my.areas.clear();
  if (segment::nonce() == 0) {
    if (Area* own = registry::area()) my.areas.add(*own);
    return;
  }
  const std::uint64_t there = segment::areas();
  if (there != my.mapped_areas) {
    my.segment.close();
    my.mapped_areas = my.segment.open(segment::path().c_str()) == 0 ? there : 0;
  }
  if (my.mapped_areas == 0) return;
  const std::uint64_t world = job.world.load();
  my.segment.for_each_area([&](Area& area) {
    const std::uint64_t of = area.world.load();
    if (area.reporter.load() == 0 && (of == 0 || of == world)) my.areas.add(area);
  });
}

// Adds up the node's areas, some in each turn: a node may have hundreds. True: all are in.
bool prepare(bool all_at_once) {
  State& my = *state;
  if (!my.preparing) {
    look_at_node();
    my.ours = Sketch{};
    my.ours.nodes = 1;
    my.next_area = 0;
    my.preparing = true;
  }
  const std::span<Area* const> areas = my.areas.all();
  const std::uint64_t until = clock::ticks() + ticks_of(kTurn);
  while (my.next_area < areas.size()) {
    my.ours.add(*areas[my.next_area++]);
    if (!all_at_once && clock::ticks() > until) break;
  }
  return my.next_area == areas.size();
}

bool post() {
  State& my = *state;
  my.preparing = false;
  my.posted_at = clock::ticks();
  if (!start_sketch_reduction(nodes::leaders(), my.ours, my.told, &my.request)) return false;
  my.pending = true;
  ++my.posted;
  return true;
}

// Whether the pending round is complete now.
bool test(bool& failed) {
  State& my = *state;
  int done = 0;
  failed = real::Test(&my.request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS;
  if (failed || done == 0) return false;
  my.pending = false;
  my.complete = my.told;
  my.window = my.complete.since(my.before);
  my.before = my.complete;
  segment::keep_sketch(my.complete);
  return true;
}

void turn_off() { detail::on.store(false, std::memory_order_relaxed); }

}  // namespace

namespace detail {

void take_turn() {
  if (process::inside_mpi() || busy.exchange(true, std::memory_order_acquire)) return;
  const process::InMpi inside;
  const sys::KeepErrno keep;
  State& my = *state;
  const std::uint64_t started = cpu_ns();
  bool failed = false;
  if (!my.pending) {
    if (!my.preparing) my.last_spent = 0;
    if (prepare(false)) failed = !post();
  }
  const bool complete = !failed && my.pending && test(failed);
  const std::uint64_t took = cpu_ns() - started;
  my.spent += took;
  my.last_spent += took;
  const auto period = static_cast<std::uint64_t>(config::settings().analysis_period) * 1'000'000;
  const std::uint64_t pause = complete ? std::max(period, my.last_spent * kShare) : kTestEvery;
  due.store((complete ? my.posted_at : clock::ticks()) + ticks_of(pause), std::memory_order_relaxed);
  if (failed) turn_off();
  busy.store(false, std::memory_order_release);
}

}  // namespace detail

void start() {
  if (!nodes::is_leader() || nodes::count() < 2) return;
  state = new (memory.data()) State;
  const auto period = static_cast<std::uint64_t>(config::settings().analysis_period) * 1'000'000;
  detail::due = clock::ticks() + ticks_of(period);
  detail::on = true;
}

Finish finish() {
  turn_off();
  // On another communicator than the rounds': some leaders have posted one more, and on one communicator all
  // must do all in the same order. A leader posts a round only when the one before is complete, and none is
  // complete before all have posted it: leaders are at most one round apart.
  while (busy.exchange(true)) ::sched_yield();
  const std::uint64_t posted = state != nullptr ? state->posted : 0;
  Numbers told{};
  if (!smallest_of_all(predefined::comm_world(), {-static_cast<int>(posted), 0, 0}, told))
    return Finish::kLate;
  patience::all_are_here();
  if (state == nullptr) return Finish::kDone;
  if (state->posted < static_cast<std::uint64_t>(-told[0])) {
    prepare(true);
    if (!post()) return Finish::kTrouble;
  }
  bool failed = false;
  patience::Pause pause;
  while (state->pending && !failed && !test(failed)) {
    if (!patience::wait(pause)) return Finish::kTrouble;
  }
  return failed ? Finish::kTrouble : Finish::kDone;
}

const Sketch* latest() {
  if (state == nullptr || state->complete.nodes == 0) return nullptr;
  return config::settings().accumulate ? &state->complete : &state->window;
}

report::Rounds account() {
  report::Rounds result;
  if (state == nullptr) return result;
  result.count = state->posted;
  result.bytes = sizeof(Sketch);
  result.spent_ns = state->spent;
  result.last = latest();
  return result;
}

}  // namespace toto::pmpi::rounds
