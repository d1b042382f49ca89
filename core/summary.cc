// SPDX-License-Identifier: BSD-3-Clause
#include "core/summary.h"

#include <algorithm>

#include "core/clock.h"
#include "core/file_systems.h"
#include "core/job_id.h"
#include "core/path.h"

namespace toto {
namespace {

std::uint64_t busy_ns(const FamilySummary& family) {
  std::uint64_t ns = 0;
  for (const Totals& layer : family.layers) {
    ns = std::max(ns, layer[Counter::read_ticks] + layer[Counter::write_ticks] + layer[Counter::meta_ticks]);
  }
  return ns;
}

// The smaller of two hashes, where 0 is none.
std::uint64_t least(std::uint64_t a, std::uint64_t b) {
  if (a == 0 || b == 0) return std::max(a, b);
  return std::min(a, b);
}

// What makes two opens, on whatever rank, those of one file: its name; on a file system of the node's own,
// the node as well.
std::uint64_t place_of(const File& file, std::uint64_t host) {
  const std::uint32_t kind = file.file_system.load(std::memory_order_relaxed);
  const bool own =
      kind != 0 && !kKnownFileSystems[kind - 1].parallel && kKnownFileSystems[kind - 1].name != "nfs";
  return own ? host : kind;
}
std::uint64_t identity_of(const File& file, std::uint64_t host) {
  return file.path_hash ^ place_of(file, host);
}
std::uint64_t inode_of(const File& file, std::uint64_t host) {
  const std::uint64_t inode = file.inode.load(std::memory_order_relaxed);
  if (inode == 0) return identity_of(file, host);
  return path::hash({reinterpret_cast<const char*>(&inode), sizeof inode}) ^ place_of(file, host);
}

bool was_opened(const std::array<Totals, kLayers>& layers) {
  return std::any_of(layers.begin(), layers.end(), [](const Totals& t) { return t[Counter::opens] > 0; });
}

struct Adding {
  Summary* summary;
  clock::Rate rate;
  std::uint64_t host;  // a hash
};

void add_file(File& file, const std::array<Totals, kLayers>& totals, void* context) {
  if (file.scratch) return;
  const auto& adding = *static_cast<const Adding*>(context);
  // Once a process, at its end, on a stack that may be small.
  static constinit FamilySummary one{};
  one = FamilySummary{};
  one.layers = totals;
  for (Totals& layer : one.layers) to_nanoseconds(layer, adding.rate);
  one.mpi_ranks = file.ranks.load(std::memory_order_relaxed);
  one.stripe_size = file.stripe_size.load(std::memory_order_relaxed);
  one.name_file(file.path(), file.folded ? 0 : identity_of(file, adding.host), inode_of(file, adding.host));
  adding.summary->add(one);
}

// Two parts of one rank's family, where merge() is for parts of different ranks.
void join(FamilySummary& into, const FamilySummary& file) {
  into.ranks = std::max(into.ranks, file.ranks);
  into.writers = std::max(into.writers, file.writers);
  into.sum_files = into.most_files = into.most_files + file.most_files;
  into.least_files_sum = into.most_files_sum = into.most_files_sum + file.most_files_sum;
  into.least_inodes_sum = into.most_inodes_sum = into.most_inodes_sum + file.most_inodes_sum;
  into.distinct.merge(file.distinct);
  into.least_folder = least(into.least_folder, file.least_folder);
  into.most_folder = std::max(into.most_folder, file.most_folder);
  into.stripe_size = std::max(into.stripe_size, file.stripe_size);
  into.mpi_ranks = std::max(into.mpi_ranks, file.mpi_ranks);
  for (std::size_t i = 0; i < kLayers; ++i) into.layers[i].merge(file.layers[i]);
}

}  // namespace

void to_nanoseconds(Totals& totals, const clock::Rate& rate) {
  const auto duration = [&rate](std::uint64_t ticks) {
    return static_cast<std::uint64_t>(static_cast<double>(ticks) * rate.ns_per_tick);
  };
  const auto moment = [&](std::uint64_t at) -> std::uint64_t {
    if (at == 0) return 0;
    const std::uint64_t since = at > rate.zero_ticks ? duration(at - rate.zero_ticks) : 0;
    return static_cast<std::uint64_t>(rate.zero_wall_ns) + since;
  };
  for (const Counter counter :
       {Counter::read_ticks, Counter::write_ticks, Counter::meta_ticks, Counter::open_ticks,
        Counter::sync_ticks, Counter::slowest_read_ticks, Counter::slowest_write_ticks}) {
    totals[counter] = duration(totals[counter]);
  }
  for (const Counter counter :
       {Counter::first_open, Counter::first_data, Counter::last_data, Counter::last_close}) {
    totals[counter] = moment(totals[counter]);
  }
}

std::uint64_t FamilySummary::bytes() const {
  std::uint64_t sum = 0;
  for (const Totals& layer : layers) sum += layer[Counter::bytes_read] + layer[Counter::bytes_written];
  return sum;
}

std::uint64_t FamilySummary::files() const {
  if (same_files_everywhere()) return most_files;
  if (ranks <= 1) return sum_files;
  return std::clamp(distinct.count(), most_files, sum_files);
}

void FamilySummary::name_file(std::string_view path, std::uint64_t identity, std::uint64_t inode) {
  const path::Family family = identity == 0 ? path::Family(path) : path::family(path);
  std::copy_n(family.c_str(), family.size(), name.data());
  for (const Totals& layer : layers) {
    if (layer[Counter::bytes_written] > 0) writers = 1;
  }
  // Files that were only looked at (stat, unlink) say nothing about who shares what.
  if (!was_opened(layers)) return;
  ranks = 1;
  if (identity != 0) add_file(identity, path::hash(path::folder(path)), inode);
}

void FamilySummary::add_file(std::uint64_t identity, std::uint64_t in_folder, std::uint64_t inode) {
  sum_files = ++most_files;
  least_files_sum = most_files_sum += identity;
  least_inodes_sum = most_inodes_sum += inode;
  distinct.add(identity);
  least_folder = least(least_folder, in_folder);
  most_folder = std::max(most_folder, in_folder);
}

void FamilySummary::merge(const FamilySummary& other) {
  ranks += other.ranks;
  writers += other.writers;
  most_files = std::max(most_files, other.most_files);
  sum_files += other.sum_files;
  stripe_size = std::max(stripe_size, other.stripe_size);
  mpi_ranks = std::max(mpi_ranks, other.mpi_ranks);
  least_files_sum = least(least_files_sum, other.least_files_sum);
  most_files_sum = std::max(most_files_sum, other.most_files_sum);
  least_inodes_sum = least(least_inodes_sum, other.least_inodes_sum);
  most_inodes_sum = std::max(most_inodes_sum, other.most_inodes_sum);
  distinct.merge(other.distinct);
  least_folder = least(least_folder, other.least_folder);
  most_folder = std::max(most_folder, other.most_folder);
  most_bytes = std::max(most_bytes, other.most_bytes);
  span_ns = std::max(span_ns, other.span_ns);
  if (other.slowest_ns > slowest_ns ||
      (other.slowest_ns == slowest_ns && other.slowest_rank < slowest_rank)) {
    slowest_ns = other.slowest_ns;
    slowest_rank = other.slowest_rank;
  }
  for (std::size_t i = 0; i < kLayers; ++i) layers[i].merge(other.layers[i]);
}

void RankTimes::add(std::uint64_t rank, std::uint64_t ns) {
  merge(RankTimes{.ranks = 1,
                  .sum_ns = ns,
                  .slowest_ns = ns,
                  .slowest_rank = rank,
                  .fastest_ns = ns,
                  .fastest_rank = rank});
}

void RankTimes::merge(const RankTimes& other) {
  if (other.ranks == 0) return;
  if (ranks == 0) {
    *this = other;
    return;
  }
  ranks += other.ranks;
  sum_ns += other.sum_ns;
  if (other.slowest_ns > slowest_ns) {
    slowest_ns = other.slowest_ns;
    slowest_rank = other.slowest_rank;
  }
  if (other.fastest_ns < fastest_ns) {
    fastest_ns = other.fastest_ns;
    fastest_rank = other.fastest_rank;
  }
}

void Summary::add(const FamilySummary& family) {
  for (std::size_t i = 0; i < count; ++i) {
    if (families[i].name_view() == family.name_view()) {
      join(families[i], family);
      return;
    }
  }
  if (count < kFamilies) {
    families[count++] = family;
    return;
  }
  // Full: the lightest gives way, so that the heaviest keep their own line.
  FamilySummary* lightest = &*std::min_element(
      families.begin(), families.end(), [](const auto& a, const auto& b) { return a.bytes() < b.bytes(); });
  if (lightest->bytes() >= family.bytes()) {
    folded.add(path::hash(family.name_view()));
    join(rest, family);
  } else {
    folded.add(path::hash(lightest->name_view()));
    join(rest, *lightest);
    *lightest = family;
  }
}

void Summary::merge(const Summary& other) {
  processes += other.processes;
  rank_times.merge(other.rank_times);
  kernel_io.merge(other.kernel_io);
  time_line.merge(other.time_line);
  folded.merge(other.folded);
  for (std::size_t i = 0; i < kLayers; ++i) layers[i].merge(other.layers[i]);
  rest.merge(other.rest);
  for (std::size_t i = 0; i < other.count; ++i) {
    const FamilySummary& theirs = other.families[i];
    FamilySummary* mine = nullptr;
    for (std::size_t k = 0; k < count; ++k) {
      if (families[k].name_view() == theirs.name_view()) mine = &families[k];
    }
    if (mine != nullptr) {
      mine->merge(theirs);
    } else if (count < kFamilies) {
      families[count++] = theirs;
    } else {
      FamilySummary* lightest =
          &*std::min_element(families.begin(), families.end(),
                             [](const auto& a, const auto& b) { return a.bytes() < b.bytes(); });
      if (lightest->bytes() >= theirs.bytes()) {
        folded.add(path::hash(theirs.name_view()));
        rest.merge(theirs);
      } else {
        folded.add(path::hash(lightest->name_view()));
        rest.merge(*lightest);
        *lightest = theirs;
      }
    }
  }
}

std::uint64_t Summary::end_rank(std::uint64_t rank) {
  std::uint64_t busy = busy_ns(rest);
  for (std::size_t i = 0; i < count; ++i) {
    FamilySummary& family = families[i];
    family.slowest_ns = busy_ns(family);
    family.slowest_rank = rank;
    family.most_bytes = family.bytes();
    busy += family.slowest_ns;
    for (std::size_t k = 0; k < kLayers; ++k) layers[k].merge(family.layers[k]);
  }
  for (std::size_t k = 0; k < kLayers; ++k) layers[k].merge(rest.layers[k]);
  return busy;
}

void Summary::of_area(Area& area, bool same_boot, Summary& out) {
  out.processes = area.processes.load(std::memory_order_relaxed);
  Adding adding{.summary = &out, .rate = area.rate(same_boot), .host = path::hash(host_name())};
  area.for_each(add_file, &adding);
  out.time_line.add(area.time_line, adding.rate);
  out.kernel_io = area.kernel_io.load();
  const std::uint64_t busy = out.end_rank(static_cast<std::uint64_t>(std::max(0, area.who.rank)));
  if (area.who.rank >= 0) out.rank_times.add(static_cast<std::uint64_t>(area.who.rank), busy);
}

}  // namespace toto
