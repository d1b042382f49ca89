// SPDX-License-Identifier: BSD-3-Clause
#include "model.h"

#include <algorithm>
#include <cmath>

namespace toto::stripefs {

namespace {

std::size_t Index(Transfer kind) { return static_cast<std::size_t>(kind); }

Time ServiceTime(std::uint64_t bytes, double rate) {
  if (rate <= 0) return Time::zero();
  return Time(std::llround(static_cast<double>(bytes) * 1e9 / rate));
}

}  // namespace

Time Stream::Drained(Transfer kind, Time now) const {
  for (const auto& [target, debts] : debts_[Index(kind)]) {
    for (const Debt& debt : debts) now = std::max(now, debt.done);
  }
  return now;
}

Time Stream::Drained(Time now) const {
  return std::max(Drained(Transfer::kWrite, now), Drained(Transfer::kRead, now));
}

Model::Model(const Options& options)
    : targets_(options.targets),
      latency_(options.latency),
      budgets_{options.write_budget, options.read_budget},
      locks_(options.lock_handover) {
  for (Target& target : targets_) target.rate = options.rate;
}

Time Model::Serve(const Request& request, const Share& share, Time now, Time& lock_ready) {
  Target& target = targets_[share.target];
  const bool write = request.kind == Transfer::kWrite;
  const ExtentLocks::Request range{
      {request.file, share.component, share.object}, request.client, share.begin, share.end, write};
  const ExtentLocks::Grant grant = locks_.Acquire(range, now);

  const Time service = latency_ + ServiceTime(share.bytes(), target.rate);
  target.busy_until = std::max(now, target.busy_until) + service;
  // A client that waits for a lock does not keep the target from serving others.
  const Time done = std::max(target.busy_until, grant.ready + service);
  if (write) locks_.Dirty(range, done);

  TargetCounters& counters = target.counters;
  (write ? counters.bytes_written : counters.bytes_read) += share.bytes();
  ++(write ? counters.writes : counters.reads);
  counters.handovers += grant.handovers;
  counters.lock_wait += grant.ready - now;
  counters.busy += service;
  lock_ready = std::max(lock_ready, grant.ready);
  return done;
}

Time Model::WaitForBudget(std::deque<Stream::Debt>& debts, std::uint64_t budget, Time now) {
  std::erase_if(debts, [&](const Stream::Debt& debt) { return debt.done <= now; });
  std::uint64_t outstanding = 0;
  for (const Stream::Debt& debt : debts) outstanding += debt.bytes;
  Time reply = now;
  // The debts stay on the list: a reply that is due later does not mean that they are paid by now.
  for (auto debt = debts.begin(); outstanding > budget && debt != debts.end(); ++debt) {
    outstanding -= debt->bytes;
    reply = std::max(reply, debt->done);
  }
  return reply;
}

Time Model::Submit(const Request& request, Stream& stream, Time now) {
  if (request.shares.empty()) return now;
  if (!started_) {
    started_ = true;
    first_arrival_ = last_end_ = now;
  }
  Time reply = now;
  Stream::Debts& debts = stream.debts_[Index(request.kind)];
  for (const Share& share : request.shares) {
    Time lock_ready = now;
    const Time done = Serve(request, share, now, lock_ready);
    last_end_ = std::max(last_end_, done);
    debts[share.target].push_back({done, share.bytes()});
    // Write-behind and read-ahead need the lock before they may start.
    reply = std::max(reply, lock_ready);
  }
  for (const Share& share : request.shares) {
    reply = std::max(reply, WaitForBudget(debts[share.target], budgets_[Index(request.kind)], now));
  }
  return reply;
}

void Model::Reset() {
  for (Target& target : targets_) {
    target.busy_until = Time::zero();
    target.counters = {};
  }
  started_ = false;
  first_arrival_ = last_end_ = Time::zero();
}

Time Model::Makespan() const { return last_end_ - first_arrival_; }

}  // namespace toto::stripefs
