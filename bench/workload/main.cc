// SPDX-License-Identifier: BSD-3-Clause
// toto-workload: writes and reads files as IOR does, with IOR's options: the load of the study and of tests.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "bench/workload/file.h"
#include "bench/workload/options.h"
#include "bench/workload/summary.h"

namespace workload {
namespace {

struct World {
  int rank = 0, ranks = 1;
};

// What byte `at` of a file is, so that each place can be told from each other.
std::byte byte_at(std::int64_t at) {
  const auto x = static_cast<std::uint64_t>(at / 8) * 0x9e37'79b9'7f4a'7c15U;
  return static_cast<std::byte>(x >> (8 * (at % 8)));
}
void fill(std::int64_t offset, std::span<std::byte> data) {
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = byte_at(offset + static_cast<std::int64_t>(i));
}

std::string path_of(const Options& options, int rank, int repetition) {
  std::string path = options.file;
  char text[32];
  if (options.file_per_process) {
    std::snprintf(text, sizeof text, ".%08d", rank);
    path += text;
  }
  if (options.keep_between) path += '.' + std::to_string(repetition);
  return path;
}

std::vector<std::int64_t> order_of(const Options& options, const Layout& layout, int rank) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(layout.transfers()));
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 random(static_cast<std::uint64_t>(rank) + 1);
  if (options.random_order) std::shuffle(order.begin(), order.end(), random);
  return order;
}

// First rank's begin to last rank's end.
double span_of(double begin, double end) {
  double first = 0, last = 0;
  MPI_Allreduce(&begin, &first, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(&end, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return last - first;
}

Phase run_phase(const Options& options, const World& world, int repetition, bool write) {
  // The rank whose data this one moves.
  const int as = !write && options.reorder ? (world.rank + 1) % world.ranks : world.rank;
  const bool own_file = options.file_per_process;
  const Layout layout{.block = options.block,
                      .transfer = options.transfer,
                      .segments = options.segments,
                      .rank = own_file ? 0 : as,
                      .ranks = own_file ? 1 : world.ranks};
  const std::string path = path_of(options, as, repetition);
  const std::vector<std::int64_t> order = order_of(options, layout, as);
  std::vector<std::byte> data(static_cast<std::size_t>(options.transfer)), expected(data);
  fill(0, data);
  if (write && (own_file || world.rank == 0)) remove(options, path);

  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  const auto file = open(options, path, layout, write);
  const double opened = MPI_Wtime();
  if (options.barriers) MPI_Barrier(MPI_COMM_WORLD);
  const double ready = MPI_Wtime();
  for (const std::int64_t n : order) {
    const std::int64_t offset = layout.offset(n);
    // Checked contents tell places apart; else filling would be measured, too.
    if (write && options.check_read) fill(offset, data);
    if (write) {
      file->write(n, data);
    } else {
      file->read(n, data);
      if (options.check_read) {
        fill(offset, expected);
        if (data != expected) give_up(path + ": wrong contents in the transfer at " + std::to_string(offset));
      }
    }
  }
  if (write && options.sync) file->sync();
  const double moved = MPI_Wtime();
  if (options.barriers) MPI_Barrier(MPI_COMM_WORLD);
  const double closing = MPI_Wtime();
  file->close();
  const double end = MPI_Wtime();

  Phase phase;
  phase.write = write;
  phase.repetition = repetition;
  phase.open = span_of(begin, opened);
  phase.transfer = span_of(ready, moved);
  phase.close = span_of(closing, end);
  phase.total = span_of(begin, end);
  const double one = (moved - ready) / static_cast<double>(order.size());
  MPI_Allreduce(&one, &phase.latency, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  phase.transfers = static_cast<double>(layout.transfers()) * world.ranks;
  phase.bytes = phase.transfers * static_cast<double>(options.transfer);
  return phase;
}

void take_away(const Options& options, const World& world, int repetition) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (options.file_per_process || world.rank == 0) remove(options, path_of(options, world.rank, repetition));
}

int run(int argc, char** argv) {
  World world;
  MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
  Options options;
  bool help = false;
  try {
    options = parse(argc, argv, help);
  } catch (const std::invalid_argument& error) {
    if (world.rank == 0) std::fprintf(stderr, "toto-workload: %s\n%s", error.what(), usage().c_str());
    return 2;
  }
  if (help) {
    if (world.rank == 0) std::fputs(usage().c_str(), stdout);
    return 0;
  }
  Run results;
  results.ranks = world.ranks;
  for (int i = 0; i < argc; ++i) results.command += (i > 0 ? " " : "") + std::string(argv[i]);
  for (int i = 0; i < options.repetitions; ++i) {
    if (i > 0 && options.think_seconds > 0) ::sleep(static_cast<unsigned>(options.think_seconds));
    for (const bool write : {true, false}) {
      if (write ? options.write : options.read) results.phases.push_back(run_phase(options, world, i, write));
    }
    if (!options.keep && (options.keep_between || i + 1 == options.repetitions))
      take_away(options, world, i);
  }
  if (world.rank != 0) return 0;
  print_table(options, results);
  const int error = options.summary.empty() ? 0 : write_summary(options, results);
  if (error != 0)
    std::fprintf(stderr, "toto-workload: -O summaryFile: %s: %s\n", options.summary.c_str(), std::strerror(error));
  return error == 0 ? 0 : 1;
}

}  // namespace
}  // namespace workload

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int code = workload::run(argc, argv);
  MPI_Finalize();
  return code;
}
