// SPDX-License-Identifier: BSD-3-Clause
#include "core/report_json.h"

#include <algorithm>
#include <cstring>
#include <ctime>

#include "core/config.h"
#include "core/file_systems.h"
#include "core/log.h"
#include "core/path.h"
#include "core/sys.h"
#include "core/version.h"

namespace toto::report {
namespace {

constexpr std::uint64_t kMostFiles = 1000;  // listed one by one

bool is_duration(std::string_view name) { return name.ends_with("_ticks"); }
bool is_moment(std::string_view name) { return name.starts_with("first_") || name.starts_with("last_"); }

void write_sizes(JsonWriter& json, std::string_view name, const std::array<std::uint64_t, kBins>& bins) {
  bool any = false;
  for (const std::uint64_t count : bins) any = any || count != 0;
  if (!any) return;
  json.key(name).begin_array();
  for (std::size_t i = 0; i < kBins; ++i) {
    if (bins[i] == 0) continue;
    json.begin_object();
    json.key("up_to").number(i + 1 < kBins ? std::uint64_t{1} << (kFirstBin + i) : 0);
    json.key("count").number(bins[i]);
    json.end_object();
  }
  json.end_array();
}

// Times are nanoseconds already. Counters that are 0 are left out.
void write_totals(JsonWriter& json, const Totals& totals, std::uint64_t job_start) {
  json.begin_object();
  for (std::size_t i = 0; i < kCounters; ++i) {
    const std::uint64_t value = totals.value[i];
    if (value == 0) continue;
    FixedString<48> name(kCounterNames[i]);
    if (is_duration(name)) {
      name.resize_down(name.size() - std::strlen("_ticks"));
      json.key(name.add("_seconds")).seconds(value);
    } else if (is_moment(name)) {
      json.key(name.add("_seconds")).seconds(value > job_start ? value - job_start : 0);
    } else {
      json.key(name).number(value);
    }
  }
  write_sizes(json, "read_sizes", totals.read_sizes);
  write_sizes(json, "write_sizes", totals.write_sizes);
  json.end_object();
}

void write_layers(JsonWriter& json, const std::array<Totals, kLayers>& layers, std::uint64_t job_start) {
  json.key("layers").begin_object();
  for (std::size_t i = 0; i < kLayers; ++i) {
    if (layers[i].empty()) continue;
    json.key(name(static_cast<Layer>(i)));
    write_totals(json, layers[i], job_start);
  }
  json.end_object();
}

void write_layout(JsonWriter& json, std::string_view name, const Layout& layout) {
  json.key(name).begin_object();
  json.key("stripe_count").number(layout.count);
  json.key("stripe_size").number(layout.size);
  json.key("pool").text(layout.pool);
  if (!layout.components.empty()) json.key("components").text(layout.components);
  json.end_object();
}

void write_outcome(JsonWriter& json, const Outcome& outcome) {
  json.key("outcome").begin_object();
  write_layout(json, "asked", outcome.asked);
  write_layout(json, "obtained", outcome.obtained);
  json.key("origin").text(name(outcome.layout_origin));
  json.key("status").text(name(outcome.layout_status));
  json.key("error").integer(outcome.error);
  json.key("reason").text(outcome.reason);
  json.key("hints").begin_array();
  for (const Hint& hint : outcome.all_hints()) {
    json.begin_object();
    json.key("key").text(hint.key);
    json.key("value").text(hint.value);
    json.key("origin").text(name(hint.origin));
    json.key("status").text(name(hint.status));
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

// The files of all areas, each once: at its first area the counters of the later ones are added.
struct FileVisit {
  JsonWriter* json = nullptr;
  const About* about = nullptr;
  std::size_t area = 0;  // index of the one that is walked
  std::uint64_t job_start = 0;
  std::uint64_t listed = 0;
  std::uint64_t omitted = 0;
  std::array<Totals, kLayers> layers{};
};

void add_layers(std::array<Totals, kLayers>& into, const std::array<Totals, kLayers>& ticks,
                const clock::Rate& rate) {
  for (std::size_t i = 0; i < kLayers; ++i) {
    Totals layer = ticks[i];
    to_nanoseconds(layer, rate);
    into[i].merge(layer);
  }
}

// Bytes of a file of ours that no call of ours wrote: of other processes, or through a mapping. Only where we
// saw it being made, so that all of it should be ours; holes do not count. 0: none, or it is gone.
std::uint64_t unseen_bytes(const File& file, const std::array<Totals, kLayers>& layers) {
  std::uint64_t created = 0, written = 0;
  for (const Totals& layer : layers) {
    created = std::max(created, layer[Counter::creates]);
    written = std::max(written, layer[Counter::bytes_written]);
  }
  struct statx about;
  const path::Path path(file.path());
  if (created == 0 || path.truncated() ||
      sys::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW | AT_STATX_DONT_SYNC,
                 STATX_TYPE | STATX_SIZE | STATX_BLOCKS, &about) != 0 ||
      !S_ISREG(about.stx_mode)) {
    return 0;
  }
  constexpr std::uint64_t kSector = 512;  // of stx_blocks, whatever the file system's own
  const std::uint64_t there = std::min<std::uint64_t>(about.stx_size, about.stx_blocks * kSector);
  // Gaps within a block are there as well, and nobody wrote them.
  const std::uint64_t gaps = std::max<std::uint64_t>(64 * 1024, there / 100);
  return there > written + gaps ? there - written : 0;
}

// Of what two processes know of a file, that of the one which made it.
const Outcome* better(const Outcome* one, const Outcome* other) {
  if (one == nullptr || other == nullptr) return one != nullptr ? one : other;
  const auto found_it = [](const Outcome& outcome) {
    return outcome.layout_status == LayoutStatus::kExisting || outcome.layout_status == LayoutStatus::kNone;
  };
  return found_it(*one) && !found_it(*other) ? other : one;
}

void write_file(File& file, const std::array<Totals, kLayers>& totals, void* context) {
  auto& visit = *static_cast<FileVisit*>(context);
  if (file.scratch || file.folded) return;
  if (visit.listed == kMostFiles) {
    ++visit.omitted;
    return;
  }
  const std::span<Area* const> areas = visit.about->areas;
  for (std::size_t i = 0; i < visit.area; ++i) {
    if (areas[i]->find(file.path_hash, file.path()) != nullptr) return;
  }
  ++visit.listed;
  visit.layers = {};
  add_layers(visit.layers, totals, areas[visit.area]->rate(visit.about->same_boot));
  const Outcome* outcome = file.outcome();
  for (std::size_t i = visit.area + 1; i < areas.size(); ++i) {
    const File* same = areas[i]->find(file.path_hash, file.path());
    if (same == nullptr) continue;
    std::array<Totals, kLayers> theirs{};
    same->totals(theirs);
    add_layers(visit.layers, theirs, areas[i]->rate(visit.about->same_boot));
    outcome = better(outcome, same->outcome());
  }
  JsonWriter& json = *visit.json;
  json.begin_object();
  json.key("path").text(file.path());
  json.key("family").text(path::family(file.path()));
  const std::uint32_t kind = file.file_system.load(std::memory_order_relaxed);
  json.key("file_system").text(kind != 0 ? kKnownFileSystems[kind - 1].name : std::string_view("other"));
  if (const std::uint32_t ranks = file.ranks.load(std::memory_order_relaxed)) json.key("ranks").number(ranks);
  write_layers(json, visit.layers, visit.job_start);
  if (const std::uint64_t unseen = visit.about->all_areas ? unseen_bytes(file, visit.layers) : 0; unseen > 0)
    json.key("unseen_bytes").number(unseen);
  if (outcome != nullptr) write_outcome(json, *outcome);
  json.end_object();
}

void write_evidence(JsonWriter& json, const FamilySummary& family, const Pattern& pattern) {
  json.key("evidence").begin_object();
  if (pattern.stride != 0) json.key("stride").number(pattern.stride);
  if (pattern.block != 0) json.key("block").number(pattern.block);
  if (family.stripe_size != 0) json.key("stripe_size").number(family.stripe_size);
  json.key("files_of_all_ranks").number(family.sum_files);
  json.key("most_files_of_a_rank").number(family.most_files);
  json.key("opens_per_file").number(pattern.opens_per_file);
  for (const Share& share : pattern.shares) {
    if (share.whole != 0) json.key(FixedString<48>("share_").add(share.name)).share(share.part, share.whole);
  }
  json.end_object();
}

void write_files(JsonWriter& json, const About& about, std::uint64_t job_start) {
  static constinit FileVisit visit{};  // not for small stacks
  visit.json = &json;
  visit.about = &about;
  visit.job_start = job_start;
  visit.listed = visit.omitted = 0;
  json.key("files").begin_array();
  for (visit.area = 0; visit.area < about.areas.size(); ++visit.area) {
    about.areas[visit.area]->for_each(write_file, &visit);
  }
  json.end_array();
  json.key("files_omitted").number(visit.omitted);
}

void write_family(JsonWriter& json, const FamilySummary& family, const Judges& judges,
                  std::uint64_t job_start) {
  const Pattern pattern = judges.classify(family);
  std::uint64_t created = 0, written = 0, requests = 0, request_bytes = 0;
  for (const Totals& layer : family.layers) {
    created = std::max(created, layer[Counter::creates]);
    written = std::max(written, layer[Counter::bytes_written]);
    requests = layer[Counter::writes] + layer[Counter::reads] > requests
                   ? layer[Counter::writes] + layer[Counter::reads]
                   : requests;
    request_bytes = std::max(request_bytes, layer[Counter::bytes_written] + layer[Counter::bytes_read]);
  }
  const std::uint64_t files = family.files();
  json.begin_object();
  json.key("name").text(family.name_view());
  json.key("files").number(files);
  json.key("created").number(created);
  json.key("sharing").text(pattern.sharing);
  json.key("spatiality").text(pattern.spatiality);
  json.key("calls").text(pattern.calls);
  json.key("phases").text(pattern.phases);
  json.key("opening").text(pattern.opening);
  json.key("flushing").text(pattern.flushing);
  json.key("metadata").text(pattern.metadata);
  json.key("alignment").text(pattern.alignment);
  write_evidence(json, family, pattern);
  json.key("ranks").number(family.ranks);
  json.key("writers").number(family.writers);
  json.key("bytes_per_file").number(files > 0 ? written / files : 0);
  json.key("request").number(requests > 0 ? request_bytes / requests : 0);
  json.key("slowest_rank_seconds").seconds(family.slowest_ns);
  write_layers(json, family.layers, job_start);
  json.end_object();
}

FixedString<32> timestamp(std::uint64_t wall_ns) {
  const auto seconds = static_cast<time_t>(wall_ns / 1'000'000'000);
  tm parts{};
  gmtime_r(&seconds, &parts);
  const auto two = [](int number) { return FixedString<4>().add(100 + number); };
  FixedString<32> out;
  out.add(1900 + parts.tm_year);
  out.add('-').add(two(parts.tm_mon + 1).view().substr(1)).add('-').add(two(parts.tm_mday).view().substr(1));
  out.add('T').add(two(parts.tm_hour).view().substr(1)).add(':').add(two(parts.tm_min).view().substr(1));
  out.add(':').add(two(parts.tm_sec).view().substr(1)).add('Z');
  return out;
}

void write_job(JsonWriter& json, const Summary& summary, const About& about) {
  const ProcessInfo& who = *about.who;
  json.key("job").begin_object();
  json.key("id").text(about.job);
  json.key("program").text(who.program);
  json.key("command").begin_array();
  for (std::string_view words(who.command.data(), who.command_bytes); !words.empty();) {
    const std::size_t end = words.find('\0');
    json.text(words.substr(0, end));
    words.remove_prefix(end == std::string_view::npos ? words.size() : end + 1);
  }
  json.end_array();
  json.key("host").text(about.host);
  json.key("start").text(timestamp(static_cast<std::uint64_t>(who.zero.zero_wall_ns)));
  json.key("seconds").seconds(about.seconds_ns);
  json.key("processes").number(summary.processes);
  if (who.rank >= 0) {
    json.key("ranks").integer(who.ranks);
    json.key("nodes").integer(who.nodes);
    json.key("mpi_library").text(who.mpi_library);
    json.key("mpi_io").text(who.mpi_io);
    json.key("thread_level").text(who.thread_level);
  }
  json.end_object();
}

void write_rank_times(JsonWriter& json, const RankTimes& times) {
  if (times.ranks == 0) return;
  const auto one = [&json](std::string_view name, std::uint64_t rank, std::uint64_t ns) {
    json.key(name).begin_object();
    json.key("rank").number(rank);
    json.key("seconds").seconds(ns);
    json.end_object();
  };
  json.key("rank_times").begin_object();
  json.key("ranks").number(times.ranks);
  json.key("mean_seconds").seconds(times.sum_ns / times.ranks);
  one("slowest", times.slowest_rank, times.slowest_ns);
  one("fastest", times.fastest_rank, times.fastest_ns);
  json.end_object();
}

void write_kernel_io(JsonWriter& json, const KernelIo& io) {
  if (io.processes == 0) return;
  json.key("kernel_io").begin_object();
  json.key("processes").number(io.processes);
#define TOTO_X(name, from) json.key(#name).number(io.name);
  TOTO_KERNEL_IO(TOTO_X)
#undef TOTO_X
  json.end_object();
}

void write_amounts(JsonWriter& json, const Sketch::Amounts& amounts) {
#define TOTO_X(name) \
  if (amounts.name != 0) json.key(#name).number(amounts.name);
  TOTO_SKETCH(TOTO_X)
#undef TOTO_X
}

void write_sketch_layers(JsonWriter& json, const Sketch& sketch) {
  json.key("layers").begin_object();
  for (std::size_t i = 0; i < kLayers; ++i) {
    const Sketch::Amounts& layer = sketch.layers[i];
    if (layer.opens + layer.weight() == 0) continue;
    json.key(name(static_cast<Layer>(i))).begin_object();
    write_amounts(json, layer);
    json.end_object();
  }
  json.end_object();
}

void write_rounds(JsonWriter& json, const About& about) {
  if (about.rounds.count > 0) {
    json.key("rounds").begin_object();
    json.key("count").number(about.rounds.count);
    json.key("bytes_each").number(about.rounds.bytes);
    json.key("spent_seconds").seconds(about.rounds.spent_ns);
    if (about.rounds.last != nullptr) write_sketch_layers(json, *about.rounds.last);
    json.end_object();
  }
  if (about.last_round == nullptr) return;
  json.key("last_round").begin_object();
  json.key("nodes").number(about.last_round->nodes);
  write_sketch_layers(json, *about.last_round);
  json.end_object();
}

void write_time_line(JsonWriter& json, const JobTimeLine& line, std::uint64_t job_start) {
  const std::size_t used = line.used_bins();
  if (used == 0) return;
  json.key("time_line").begin_object();
  json.key("start_seconds").seconds(line.origin_ns > job_start ? line.origin_ns - job_start : 0);
  json.key("bin_seconds").seconds(line.width_ns);
  for (std::size_t i = 0; i < kLayers; ++i) {
    const auto layer = static_cast<Layer>(i);
    for (const bool write : {false, true}) {
      const auto& bytes = line.bytes[TimeLine::row(layer, write)];
      if (std::all_of(bytes.begin(), bytes.end(), [](std::uint64_t b) { return b == 0; })) continue;
      json.key(FixedString<40>(name(layer)).add(write ? "_bytes_written" : "_bytes_read")).begin_array();
      for (std::size_t bin = 0; bin < used; ++bin) json.number(bytes[bin]);
      json.end_array();
    }
  }
  json.end_object();
}

void write_settings(JsonWriter& json) {
  json.key("settings").begin_array();
  for (const SettingInfo& info : kSettings) {
    const SettingOrigin origin = config::origin(info.name);
    if (origin == SettingOrigin::kDefault) continue;
    json.begin_object();
    json.key("name").text(info.name);
    json.key("value").text(config::value(info.name));
    json.key("origin").text(origin == SettingOrigin::kFile ? "file" : "environment");
    json.end_object();
  }
  json.end_array();
}

void write_advice(JsonWriter& json, const Summary& summary, std::uint64_t job_ns, const Judges& judges) {
  static constinit AdviceList advice{};  // as write_to's buffer
  advice.clear();
  judges.advise(summary, job_ns, advice);
  json.key("advice").begin_array();
  for (const Advice& one : advice) {
    json.begin_object();
    json.key("rule").text(one.rule);
    json.key("severity").text(name(one.severity));
    json.key("family").text(one.family);
    json.key("counts").begin_object();
    for (const Advice::Count& count : one.counts) {
      if (!count.name.empty()) json.key(count.name).number(count.value);
    }
    json.end_object();
    json.key("seconds").seconds(one.ns);
    json.key("remedy").text(one.remedy);
    json.end_object();
  }
  json.end_array();
}

void write_tuning(JsonWriter& json, const Judges& judges) {
  if (judges.tuned == nullptr) return;
  json.key("tuning").begin_array();
  judges.tuned(
      [](const Tuned& tuned, void* context) {
        auto& out = *static_cast<JsonWriter*>(context);
        out.begin_object();
        out.key("family").text(tuned.family);
        out.key("best_stripes").number(tuned.best);
        out.key("settled").boolean(tuned.settled);
        out.key("reason").text(tuned.reason);
        out.key("tried").begin_array();
        for (const Tried& one : tuned.tried) {
          out.begin_object();
          out.key("stripes").number(one.stripes);
          out.key("files").number(one.files);
          out.key("bytes_per_second").number(one.bytes_per_second);
          out.end_object();
        }
        out.end_array();
        out.end_object();
      },
      &json);
  json.end_array();
}

}  // namespace

void write_json(JsonWriter& json, const Summary& summary, const About& about, const Judges& judges) {
  const auto start = static_cast<std::uint64_t>(about.who->zero.zero_wall_ns);
  json.begin_object();
  json.key("report_version").number(1);
  json.key("toto_version").text(kVersion);
  json.key("partial").boolean(about.partial);
  write_job(json, summary, about);
  write_settings(json);
  write_layers(json, summary.layers, start);
  write_rank_times(json, summary.rank_times);
  write_kernel_io(json, summary.kernel_io);
  write_time_line(json, summary.time_line, start);
  write_rounds(json, about);
  json.key("families").begin_array();
  for (std::size_t i = 0; i < summary.count; ++i) write_family(json, summary.families[i], judges, start);
  if (const std::uint64_t folded = summary.folded.count(); folded > 0) {
    static constinit FamilySummary rest{};
    rest = summary.rest;
    const FixedString<64> name = FixedString<64>("(").add(folded).add(" other families)");
    std::copy_n(name.c_str(), name.size() + 1, rest.name.data());
    write_family(json, rest, judges, start);
  }
  json.end_array();
  write_advice(json, summary, about.seconds_ns, judges);
  write_tuning(json, judges);
  write_files(json, about, start);
  json.key("warnings").begin_array();
  for (const log::Warning& warning : log::warnings()) {
    json.begin_object();
    json.key("text").text(warning.text);
    json.key("count").number(warning.count);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace toto::report
