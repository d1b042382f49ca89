// SPDX-License-Identifier: BSD-3-Clause
#include "core/collect.h"

#include "core/config.h"
#include "core/job_id.h"
#include "core/sys.h"

namespace toto::collect {

void summarise(std::span<Area* const> areas, bool same_boot, Summary& out) {
  static constinit Summary one{};
  for (Area* area : areas) {
    one = Summary{};
    Summary::of_area(*area, same_boot, one);
    out.merge(one);
  }
}

bool take(Area& area, bool same_boot) {
  std::int32_t before = area.reporter.load();
  const bool free = before == 0 || (before > 0 && !(same_boot && segment::is_alive(before, 0)));
  return free && area.reporter.compare_exchange_strong(before, sys::getpid());
}

void settle(std::span<Area* const> areas, bool reported) {
  for (Area* area : areas) area->reporter = reported ? Area::kReported : 0;
}

void claim(const segment::Mapping& segment, std::uint64_t world, Areas& out) {
  segment.for_each_area([&](Area& area) {
    const std::uint64_t of = area.world.load();
    if (world != 0 && of != 0 && of != world) return;
    if (take(area, segment.same_boot())) out.add(area);
  });
}

report::About about(std::span<Area* const> areas, const segment::Head* head) {
  report::About result;
  const Area* best = nullptr;
  for (const Area* area : areas) {
    const bool ranked = area->who.rank >= 0;
    if (best == nullptr || (ranked && (best->who.rank < 0 || area->who.rank < best->who.rank))) best = area;
  }
  static constinit FixedString<96> job_name;
  static constinit FixedString<64> host;
  job_name = head != nullptr ? head->job : job_id();
  host = head != nullptr ? head->host : host_name();
  const Settings& settings = config::settings();
  result.report = head != nullptr ? head->report.view() : settings.report;
  result.logs_folder = head != nullptr ? head->logs_folder.view() : settings.logs_folder;
  if (head != nullptr && head->last_round.nodes > 0) result.last_round = &head->last_round;
  result.job = job_name;
  result.host = host;
  result.areas = areas;
  static constinit ProcessInfo self{};  // of a job that counted nothing
  if (best == nullptr) self.describe_self();
  result.who = best != nullptr ? &best->who : &self;
  result.seconds_ns = clock::monotonic_ns() - result.who->zero.zero_mono_ns;
  return result;
}

}  // namespace toto::collect
