// SPDX-License-Identifier: BSD-3-Clause
#include "tools/report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "core/outcome.h"
#include "tools/stripes.h"
#include "tools/table.h"
#include "tools/units.h"

namespace toto::tools::report {
namespace {

constexpr std::array<std::string_view, 3> kLayerOrder{"mpiio", "posix", "stdio"};

std::string join(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    if (!text.empty()) text += between;
    text += part;
  }
  return text;
}

std::string line(std::string_view title, const std::string& text) {
  return text.empty() ? "" : fmt::format("  {:<9} {}\n", title, text);
}

// The layers that hold anything, MPI-IO first, then those of no known name.
std::vector<std::pair<std::string, const Counters*>> used_layers(const Layers& layers) {
  std::vector<std::pair<std::string, const Counters*>> used;
  for (const std::string_view name : kLayerOrder) {
    const auto it = layers.find(std::string(name));
    if (it != layers.end() && !it->second.empty()) used.emplace_back(it->first, &it->second);
  }
  for (const auto& [name, counters] : layers) {
    const bool known = std::find(kLayerOrder.begin(), kLayerOrder.end(), name) != kLayerOrder.end();
    if (!known && !counters.empty()) used.emplace_back(name, &counters);
  }
  return used;
}

std::string number_text(std::uint64_t number) { return number == 0 ? "-" : fmt::format("{}", number); }
std::string size_text(std::uint64_t bytes) { return bytes == 0 ? "-" : bytes_text(bytes); }
std::string time_text(double seconds) { return seconds > 0 ? seconds_text(seconds) : "-"; }
std::string rate_of(const Counters& counters, const char* bytes, const char* seconds) {
  return rate_text(static_cast<double>(counters.count(bytes)), counters.time(seconds));
}

std::string job_text(const Report& report) {
  const Job& job = report.job;
  std::vector<std::string> shown;
  for (const std::string& word : job.command) shown.push_back(printable(word));
  const std::string command = join(shown, " ");
  std::string text =
      fmt::format("TOTO {} report{}\n", printable(report.toto_version), report.partial ? ", PARTIAL" : "");
  if (report.partial)
    text += "  The job did not end in an orderly way: this is what was recorded until then.\n";
  text += line("job", printable(job.id));
  text += line("program", printable(job.program));
  text += line("command", command);
  text += line("start", join({printable(job.start), "ran " + seconds_text(job.seconds)}, ", "));
  text += line("where", join({job.ranks > 0 ? plural(job.ranks, "rank") : "no MPI",
                              job.nodes > 0 ? plural(job.nodes, "node") : "",
                              job.processes > 0
                                  ? fmt::format("{} process{}", job.processes, job.processes == 1 ? "" : "es")
                                  : "",
                              job.host.empty() ? "" : "host " + printable(job.host)},
                             ", "));
  text += line("MPI", join({printable(job.mpi_library), printable(job.mpi_io),
                            job.thread_level.empty() ? "" : "thread level " + printable(job.thread_level)},
                           ", "));
  std::string_view title = "settings";
  for (const Setting& setting : report.settings) {
    text += line(title, fmt::format("{}={} ({})", printable(setting.name), printable(setting.value),
                                    printable(setting.origin)));
    title = "";
  }
  return text;
}

std::string layers_text(const Report& report) {
  Table table({{"layer"},
               {"opens", Table::kRight},
               {"reads", Table::kRight},
               {"read", Table::kRight},
               {"in", Table::kRight},
               {"rate", Table::kRight},
               {"writes", Table::kRight},
               {"written", Table::kRight},
               {"in", Table::kRight},
               {"rate", Table::kRight},
               {"other calls", Table::kRight},
               {"errors", Table::kRight}});
  for (const auto& [name, counters] : used_layers(report.layers)) {
    table.row({printable(name), number_text(counters->count("opens")), number_text(counters->count("reads")),
               size_text(counters->count("bytes_read")), time_text(counters->time("read_seconds")),
               rate_of(*counters, "bytes_read", "read_seconds"), number_text(counters->count("writes")),
               size_text(counters->count("bytes_written")), time_text(counters->time("write_seconds")),
               rate_of(*counters, "bytes_written", "write_seconds"),
               time_text(counters->time("meta_seconds")), number_text(counters->count("errors"))});
  }
  if (table.empty()) return "\nNo input or output was seen on watched files.\n";
  return "\nLayers (times are summed over all processes; a rate is that of one process)\n" + table.text();
}

std::string pattern_text(const Family& family) {
  const auto known = [](const std::string& word) { return word == "unknown" ? "" : printable(word); };
  std::string spatiality = known(family.spatiality);
  if (family.stride != 0) {
    spatiality += fmt::format(" ({} every {})", bytes_text(family.block), bytes_text(family.stride));
  }
  // Of the other classes only what is out of the ordinary.
  const auto odd = [](const std::string& word, std::string_view which, const char* text) {
    return word == which ? std::string(text) : "";
  };
  const std::string pattern =
      join({known(family.sharing), spatiality, known(family.calls),
            odd(family.phases, "mixed", "reads and writes in turns"),
            odd(family.opening, "in-loop", "opened in a loop"),
            odd(family.flushing, "each-small-write", "flushed in small pieces"),
            odd(family.metadata, "heavy", "metadata-heavy"), odd(family.alignment, "none", "unaligned")},
           ", ");
  return pattern.empty() ? "-" : pattern;
}

std::string families_text(const Report& report) {
  if (report.families.empty()) return "";
  Table table({{"files", Table::kRight},
               {"new", Table::kRight},
               {"a file", Table::kRight},
               {"request", Table::kRight},
               {"writers", Table::kRight},
               {"layer"},
               {"written", Table::kRight},
               {"rate", Table::kRight},
               {"read", Table::kRight},
               {"rate", Table::kRight},
               {"slowest rank", Table::kRight},
               {"pattern"},
               {"family"}});
  for (const Family& family : report.families) {
    std::vector<std::string> start{number_text(family.files), number_text(family.created),
                                   size_text(family.bytes_per_file), size_text(family.request),
                                   family.ranks > 0 ? fmt::format("{} of {}", family.writers, family.ranks)
                                                    : number_text(family.writers)};
    std::vector<std::string> end{time_text(family.slowest_rank_seconds), pattern_text(family),
                                 printable(family.name)};
    const auto add = [&](std::vector<std::string> middle) {
      std::vector<std::string> cells = start;
      cells.insert(cells.end(), middle.begin(), middle.end());
      cells.insert(cells.end(), end.begin(), end.end());
      table.row(std::move(cells));
      start.assign(start.size(), "");  // a second layer of the same family: its numbers only
      end.assign(end.size(), "");
    };
    const auto layers = used_layers(family.layers);
    bool any = false;
    for (const auto& [name, counters] : layers) {
      if (counters->count("bytes_written") + counters->count("bytes_read") == 0) continue;
      any = true;
      add({printable(name), size_text(counters->count("bytes_written")),
           rate_of(*counters, "bytes_written", "write_seconds"), size_text(counters->count("bytes_read")),
           rate_of(*counters, "bytes_read", "read_seconds")});
    }
    if (!any) add({"-", "-", "-", "-", "-"});
  }
  return "\nFamilies (digits in a name are #)\n" + table.text();
}

std::string advice_text(const Report& report) {
  std::string text;
  for (const Advice& advice : report.advice) {
    text += fmt::format("  {:<9} {}: {}\n", printable(advice.severity), printable(advice.rule),
                        printable(advice.family));
    text += fmt::format("            {}\n", printable(advice.remedy));
    std::vector<std::string> counts;
    for (const auto& [name, value] : advice.counts)
      counts.push_back(fmt::format("{} {}", printable(name), value));
    counts.push_back(seconds_text(advice.seconds) + " over all ranks");
    text += fmt::format("            ({})\n", join(counts, ", "));
  }
  return text.empty() ? "" : "\nAdvice (the worst first)\n" + text;
}

std::string tuning_text(const Report& report) {
  std::string text;
  for (const Tuned& tuned : report.tuning) {
    text += fmt::format("  {}\n", printable(tuned.family));
    Table table({{"stripes", Table::kRight}, {"files", Table::kRight}, {"rate", Table::kRight}, {""}});
    for (const Tuned::Tried& one : tuned.tried) {
      table.row({fmt::format("{}", one.stripes), fmt::format("{}", one.files),
                 rate_text(static_cast<double>(one.bytes_per_second), 1),
                 one.stripes != tuned.best_stripes ? ""
                 : tuned.settled                   ? "best, settled"
                                                   : "best so far"});
    }
    text += table.text();
    text += fmt::format("  {}\n", printable(tuned.reason));
  }
  return text.empty() ? "" : "\nTuning, from file to file\n" + text;
}

std::uint64_t bytes_of(const File& file) {
  std::uint64_t most = 0;
  for (const auto& [_, counters] : file.layers) {
    most = std::max(most, counters.count("bytes_written") + counters.count("bytes_read"));
  }
  return most;
}

bool was_decided(const File& file) {
  return (!file.outcome.status.empty() && file.outcome.status != name(LayoutStatus::kNone)) ||
         !file.outcome.hints.empty();
}

std::string stripes_of(const Stripes& stripes) {
  const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(stripes.count, kAllTargets));
  if (!stripes.components.empty()) return printable(stripes.components);
  return stripes_text(count, stripes.size, stripes.pool);
}

