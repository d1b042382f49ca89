// SPDX-License-Identifier: BSD-3-Clause
#include "core/report.h"

#include <algorithm>
#include <cstring>

#include "core/config.h"
#include "core/human.h"
#include "core/log.h"
#include "core/own_signals.h"
#include "core/path.h"
#include "core/places.h"
#include "core/report_json.h"

namespace toto::report {
namespace {

FixedString<640> report_name(const About& about) {
  if (!about.report.empty()) return about.report;
  FixedString<640> name(about.logs_folder);
  name.add("/toto.").add(path::base_name(about.who->program));
  return name.add('.').add(about.job).add('.').add(about.host).add('.').add(about.who->pid).add(".json");
}

void warn_report(const About& about, std::string_view name, int error) {
  log::Line line(about.report.empty() ? "TOTO_LOGS_FOLDER" : "TOTO_REPORT");
  line.add(": the report \"").add(name).add("\" cannot be written (").add(strerrordesc_np(error)).add("): ");
  if (about.kept) {
    line.add("its numbers are kept on ")
        .add(about.host)
        .add(" for a day; there, `toto report --recover --output FILE ");
    line.add(about.job).add("` writes it elsewhere");
  } else {
    line.add("there is none of this run");
  }
  log::warn(line);
}

// What is there already and is no ordinary file (a device, a pipe, a link to somewhere) is written to, never
// replaced. /dev/stdout may be a file with the program's own output: appended to, never cut.
bool is_special(const char* name) {
  struct statx about;
  return sys::statx(AT_FDCWD, name, AT_SYMLINK_NOFOLLOW, STATX_TYPE, &about) == 0 && !S_ISREG(about.stx_mode);
}

int flags_for_special(std::string_view name) {
  return name.starts_with("/dev/") || name.starts_with("/proc/") ? O_APPEND : O_TRUNC;
}

int write_open(const sys::Fd& fd, const Summary& summary, const About& about, const Judges& judges) {
  static constinit std::array<char, 4096>
      buffer{};  // once a process; the thread that ends it may have a small stack
  JsonWriter json(fd.get(), buffer);
  write_json(json, summary, about, judges);
  return json.finish() ? 0 : json.error();
}

// 0 or an errno. A pipe that nobody reads is an error (ENXIO), not a wait.
int write_to(const char* name, int flags, const Summary& summary, const About& about, const Judges& judges) {
  const sys::Fd fd(sys::open(name, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags, 0644));
  return fd.ok() ? write_open(fd, summary, about, judges) : errno;
}

// A file that has no name before it is whole: who is killed over it leaves nothing behind. EOPNOTSUPP: the
// file system has no such thing.
int write_nameless(const FixedString<680>& name, const Summary& summary, const About& about,
                   const Judges& judges) {
  const FixedString<680> folder(path::folder(name));
  const sys::Fd fd(sys::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0644));
  if (!fd.ok()) return EOPNOTSUPP;
  if (const int error = write_open(fd, summary, about, judges)) return error;
  FixedString<40> link("/proc/self/fd/");
  link.add(fd.get());
  const bool named = sys::linkat(AT_FDCWD, link.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  if (named) return 0;
  return errno == EEXIST ? EEXIST : EOPNOTSUPP;
}

bool is_newer_than(const char* name, const About& about) {
  struct statx file;
  if (sys::statx(AT_FDCWD, name, AT_SYMLINK_NOFOLLOW, STATX_MTIME, &file) != 0) return false;
  const std::int64_t changed = file.stx_mtime.tv_sec * 1'000'000'000 + file.stx_mtime.tv_nsec;
  // When the job began, by the wall clock as it was then and as it is now: it may have been stepped.
  const clock::Zero& began = about.who->zero;
  timespec now{};
  sys::clock_gettime(CLOCK_REALTIME, &now);
  const auto ran = static_cast<std::int64_t>(clock::monotonic_ns() - began.zero_mono_ns);
  const std::int64_t by_now = now.tv_sec * 1'000'000'000 + now.tv_nsec - ran;
  return changed > began.zero_wall_ns || (about.same_boot && changed > by_now);
}

int write_and_rename(const FixedString<640>& name, const Summary& summary, const About& about,
                     const Judges& judges) {
  FixedString<680> temporary(name.view());
  temporary.add(".part").add(sys::getpid());
  int error = write_nameless(temporary, summary, about, judges);
  if (error == EOPNOTSUPP) error = write_to(temporary.c_str(), O_CREAT | O_EXCL, summary, about, judges);
  // A report that was written while we ran is another process's of the same job: both stay.
  if (error == 0 && is_newer_than(name.c_str(), about)) {
    FixedString<760> other(name.view());
    other.add('.').add(about.host).add('.').add(sys::getpid());
    if (sys::renameat(AT_FDCWD, temporary.c_str(), AT_FDCWD, other.c_str()) == 0) return 0;
    error = errno;
  }
  if (error == 0 && sys::renameat(AT_FDCWD, temporary.c_str(), AT_FDCWD, name.c_str()) != 0) error = errno;
  if (error != 0 && error != EEXIST) sys::unlinkat(AT_FDCWD, temporary.c_str());
  return error;
}

bool write_report(const Summary& summary, const About& about, const Judges& judges) {
  const FixedString<640> name = report_name(about);
  int error = ENAMETOOLONG;
  if (!name.truncated()) {
    // A name of our own choice may have become somebody's link: that is replaced, never followed.
    error = !about.report.empty() && is_special(name.c_str())
                ? write_to(name.c_str(), flags_for_special(name), summary, about, judges)
                : write_and_rename(name, summary, about, judges);
  }
  if (error != 0) warn_report(about, name, error);
  return error == 0;
}

struct LayoutCount {
  std::uint64_t decided = 0, verified = 0;
};
void count_layouts(File& file, const std::array<Totals, kLayers>&, void* context) {
  auto& count = *static_cast<LayoutCount*>(context);
  const Outcome* outcome = file.outcome();
  if (outcome == nullptr) return;
  const LayoutStatus status = outcome->layout_status;
  if (status == LayoutStatus::kVerified || status == LayoutStatus::kDiffers ||
      status == LayoutStatus::kRefused) {
    ++count.decided;
    count.verified += status == LayoutStatus::kVerified ? 1U : 0U;
  }
}

void write_summary(const Summary& summary, const About& about) {
  FixedString<1024> out;
  for (std::size_t i = 0; i < kLayers; ++i) {
    const Totals& layer = summary.layers[i];
    if (layer.empty()) continue;
    out.add("toto: ").add(name(static_cast<Layer>(i))).add(": ").add(layer[Counter::opens]).add(" opens, ");
    out.add(layer[Counter::reads]).add(" reads of ").add(human_bytes(layer[Counter::bytes_read])).add(", ");
    out.add(layer[Counter::writes])
        .add(" writes of ")
        .add(human_bytes(layer[Counter::bytes_written]))
        .add('\n');
  }
  LayoutCount layouts;
  for (Area* area : about.areas) area->for_each(count_layouts, &layouts);
  if (layouts.decided > 0) {
    out.add("toto: ").add(layouts.decided).add(" new files got a layout, ").add(layouts.verified);
    out.add(" read back as decided\n");
  }
  log::say(out);
}

// Below a path that this process did not use there may be files of others that it reports.
struct Below {
  std::string_view path;
  bool any = false;
};
void look_below(File& file, const std::array<Totals, kLayers>&, void* context) {
  auto& below = *static_cast<Below*>(context);
  const std::string_view rest = file.path().substr(std::min(below.path.size(), file.path().size()));
  below.any = below.any || (file.path().starts_with(below.path) && (rest.empty() || rest[0] == '/'));
}
constinit std::span<Area* const> reported_areas;  // set while a report is written

void say_unused(std::string_view path) {
  Below below{.path = path};
  for (Area* area : reported_areas) area->for_each(look_below, &below);
  if (below.any) return;
  log::warn(log::Line("TOTO_PFS_PATHS: no file of the program was below \"").add(path).add("\""));
}

}  // namespace

bool write(const Summary& summary, const About& about, const Judges& judges) {
  const bool any = std::any_of(summary.layers.begin(), summary.layers.end(),
                               [](const Totals& layer) { return !layer.empty(); });
  const sys::KeepErrno keep;
  // Helpers that touch no file of interest have nothing to say about the list either.
  reported_areas = about.areas;
  if (any || about.who->rank >= 0) places::for_each_unused(say_unused);
  if (!any) return true;
  const bool written =
      (about.report.empty() && about.logs_folder.empty()) || write_report(summary, about, judges);
  if (config::settings().summary) write_summary(summary, about);
  return written;
}

}  // namespace toto::report
