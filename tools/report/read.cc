// SPDX-License-Identifier: BSD-3-Clause
#include "tools/report/read.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/sys.h"
#include "tools/failure.h"
#include "tools/units.h"

namespace toto::tools::report {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostBytes = 1U << 30;
constexpr int kMostDepth = 32;  // a report is 6 deep
constexpr std::size_t kShownText = 40;

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw Failure(kExitFailure, fmt::format("{}: {}", printable(name), what));
}

std::string read_text(const std::string& path) {
  const bool standard_input = path == "-";
  const sys::Fd file(standard_input ? sys::openat(AT_FDCWD, "/proc/self/fd/0", O_RDONLY | O_CLOEXEC)
                                    : sys::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.ok()) fail(path, std::strerror(errno));
  struct stat info {};
  if (::fstat(file.get(), &info) == 0 && S_ISDIR(info.st_mode)) fail(path, "is a folder, not a report");
  std::string text;
  std::array<char, 1U << 16> buffer{};
  while (true) {
    const ssize_t got = sys::read(file.get(), buffer.data(), buffer.size());
    if (got < 0) fail(path, std::strerror(errno));
    if (got == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    if (start != std::string::npos && text[start] != '{')
      fail(path, "no report: the file does not hold a JSON object");
    if (text.size() > kMostBytes) fail(path, "no report: larger than 1 GiB");
  }
}

// A value and where it is in the document ("files[3].outcome"), with the checks on the way down.
class Node {
 public:
  Node(const ordered_json& value, std::string where, const std::string& name)
      : value_(&value), where_(std::move(where)), name_(&name) {}

  [[noreturn]] void wrong(std::string_view expected) const {
    fail(*name_, fmt::format("{}: expected {}, found {}", where_.empty() ? "the document" : where_, expected,
                             found()));
  }
  [[nodiscard]] Node at(const std::string& key) const {
    if (!value_->is_object()) wrong("an object");
    const auto it = value_->find(key);
    if (it == value_->end()) {
      fail(*name_, fmt::format("{} is missing", where_.empty() ? key : where_ + "." + key));
    }
    return child(*it, key);
  }
  // visit(node) where there is such a field.
  template <class Visit>
  void optional(const std::string& key, Visit visit) const {
    if (!value_->is_object()) wrong("an object");
    if (const auto it = value_->find(key); it != value_->end()) visit(child(*it, key));
  }
  void optional_text(const std::string& key, std::string& into) const {
    optional(key, [&](const Node& node) { into = node.text(); });
  }
  void optional_whole(const std::string& key, std::uint64_t& into) const {
    optional(key, [&](const Node& node) { into = node.whole(); });
  }
  template <class Visit>
  void each_element(Visit visit) const {
    if (!value_->is_array()) wrong("a list");
    std::size_t index = 0;
    for (const ordered_json& element : *value_) {
      visit(Node(element, fmt::format("{}[{}]", where_, index++), *name_));
    }
  }
  template <class Visit>
  void each_field(Visit visit) const {
    if (!value_->is_object()) wrong("an object");
    for (auto it = value_->begin(); it != value_->end(); ++it) visit(it.key(), child(it.value(), it.key()));
  }
  [[nodiscard]] std::string text() const {
    if (!value_->is_string()) wrong("a text");
    return value_->get<std::string>();
  }
  [[nodiscard]] bool flag() const {
    if (!value_->is_boolean()) wrong("true or false");
    return value_->get<bool>();
  }
  [[nodiscard]] double number() const {
    if (!value_->is_number()) wrong("a number");
    const auto number = value_->get<double>();
    if (!std::isfinite(number) || number < 0) wrong("a number that is not negative");
    return number;
  }
  [[nodiscard]] std::uint64_t whole() const {
    if (value_->is_number_unsigned()) return value_->get<std::uint64_t>();
    if (value_->is_number_integer() && value_->get<std::int64_t>() >= 0) return value_->get<std::uint64_t>();
    if (value_->is_number_float()) {  // also what is beyond 64 bits
      const auto number = value_->get<double>();
      constexpr double kExact = 9007199254740992.0;  // 2^53
      if (number >= 0 && number <= kExact && std::floor(number) == number)
        return static_cast<std::uint64_t>(number);
    }
    wrong("a whole number of at most 64 bits");
  }

 private:
  [[nodiscard]] Node child(const ordered_json& value, const std::string& key) const {
    const std::string shown = printable(key.substr(0, kShownText));
    return {value, where_.empty() ? shown : where_ + "." + shown, *name_};
  }
  [[nodiscard]] std::string found() const {
    if (value_->is_object()) return "an object";
    if (value_->is_array()) return "a list";
    if (value_->is_string()) {
      const auto& text = value_->get_ref<const std::string&>();
      return fmt::format("\"{}{}\"", printable(text.substr(0, kShownText)),
                         text.size() > kShownText ? "..." : "");
    }
    return value_->dump();
  }

  const ordered_json* value_;
  std::string where_;
  const std::string* name_;
};

std::vector<SizeBin> read_bins(const Node& node) {
  std::vector<SizeBin> bins;
  node.each_element([&](const Node& bin) {
    bins.push_back({.up_to = bin.at("up_to").whole(), .count = bin.at("count").whole()});
  });
  return bins;
}

Layers read_layers(const Node& node) {
  Layers layers;
  node.each_field([&](const std::string& layer, const Node& fields) {
    Counters& counters = layers[layer];
    fields.each_field([&](const std::string& counter, const Node& value) {
      if (counter == "read_sizes") {
        counters.read_sizes = read_bins(value);
      } else if (counter == "write_sizes") {
        counters.write_sizes = read_bins(value);
      } else if (counter.ends_with("_seconds")) {
        counters.seconds[counter] = value.number();
      } else {
        counters.counts[counter] = value.whole();
      }
    });
  });
  return layers;
}

Job read_job(const Node& node) {
  Job job;
  node.optional_text("id", job.id);
  node.optional_text("program", job.program);
  node.optional_text("host", job.host);
  node.optional_text("start", job.start);
  node.optional_text("mpi_library", job.mpi_library);
  node.optional_text("mpi_io", job.mpi_io);
  node.optional_text("thread_level", job.thread_level);
  node.optional_whole("ranks", job.ranks);
  node.optional_whole("nodes", job.nodes);
  node.optional_whole("processes", job.processes);
  node.optional("seconds", [&](const Node& seconds) { job.seconds = seconds.number(); });
  node.optional("command", [&](const Node& words) {
    words.each_element([&](const Node& word) { job.command.push_back(word.text()); });
  });
  return job;
}

Family read_family(const Node& node) {
  Family family;
  family.name = node.at("name").text();
  node.optional_text("sharing", family.sharing);
  node.optional_text("spatiality", family.spatiality);
  node.optional_text("calls", family.calls);
  node.optional_whole("files", family.files);
  node.optional_whole("created", family.created);
  node.optional_whole("ranks", family.ranks);
  node.optional_whole("writers", family.writers);
  node.optional_whole("bytes_per_file", family.bytes_per_file);
  node.optional_whole("request", family.request);
  node.optional_text("phases", family.phases);
  node.optional_text("opening", family.opening);
  node.optional_text("flushing", family.flushing);
  node.optional_text("metadata", family.metadata);
  node.optional_text("alignment", family.alignment);
  node.optional("evidence", [&](const Node& evidence) {
    evidence.optional_whole("stride", family.stride);
    evidence.optional_whole("block", family.block);
  });
  node.optional("slowest_rank_seconds",
                [&](const Node& time) { family.slowest_rank_seconds = time.number(); });
  node.optional("layers", [&](const Node& layers) { family.layers = read_layers(layers); });
  return family;
}

Tuned read_tuned(const Node& node) {
  Tuned tuned;
  tuned.family = node.at("family").text();
  tuned.reason = node.at("reason").text();
  tuned.best_stripes = node.at("best_stripes").whole();
  tuned.settled = node.at("settled").flag();
  node.at("tried").each_element([&](const Node& one) {
    tuned.tried.push_back({.stripes = one.at("stripes").whole(),
                           .files = one.at("files").whole(),
                           .bytes_per_second = one.at("bytes_per_second").whole()});
  });
  return tuned;
}

Advice read_advice(const Node& node) {
  Advice advice;
  advice.rule = node.at("rule").text();
  advice.severity = node.at("severity").text();
  advice.family = node.at("family").text();
  advice.remedy = node.at("remedy").text();
  advice.seconds = node.at("seconds").number();
  node.at("counts").each_field(
      [&](const std::string& name, const Node& value) { advice.counts[name] = value.whole(); });
  return advice;
}

Stripes read_stripes(const Node& node) {
  Stripes stripes;
  node.optional_whole("stripe_count", stripes.count);
  node.optional_whole("stripe_size", stripes.size);
  node.optional_text("pool", stripes.pool);
  node.optional_text("components", stripes.components);
  return stripes;
}

Outcome read_outcome(const Node& node) {
  Outcome outcome;
  outcome.status = node.at("status").text();
  node.optional("asked", [&](const Node& asked) { outcome.asked = read_stripes(asked); });
  node.optional("obtained", [&](const Node& obtained) { outcome.obtained = read_stripes(obtained); });
  node.optional_text("origin", outcome.origin);
  node.optional_text("reason", outcome.reason);
  node.optional_whole("error", outcome.error);
  node.optional("hints", [&](const Node& hints) {
    hints.each_element([&](const Node& hint) {
      Hint one;
      one.key = hint.at("key").text();
      one.value = hint.at("value").text();
      hint.optional_text("origin", one.origin);
      hint.optional_text("status", one.status);
      outcome.hints.push_back(std::move(one));
    });
  });
  return outcome;
}

File read_file(const Node& node) {
  File file;
  file.path = node.at("path").text();
  node.optional_text("family", file.family);
  node.optional_text("file_system", file.file_system);
  node.optional_whole("unseen_bytes", file.unseen_bytes);
  node.optional("layers", [&](const Node& layers) { file.layers = read_layers(layers); });
  node.optional("outcome", [&](const Node& outcome) { file.outcome = read_outcome(outcome); });
  return file;
}

RankTimes read_rank_times(const Node& node) {
  const auto one = [](const Node& from) {
    return RankTime{.rank = from.at("rank").whole(), .seconds = from.at("seconds").number()};
  };
  return {.ranks = node.at("ranks").whole(),
          .mean_seconds = node.at("mean_seconds").number(),
          .slowest = one(node.at("slowest")),
          .fastest = one(node.at("fastest"))};
}

TimeLine read_time_line(const Node& node) {
  TimeLine line;
  line.start_seconds = node.at("start_seconds").number();
  line.bin_seconds = node.at("bin_seconds").number();
  node.each_field([&](const std::string& name, const Node& field) {
    if (name.find("_bytes_") == std::string::npos) return;
    std::vector<std::uint64_t>& bins = line.bytes[name];
    field.each_element([&](const Node& bin) { bins.push_back(bin.whole()); });
  });
  return line;
}

}  // namespace