std::string in_parentheses(const std::string& text) { return text.empty() ? "" : " (" + text + ")"; }

std::string file_text(const File& file) {
  const Outcome& outcome = file.outcome;
  std::string text =
      fmt::format("  {}{}\n", printable(file.path), in_parentheses(printable(file.file_system)));
  for (const auto& [name, counters] : used_layers(file.layers)) {
    const std::uint64_t written = counters->count("bytes_written");
    const std::uint64_t read = counters->count("bytes_read");
    const std::string moved =
        join({written == 0 ? ""
                           : fmt::format("written {} ({})", bytes_text(written),
                                         rate_of(*counters, "bytes_written", "write_seconds")),
              read == 0 ? ""
                        : fmt::format("read {} ({})", bytes_text(read),
                                      rate_of(*counters, "bytes_read", "read_seconds"))},
             ", ");
    if (!moved.empty()) text += fmt::format("    {:<9} {}\n", printable(name), moved);
  }
  if (file.unseen_bytes > 0) {
    text += fmt::format("    {:<9} {} by no counted call (a process without the library, or a mapping)\n",
                        "unseen", bytes_text(file.unseen_bytes));
  }
  const bool layout = !outcome.status.empty() && outcome.status != name(LayoutStatus::kNone);
  if (layout) {
    text += fmt::format("    {:<9} {}{}\n", "asked", stripes_of(outcome.asked),
                        in_parentheses(printable(outcome.origin)));
    text += fmt::format("    {:<9} {}\n", "obtained", stripes_of(outcome.obtained));
    std::string status = printable(outcome.status);
    if (outcome.error != 0) {
      const bool small = outcome.error < 4096;  // as the kernel's numbers are
      status += small ? fmt::format(": {}", std::strerror(static_cast<int>(outcome.error)))
                      : fmt::format(": error {}", outcome.error);
    }
    text += fmt::format("    {:<9} {}\n", "layout", status);
  }
  if (!outcome.reason.empty()) text += fmt::format("    {:<9} {}\n", "reason", printable(outcome.reason));
  for (const Hint& hint : outcome.hints) {
    text += fmt::format("    {:<9} {}={}{}\n", "hint", printable(hint.key), printable(hint.value),
                        in_parentheses(join({printable(hint.origin), printable(hint.status)}, ", ")));
  }
  return text;
}

