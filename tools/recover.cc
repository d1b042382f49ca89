// SPDX-License-Identifier: BSD-3-Clause
#include "tools/recover.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "core/collect.h"
#include "core/report.h"
#include "core/segment_file.h"
#include "core/sys.h"
#include "hints/advise.h"
#include "hints/classify.h"
#include "tools/mend.h"
#include "tools/units.h"

namespace toto::tools {
namespace {

using Mapping = segment::Mapping;

struct Found {
  std::string path;
  std::unique_ptr<Mapping> mapping;
};

std::vector<std::string> all_segments() {
  std::vector<std::string> paths;
  segment::for_each_segment(
      [](const segment::Path& path, void* to) {
        static_cast<std::vector<std::string>*>(to)->emplace_back(path.view());
      },
      &paths);
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool still_runs(const Mapping& mapping) {
  return mapping.same_boot() && segment::has_living_members(mapping.head(), nullptr);
}

// The digest at the end of a segment's name, behind which a process that closed it put its number.
std::string launch_of(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('-') + 1);
  return std::string(name.substr(0, name.find('.')));
}

// Nobody counts in it any more, or ever will, and nobody else recovers it (or did and died).
bool close_it(const Mapping& mapping) {
  if (still_runs(mapping)) return false;
  std::int32_t closer = mapping.head().closer.load();
  if (closer != 0 && mapping.same_boot() && segment::is_alive(closer, 0)) return false;
  if (!mapping.head().closer.compare_exchange_strong(closer, sys::getpid())) return false;
  if (!still_runs(mapping)) return true;
  mapping.head().closer = 0;  // somebody entered in between
  return false;
}

// When the last thing happened, by the counters.
std::uint64_t last_moment(const Summary& summary) {
  std::uint64_t last = 0;
  for (const Totals& layer : summary.layers) {
    for (const Counter counter :
         {Counter::first_open, Counter::first_data, Counter::last_data, Counter::last_close}) {
      last = std::max(last, layer[counter]);
    }
  }
  return last;
}

// One job: its segments (several nodes', where the folder is shared). False: not written.
bool recover_one(const std::vector<Found>& segments, const std::string& report) {
  const auto areas = std::make_unique<collect::Areas>();
  const auto summary = std::make_unique<Summary>();
  bool same_boot = true;
  for (const Found& found : segments) {
    same_boot = same_boot && found.mapping->same_boot();
    found.mapping->for_each_area(mend);
    collect::claim(*found.mapping, 0, *areas);
  }
  collect::summarise(areas->all(), same_boot, *summary);
  report::About about = collect::about(areas->all(), &segments.front().mapping->head());
  const auto start = static_cast<std::uint64_t>(about.who->zero.zero_wall_ns);
  const std::uint64_t last = last_moment(*summary);
  about.seconds_ns = last > start ? last - start : 0;
  about.partial = true;
  about.same_boot = same_boot;
  about.kept = true;
  if (!report.empty()) about.report = report;
  if (report::write(*summary, about, {hints::classify, hints::advise})) return true;
  collect::settle(areas->all(), false);
  return false;
}

void close_all_descriptors() {
  for (const int fd : {0, 1, 2}) ::close(fd);
  if (::syscall(SYS_close_range, 3U, ~0U, 0U) != 0) {
    for (int fd = 3; fd < static_cast<int>(::sysconf(_SC_OPEN_MAX)); ++fd) ::close(fd);
  }
  const int null = ::open("/dev/null", O_RDWR);  // 0, and 1 and 2 after it
  if (null == 0 && ::dup(0) == 1) ::dup(0);
}

void wait_for_end_of(pid_t pid, std::uint64_t born) {
  const auto fd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (fd >= 0) {
    pollfd ended{.fd = fd, .events = POLLIN, .revents = 0};
    while (::poll(&ended, 1, -1) < 0 && errno == EINTR) {
    }
    ::close(fd);
    return;
  }
  constexpr unsigned kPause = 200'000;  // microseconds; a kernel before 5.3
  while (segment::is_alive(pid, born)) ::usleep(kPause);
}

}  // namespace

Recovered recover(const std::string& job, const std::string& report, bool quiet) {
  Recovered result;
  const auto say = [quiet](const std::string& text) {
    if (!quiet) fmt::print(stderr, "toto report: {}\n", text);
  };
  // Several nodes' segments make one report; several launches of one job, and reports that go to different
  // places, are jobs of their own, as for the library.
  std::map<std::pair<std::string, std::string>, std::vector<Found>> jobs;
  for (const std::string& path : all_segments()) {
    Found found{path, std::make_unique<Mapping>()};
    if (const int error = found.mapping->open(path.c_str()); error != 0) {
      if (error == ENOENT) continue;
      ++result.failures;
      say(fmt::format("{}: {}: left as it is", printable(path),
                      error == EPROTO ? "not a segment of this version" : std::strerror(error)));
      continue;
    }
    segment::Head& head = found.mapping->head();
    if (!job.empty() && job != head.job.view()) continue;
    if (!close_it(*found.mapping)) {
      ++result.running;
      say(fmt::format("job {}: still runs: left alone", printable(std::string(head.job.view()))));
      continue;
    }
    jobs[{std::string(head.job.view()), launch_of(path)}].push_back(std::move(found));
  }
  for (const auto& [name, segments] : jobs) {
    if (!recover_one(segments, report)) {
      ++result.failures;
      for (const Found& found : segments) found.mapping->head().closer = 0;
      continue;
    }
    ++result.reports;
    for (const Found& found : segments) ::unlink(found.path.c_str());
    say(fmt::format("job {}: recovered, as far as it came", printable(name.first)));
  }
  return result;
}

void watch_over(const std::string& job) {
  const pid_t program = ::getpid();
  const std::uint64_t born = segment::birth_of(program);
  const pid_t middle = ::fork();
  if (middle < 0) return;
  if (middle > 0) {
    int status = 0;
    ::waitpid(middle, &status, 0);
    return;
  }
  ::setsid();  // a signal to the program's group is not meant for the watcher
  if (::fork() != 0) ::_exit(0);
  if (::chdir("/") != 0) ::_exit(0);
  close_all_descriptors();
  wait_for_end_of(program, born);
  // Microseconds. Others of the job may go on for long after this process.
  constexpr unsigned kFirstPause = 50'000, kLongestPause = 5'000'000;
  for (unsigned pause = kFirstPause; recover(job, "", true).running > 0;
       pause = std::min(2 * pause, kLongestPause)) {
    ::usleep(pause);
  }
  ::_exit(0);
}

}  // namespace toto::tools