std::uint64_t Counters::count(const std::string& name) const {
  const auto it = counts.find(name);
  return it == counts.end() ? 0 : it->second;
}

double Counters::time(const std::string& name) const {
  const auto it = seconds.find(name);
  return it == seconds.end() ? 0 : it->second;
}

ordered_json load(const std::string& path) {
  const std::string text = read_text(path);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) fail(path, "no report: the file is empty");
  const auto not_too_deep = [&](int depth, ordered_json::parse_event_t, ordered_json&) {
    if (depth > kMostDepth) fail(path, fmt::format("no report: nested more than {} deep", kMostDepth));
    return true;
  };
  try {
    return ordered_json::parse(text, not_too_deep);
  } catch (const ordered_json::parse_error& error) {
    if (error.byte > text.size()) fail(path, "the file ends in the middle of the report: it was cut off");
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(error.byte), '\n');
    fail(path, fmt::format("no valid JSON at line {} (byte {})", line, error.byte));
  } catch (const ordered_json::exception&) {
    fail(path, "no valid JSON: a number is too large");
  }
}

Report read(const ordered_json& document, const std::string& name) {
  const Node root(document, "", name);
  if (!document.is_object() || !document.contains("report_version")) {
    fail(name, "no report: report_version is missing");
  }
  if (const std::uint64_t version = root.at("report_version").whole(); version != kVersion) {
    fail(name, fmt::format("a report of version {}; this toto reads version {}", version, kVersion));
  }
  Report report;
  root.optional_text("toto_version", report.toto_version);
  root.optional("partial", [&](const Node& partial) { report.partial = partial.flag(); });
  report.job = read_job(root.at("job"));
  report.layers = read_layers(root.at("layers"));
  root.optional("settings", [&](const Node& settings) {
    settings.each_element([&](const Node& node) {
      Setting setting;
      setting.name = node.at("name").text();
      setting.value = node.at("value").text();
      node.optional_text("origin", setting.origin);
      report.settings.push_back(std::move(setting));
    });
  });
  root.optional("rank_times", [&](const Node& times) { report.rank_times = read_rank_times(times); });
  root.optional("kernel_io", [&](const Node& io) {
    io.optional_whole("processes", report.kernel_io.processes);
#define TOTO_X(name, from) io.optional_whole(#name, report.kernel_io.name);
    TOTO_KERNEL_IO(TOTO_X)
#undef TOTO_X
  });
  root.optional("time_line", [&](const Node& line) { report.time_line = read_time_line(line); });
  root.at("families").each_element([&](const Node& node) { report.families.push_back(read_family(node)); });
  root.optional("tuning", [&](const Node& tuning) {
    tuning.each_element([&](const Node& node) { report.tuning.push_back(read_tuned(node)); });
  });
  root.optional("advice", [&](const Node& advice) {
    advice.each_element([&](const Node& node) { report.advice.push_back(read_advice(node)); });
  });
  root.at("files").each_element([&](const Node& node) { report.files.push_back(read_file(node)); });
  root.optional_whole("files_omitted", report.files_omitted);
  root.optional("warnings", [&](const Node& warnings) {
    warnings.each_element([&](const Node& node) {
      Warning warning;
      warning.text = node.at("text").text();
      node.optional_whole("count", warning.count);
      report.warnings.push_back(std::move(warning));
    });
  });
  return report;
}

}  // namespace toto::tools::report
