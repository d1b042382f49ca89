// SPDX-License-Identifier: BSD-3-Clause
#include "hints/classify.h"

#include <algorithm>

#include "hints/measure.h"

namespace toto::hints {
namespace {

// Of the accesses that follow another one: this many in ten make the pattern. The last element of a row or
// the header of a file are other than the rest, and no pattern is pure.
constexpr std::uint64_t kMostOfTen = 7;

// Of ten accesses, starts at or behind the last end: so many are no chance (random ones have five).
constexpr std::uint64_t kForwardOfTen = 9;

// Blocks of more accesses than this are as good as contiguous.
constexpr std::uint64_t kLongBlock = 20;

// Files of all ranks, added up, per distinct file: 1 where each has its own, 2 and more where they are
// shared. Below 4/3 most have their own; the sketch's error of 13 % is half the distance from either.
constexpr std::uint64_t kOwnOfHundred = 75;

// What happens this often to one file is a loop, whatever the program calls it.
constexpr std::uint64_t kLoop = 100;

// What is flushed in pieces of less does not fill a request of the file system (64 KiB is the smallest stripe
// of Lustre and BeeGFS).
constexpr std::uint64_t kSmallFlush = 64 * 1024;

std::uint64_t consecutive(const Totals& t) {
  return t[Counter::reads_consecutive] + t[Counter::writes_consecutive];
}
std::uint64_t sequential(const Totals& t) {
  return t[Counter::reads_sequential] + t[Counter::writes_sequential];
}
std::uint64_t strided(const Totals& t) { return t[Counter::reads_strided] + t[Counter::writes_strided]; }

bool flushes_each(std::uint64_t flushes, const Totals& t) {
  return flushes >= kLoop && flushes * 2 >= t[Counter::writes] &&
         t[Counter::bytes_written] < flushes * kSmallFlush;
}

// Small writes one after the other: what a buffer of any size would have made few of.
bool writes_unbuffered(const FamilySummary& family) {
  const Totals& posix = layer(family, Layer::kPosix);
  const std::uint64_t writes = posix[Counter::writes];
  return writes >= kLoop && posix[Counter::mpi_writes] == 0 &&
         writes >= 4 * most_of(family, Counter::opens) &&
         no_larger(posix.write_sizes, kTinyWrite) * 10 >= writes * 9 &&
         posix[Counter::writes_consecutive] * 10 >= writes * 9;
}

}  // namespace

Sharing sharing_of(const FamilySummary& family) {
  if (family.ranks == 0) return Sharing::kUnknown;
  // The other ranks of a file opened by MPI need not be added up here.
  if (family.ranks == 1) return family.mpi_ranks > 1 ? Sharing::kShared : Sharing::kSerial;
  if (family.sum_files == 0) return Sharing::kUnknown;  // all were folded for want of room
  // One rank had files of it with a name, the others only folded ones: nothing to compare.
  if (family.same_files_everywhere()) {
    return family.sum_files > family.most_files || family.mpi_ranks > 1 ? Sharing::kShared
                                                                        : Sharing::kUnknown;
  }
  return family.files() * 100 >= family.sum_files * kOwnOfHundred ? Sharing::kFilePerProcess
                                                                  : Sharing::kSubsetShared;
}

Spatiality spatiality_of(const FamilySummary& family) {
  const Totals& totals = offsets_of(family);
  const std::uint64_t calls = data_calls(totals);
  if (calls == 0) return Spatiality::kUnknown;
  // The first access of each open file follows nothing.
  const std::uint64_t firsts = std::min(calls, std::max<std::uint64_t>(most_of(family, Counter::opens), 1));
  const std::uint64_t follow = calls - firsts;
  if (follow == 0) {
    // One piece a rank and file; or opened anew for each, where only those that append tell where they are.
    const bool one_piece = calls <= std::max<std::uint64_t>(family.sum_files, 1);
    const bool append = consecutive(totals) * 10 >= calls * kMostOfTen;
    return one_piece || append ? Spatiality::kContiguous : Spatiality::kUnknown;
  }
  // A stride of 0 is an access to the place of the last one: read, changed and written back.
  const bool in_place = strided(totals) > 0 && totals[Counter::stride] == 0;
  const std::uint64_t on = consecutive(totals) + (in_place ? strided(totals) : 0);
  // Blocks of several accesses each, at a fixed distance: only the first access of each is strided.
  const std::uint64_t jumps = calls - std::min(consecutive(totals), calls);
  const bool in_blocks = strided(totals) * 10 >= jumps * kMostOfTen && strided(totals) * kLongBlock >= follow;
  if (!in_place && strided(totals) > 0 && in_blocks) return Spatiality::kStrided;
  if (on * 10 >= follow * kMostOfTen) return Spatiality::kContiguous;
  if (!in_place && strided(totals) * 2 >= follow) return Spatiality::kStrided;
  return sequential(totals) * 10 >= calls * kForwardOfTen ? Spatiality::kStrided : Spatiality::kRandom;
}

Calls calls_of(const FamilySummary& family) {
  const Totals& mpiio = layer(family, Layer::kMpiIo);
  const std::uint64_t collective = mpiio[Counter::collective];
  const std::uint64_t independent = mpiio[Counter::independent];
  if (collective + independent > 0)
    return collective >= independent ? Calls::kCollective : Calls::kIndependent;
  return data_calls(offsets_of(family)) > 0 ? Calls::kIndependent : Calls::kUnknown;
}

Phases phases_of(const FamilySummary& family) {
  const Totals& calls = calls_of_program(family);
  if (data_calls(calls) == 0) return Phases::kUnknown;
  if (calls[Counter::writes] == 0) return Phases::kRead;
  if (calls[Counter::reads] == 0) return Phases::kWrite;
  // In turns: every tenth access or more, and more than once an open.
  const Totals& turns = offsets_of(family);
  const std::uint64_t switches = turns[Counter::switches];
  return switches * 10 >= data_calls(turns) && switches > turns[Counter::opens] ? Phases::kMixed
                                                                                : Phases::kSeparate;
}

Opening opening_of(const FamilySummary& family) {
  const std::uint64_t opens = opened_by(family)[Counter::opens];
  if (opens == 0 || family.sum_files == 0) return Opening::kUnknown;
  if (opens >= kLoop * family.sum_files) return Opening::kInLoop;
  return opens > family.sum_files ? Opening::kAgain : Opening::kOnce;
}

Flushing flushing_of(const FamilySummary& family) {
  const Totals& stdio = layer(family, Layer::kStdio);
  if (most_of(family, Counter::writes) == 0) return Flushing::kUnknown;
  const bool each = flushes_each(stdio[Counter::flushes], stdio) || writes_unbuffered(family) ||
                    flushes_each(most_of(family, Counter::syncs), calls_of_program(family));
  return each ? Flushing::kEachSmallWrite : Flushing::kSeldom;
}

Metadata metadata_of(const FamilySummary& family) {
  const Totals& posix = layer(family, Layer::kPosix);
  const Totals& program = calls_of_program(family);
  const std::uint64_t metadata = std::max(posix[Counter::meta_ticks], program[Counter::meta_ticks]);
  if (metadata + data_ns(program) == 0) return Metadata::kUnknown;
  return metadata > data_ns(program) ? Metadata::kHeavy : Metadata::kLight;
}

Alignment alignment_of(const FamilySummary& family) {
  const Totals& totals = offsets_of(family);
  const std::uint64_t calls = data_calls(totals);
  if (calls == 0) return Alignment::kUnknown;
  const auto most_are = [calls](std::uint64_t unaligned) { return unaligned * 10 <= calls; };
  if (family.stripe_size != 0 && most_are(totals[Counter::unaligned_stripe])) return Alignment::kStripe;
  return most_are(totals[Counter::unaligned_block]) ? Alignment::kBlock : Alignment::kNone;
}

Steps steps_of(const FamilySummary& family) {
  const Totals& totals = offsets_of(family);
  const std::uint64_t calls = data_calls(totals);
  if (spatiality_of(family) != Spatiality::kStrided || totals[Counter::stride] == 0 || strided(totals) == 0)
    return {};
  // Accesses that follow each other make one block; how many, rounded, as the first block of a file may or
  // may not begin with an access that follows the file's beginning.
  const std::uint64_t blocks = std::max<std::uint64_t>(calls - std::min(consecutive(totals), calls), 1);
  const std::uint64_t request = request_of(totals);
  const std::uint64_t block = request * std::max<std::uint64_t>((calls + blocks / 2) / blocks, 1);
  // Measured from the start of a block's last access.
  return {.stride = totals[Counter::stride] + block - request, .block = block};
}

Usage usage_of(const FamilySummary& family) {
  Usage usage;
  usage.sharing = sharing_of(family);
  usage.spatiality = spatiality_of(family);
  usage.calls = calls_of(family);
  usage.writers = static_cast<std::uint32_t>(family.writers);
  const std::uint64_t written = most_of(family, Counter::bytes_written);
  const std::uint64_t end = most_of(family, Counter::end_offset);
  if (written == 0) return usage;
  const std::uint64_t files = std::max<std::uint64_t>(family.files(), 1);
  usage.bytes = files == 1 ? std::max(end, written) : written / files;
  const Totals& mpiio = layer(family, Layer::kMpiIo);
  const Totals& source = mpiio[Counter::writes] > 0 ? mpiio : offsets_of(family);
  usage.request = source[Counter::bytes_written] / std::max<std::uint64_t>(source[Counter::writes], 1);
  if (usage.calls == Calls::kCollective && family.mpi_ranks > 0) {
    usage.call_bytes = usage.request * family.mpi_ranks;
    // A collective call whose pieces lie apart reaches the file in other sizes than it was made of.
    usage.interleaved = usage.spatiality != Spatiality::kContiguous;
  }
  return usage;
}

report::Pattern classify(const FamilySummary& family) {
  const Totals& offsets = offsets_of(family);
  const Totals& mpiio = layer(family, Layer::kMpiIo);
  const Totals& program = calls_of_program(family);
  const std::uint64_t calls = data_calls(offsets);
  const Steps steps = steps_of(family);
  const std::uint64_t metadata =
      std::max(layer(family, Layer::kPosix)[Counter::meta_ticks], program[Counter::meta_ticks]);
  report::Pattern out{.sharing = name(sharing_of(family)),
                      .spatiality = name(spatiality_of(family)),
                      .calls = name(calls_of(family)),
                      .phases = name(phases_of(family)),
                      .opening = name(opening_of(family)),
                      .flushing = name(flushing_of(family)),
                      .metadata = name(metadata_of(family)),
                      .alignment = name(alignment_of(family)),
                      .stride = steps.stride,
                      .block = steps.block,
                      .opens_per_file = family.sum_files != 0
                                            ? opened_by(family)[Counter::opens] / family.sum_files
                                            : std::uint64_t{0}};
  out.shares = {
      report::Share{"consecutive", consecutive(offsets), calls},
      report::Share{"sequential", sequential(offsets), calls},
      report::Share{"strided", strided(offsets), calls},
      report::Share{"tiny_writes", no_larger(offsets.write_sizes, kTinyWrite), offsets[Counter::writes]},
      report::Share{"unaligned_block", offsets[Counter::unaligned_block], calls},
      report::Share{"unaligned_stripe", offsets[Counter::unaligned_stripe],
                    family.stripe_size != 0 ? calls : 0},
      report::Share{"collective", mpiio[Counter::collective],
                    mpiio[Counter::collective] + mpiio[Counter::independent]},
      report::Share{"metadata_seconds", metadata, metadata + data_ns(program)},
  };
  return out;
}

}  // namespace toto::hints