std::string files_text(const Report& report, std::size_t most) {
  std::vector<const File*> files;
  for (const File& file : report.files) files.push_back(&file);
  std::stable_sort(files.begin(), files.end(), [](const File* a, const File* b) {
    if (was_decided(*a) != was_decided(*b)) return was_decided(*a);
    return bytes_of(*a) > bytes_of(*b);
  });
  const std::size_t shown = std::min(most, files.size());
  std::string text;
  if (shown > 0) {
    text += shown == files.size() ? "\nFiles"
                                  : fmt::format("\nFiles, {} of {} (--all shows all)", shown, files.size());
    text += report.job.ranks > 1 ? "; bytes are those of the process that wrote the report\n" : "\n";
  }
  for (std::size_t i = 0; i < shown; ++i) text += file_text(*files[i]);
  if (report.files_omitted > 0) {
    text += fmt::format("{}  {} more counted in {} only\n", text.empty() ? "\nFiles\n" : "",
                        plural(report.files_omitted, "file"),
                        report.files_omitted == 1 ? "its family" : "their families");
  }
  return text;
}

std::string warnings_text(const Report& report) {
  std::string text;
  for (const Warning& warning : report.warnings) {
    text += fmt::format("  {}{}\n", printable(warning.text),
                        warning.count > 1 ? fmt::format(" ({} times)", warning.count) : "");
  }
  return text.empty() ? "" : "\nWarnings\n" + text;
}

