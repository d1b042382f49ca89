// SPDX-License-Identifier: BSD-3-Clause
// A report of a job, read from its JSON file (docs/report.schema.json) into plain values. What is wrong with
// a file is one Failure that names the file, the place in it and what was expected; fields that this version
// does not know are left alone.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/kernel_io.h"

namespace toto::tools::report {

inline constexpr std::uint64_t kVersion = 1;

struct SizeBin {
  std::uint64_t up_to = 0;  // 0: all that is larger
  std::uint64_t count = 0;
};

// The counters of one layer, by their names in the report; those that are 0 are absent.
struct Counters {
  std::map<std::string, std::uint64_t> counts;
  std::map<std::string, double> seconds;  // names that end in _seconds
  std::vector<SizeBin> read_sizes, write_sizes;

  [[nodiscard]] std::uint64_t count(const std::string& name) const;
  [[nodiscard]] double time(const std::string& name) const;
  [[nodiscard]] bool empty() const { return counts.empty() && seconds.empty(); }
};
using Layers = std::map<std::string, Counters>;  // "posix", "stdio", "mpiio"

struct Job {
  std::string id, program, host, start, mpi_library, mpi_io, thread_level;
  std::vector<std::string> command;
  double seconds = 0;
  std::uint64_t ranks = 0, nodes = 0, processes = 0;
};

struct Setting {
  std::string name, value, origin;
};

struct Family {
  std::string name, sharing, spatiality, calls;
  std::uint64_t files = 0, created = 0, ranks = 0, writers = 0, bytes_per_file = 0, request = 0;
  std::string phases, opening, flushing, metadata, alignment;
  std::uint64_t stride = 0, block = 0;
  double slowest_rank_seconds = 0;
  Layers layers;
};

struct Tuned {
  struct Tried {
    std::uint64_t stripes = 0, files = 0, bytes_per_second = 0;
  };
  std::string family, reason;
  std::uint64_t best_stripes = 0;
  bool settled = false;
  std::vector<Tried> tried;
};

struct Advice {
  std::string rule, severity, family, remedy;
  std::map<std::string, std::uint64_t> counts;
  double seconds = 0;
};

struct Stripes {
  std::uint64_t count = 0, size = 0;
  std::string pool;
  std::string components;
};

struct Hint {
  std::string key, value, origin, status;
};

struct Outcome {
  Stripes asked, obtained;
  std::string origin, status, reason;
  std::uint64_t error = 0;
  std::vector<Hint> hints;
};

struct File {
  std::string path, family, file_system;
  std::uint64_t unseen_bytes = 0;
  Layers layers;
  Outcome outcome;
};

struct RankTime {
  std::uint64_t rank = 0;
  double seconds = 0;
};

struct RankTimes {
  std::uint64_t ranks = 0;  // 0: not told
  double mean_seconds = 0;
  RankTime slowest, fastest;
};

// Bytes a bin, by "posix_bytes_written" and its like.
struct TimeLine {
  double start_seconds = 0, bin_seconds = 0;
  std::map<std::string, std::vector<std::uint64_t>> bytes;
};

struct Warning {
  std::string text;
  std::uint64_t count = 0;
};

struct Report {
  std::string toto_version;
  bool partial = false;
  Job job;
  std::vector<Setting> settings;
  Layers layers;
  RankTimes rank_times;
  KernelIo kernel_io;
  TimeLine time_line;
  std::vector<Family> families;
  std::vector<Tuned> tuning;
  std::vector<Advice> advice;
  std::vector<File> files;
  std::uint64_t files_omitted = 0;
  std::vector<Warning> warnings;
};

// The file's JSON, whole and well formed ("-": standard input).
[[nodiscard]] nlohmann::ordered_json load(const std::string& path);

// Checks it against version 1; `name` is the file's name for messages.
[[nodiscard]] Report read(const nlohmann::ordered_json& document, const std::string& name);

}  // namespace toto::tools::report
