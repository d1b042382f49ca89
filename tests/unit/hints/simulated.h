// SPDX-License-Identifier: BSD-3-Clause
// Ranks that access files, without files: what each does is counted by the library's own code for a call
// (posix/record.h), into shards as in an area, and added up as a report's summary is.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/path.h"
#include "core/summary.h"
#include "posix/record.h"

namespace toto::hints {

inline constexpr std::uint64_t kMicro = 1000;  // ticks are nanoseconds here

class Rank;

// One open file of one rank, from its open to its close.
class Open {
 public:
  Open(Rank& rank, const std::string& path, Layer layer, bool by_mpi);

  // Data calls at an offset, each `took` long.
  Open& write(std::uint64_t offset, std::uint64_t bytes, std::uint64_t took = 10 * kMicro) {
    return data<posix::Access::kWrite>(offset, bytes, took);
  }
  Open& read(std::uint64_t offset, std::uint64_t bytes, std::uint64_t took = 10 * kMicro) {
    return data<posix::Access::kRead>(offset, bytes, took);
  }
  // Calls without data.
  Open& count(Counter counter, std::uint64_t took = 10 * kMicro);
  Open& close(std::uint64_t took = 10 * kMicro) { return count(Counter::closes, took); }
  // Appends: where the last write ended.
  Open& append(std::uint64_t bytes, std::uint64_t took = 10 * kMicro) {
    return write(description_->last_end.load(), bytes, took);
  }
  // The same file, as a library writes it that did not open it itself.
  Open below(Layer layer) const {
    Open open = *this;
    open.layer_ = layer;
    return open;
  }
  // Calls of MPI-IO, whose POSIX calls are made by write() and read().
  Open& mpi(Counter kind, bool writes, std::uint64_t bytes, std::uint64_t took = 10 * kMicro);

 private:
  template <posix::Access kind>
  Open& data(std::uint64_t offset, std::uint64_t bytes, std::uint64_t took);

  Rank* rank_;
  std::string path_;
  Layer layer_;
  std::shared_ptr<posix::Description> description_ = std::make_shared<posix::Description>();
};

class Rank {
 public:
  explicit Rank(std::uint64_t its_number) : number(its_number) {}

  Open open(const std::string& path, Layer layer = Layer::kPosix) { return {*this, path, layer, false}; }
  // The descriptor that MPI-IO has of a file that `ranks` opened together.
  Open open_by_mpi(const std::string& path, std::uint32_t ranks) {
    file(path).ranks = ranks;
    ++shard(path, Layer::kMpiIo).counters[Counter::opens];
    return {*this, path, Layer::kPosix, true};
  }
  void unlink(const std::string& path) { ++shard(path, Layer::kPosix).counters[Counter::unlinks]; }
  void create(const std::string& path, Layer layer = Layer::kPosix) {
    ++shard(path, layer).counters[Counter::creates];
  }

  File& file(const std::string& path) { return *slot(path).file; }
  Shard& shard(const std::string& path, Layer layer) {
    return slot(path).shards[static_cast<std::size_t>(layer)];
  }

  // As Summary::of_area() makes it of the registry.
  void summarize(Summary& out) const;

  std::uint64_t number;
  std::uint64_t now = 1;

 private:
  struct Slot {
    std::unique_ptr<File> file = std::make_unique<File>();
    std::unique_ptr<Shard[]> shards = std::make_unique<Shard[]>(kLayers);
  };
  Slot& slot(const std::string& path) { return slots_[path]; }

  std::map<std::string, Slot> slots_;
};

inline Open::Open(Rank& rank, const std::string& path, Layer layer, bool by_mpi)
    : rank_(&rank), path_(path), layer_(layer) {
  description_->file = &rank.file(path);
  description_->state = by_mpi ? posix::Description::kByMpi : 0;
  Counters& counters = rank.shard(path, layer).counters;
  ++counters[Counter::opens];
  counters[Counter::meta_ticks] += 10 * kMicro;
  counters[Counter::open_ticks] += 10 * kMicro;
}

template <posix::Access kind>
Open& Open::data(std::uint64_t offset, std::uint64_t bytes, std::uint64_t took) {
  const std::uint64_t started = rank_->now;
  rank_->now += took;
  posix::note_data<kind, Owned>(*description_, rank_->shard(path_, layer_), offset, bytes, started,
                                rank_->now);
  return *this;
}

inline Open& Open::count(Counter counter, std::uint64_t took) {
  Counters& counters = rank_->shard(path_, layer_).counters;
  ++counters[counter];
  counters[Counter::meta_ticks] += took;
  if (counter == Counter::closes) counters[Counter::open_ticks] += took;
  if (counter == Counter::syncs || counter == Counter::flushes) counters[Counter::sync_ticks] += took;
  return *this;
}

inline Open& Open::mpi(Counter kind, bool writes, std::uint64_t bytes, std::uint64_t took) {
  Counters& counters = rank_->shard(path_, Layer::kMpiIo).counters;
  ++counters[kind];
  ++counters[writes ? Counter::writes : Counter::reads];
  counters[writes ? Counter::bytes_written : Counter::bytes_read] += bytes;
  counters[writes ? Counter::write_ticks : Counter::read_ticks] += took;
  return *this;
}

inline void Rank::summarize(Summary& out) const {
  out.processes = 1;
  for (const auto& [path, slot] : slots_) {
    FamilySummary file;
    for (std::size_t i = 0; i < kLayers; ++i) slot.shards[i].counters.read_into(file.layers[i]);
    file.mpi_ranks = slot.file->ranks;
    file.stripe_size = slot.file->stripe_size;
    file.name_file(path, path::hash(path), path::hash(path));
    out.add(file);
  }
  out.end_rank(number);
}

// What `ranks` ranks do, added up; `order` is the order of the merges (a permutation; empty: as numbered).
inline std::unique_ptr<Summary> simulate(std::uint64_t ranks, const std::function<void(Rank&)>& program,
                                         const std::vector<std::uint64_t>& order = {}) {
  auto all = std::make_unique<Summary>();
  for (std::uint64_t i = 0; i < ranks; ++i) {
    Rank rank(order.empty() ? i : order[i]);
    program(rank);
    const auto one = std::make_unique<Summary>();
    rank.summarize(*one);
    all->merge(*one);
  }
  return all;
}

}  // namespace toto::hints