std::string rank_times_text(const RankTimes& times) {
  if (times.ranks < 2) return "";
  return fmt::format(
      "\nTime in I/O, of {} ranks: {} on average, rank {} the slowest with {}, rank {} the fastest with {}\n",
      times.ranks, seconds_text(times.mean_seconds), times.slowest.rank, seconds_text(times.slowest.seconds),
      times.fastest.rank, seconds_text(times.fastest.seconds));
}

// The kernel's count of all that the processes read and wrote, beside ours.
std::string kernel_text(const KernelIo& kernel, const Layers& layers) {
  if (kernel.processes == 0) return "";
  std::uint64_t read = 0, written = 0;
  for (const char* layer : {"posix", "stdio"}) {  // what reached the kernel: MPI-IO's own calls are in POSIX
    const auto it = layers.find(layer);
    if (it == layers.end()) continue;
    read += it->second.count("bytes_read");
    written += it->second.count("bytes_written");
  }
  return fmt::format(
      "\nBy the kernel's count, {} read {} and wrote {}, of which {} and {} are counted above; the rest was "
      "not for "
      "watched files (pipes, sockets, other files), or no call that can be seen\n",
      kernel.processes == 1 ? "the process" : fmt::format("the {} processes", kernel.processes),
      bytes_text(kernel.bytes_read), bytes_text(kernel.bytes_written), bytes_text(read), bytes_text(written));
}

// A line of bars a layer and direction: the bandwidth over time, each bar some bins, the highest bar the
// peak.
std::string time_line_text(const TimeLine& line) {
  constexpr std::size_t kBars = 60;
  constexpr std::array<std::string_view, 9> kHeights{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string heading, text;
  for (const auto& [name, bins] : line.bytes) {
    const std::size_t together = (bins.size() + kBars - 1) / kBars;
    std::vector<std::uint64_t> bars((bins.size() + together - 1) / std::max<std::size_t>(together, 1));
    for (std::size_t i = 0; i < bins.size(); ++i) bars[i / together] += bins[i];
    const std::uint64_t most = bars.empty() ? 0 : *std::max_element(bars.begin(), bars.end());
    if (most == 0) continue;
    std::string drawn;
    for (const std::uint64_t bar : bars) {
      const double height = static_cast<double>(bar) / static_cast<double>(most) * (kHeights.size() - 1);
      drawn +=
          kHeights[bar == 0 ? 0 : std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(height)))];
    }
    const std::size_t split = name.find("_bytes_");
    const std::string title = name.substr(0, split) + " " + name.substr(split + 7);
    const double seconds = line.bin_seconds * static_cast<double>(together);
    text += fmt::format("  {:<13} |{}| peak {}\n", printable(title), drawn,
                        rate_text(static_cast<double>(most), seconds));
    if (heading.empty()) {
      heading = fmt::format("\nOver time, from {} on, {} a bar\n", seconds_text(line.start_seconds),
                            seconds_text(seconds));
    }
  }
  return heading + text;
}

}  // namespace

std::string to_text(const Report& report, std::size_t most_files) {
  return job_text(report) + layers_text(report) + kernel_text(report.kernel_io, report.layers) +
         rank_times_text(report.rank_times) + time_line_text(report.time_line) + families_text(report) +
         tuning_text(report) + advice_text(report) + files_text(report, most_files) + warnings_text(report);
}

}  // namespace toto::tools::report
