// SPDX-License-Identifier: BSD-3-Clause
#include "hints/classify.h"

#include <algorithm>

namespace toto::hints {
namespace {

const Totals& layer(const FamilySummary& family, Layer which) {
  return family.layers[static_cast<std::size_t>(which)];
}

// The layer whose offsets say where the data went: what reached the file, or the program's calls where what
// is below them was not seen.
const Totals& offsets_of(const FamilySummary& family) {
  for (const Layer which : {Layer::kPosix, Layer::kMpiIo, Layer::kStdio}) {
    const Totals& totals = layer(family, which);
    if (totals[Counter::reads] + totals[Counter::writes] > 0) return totals;
  }
  return layer(family, Layer::kPosix);
}

Spatiality spatiality_of(const Totals& totals) {
  const std::uint64_t calls = totals[Counter::reads] + totals[Counter::writes];
  if (calls == 0) return Spatiality::kUnknown;
  // The first access of each open file follows nothing.
  const std::uint64_t firsts = std::min(calls, std::max<std::uint64_t>(totals[Counter::opens], 1));
  const std::uint64_t follow = calls - firsts;
  const std::uint64_t consecutive = totals[Counter::reads_consecutive] + totals[Counter::writes_consecutive];
  const std::uint64_t sequential = totals[Counter::reads_sequential] + totals[Counter::writes_sequential];
  const std::uint64_t strided = totals[Counter::reads_strided] + totals[Counter::writes_strided];
  if (follow == 0 || consecutive * 10 >= follow * 7) return Spatiality::kContiguous;
  if (strided * 2 >= follow || sequential * 10 >= calls * 9) return Spatiality::kStrided;
  return Spatiality::kRandom;
}

Sharing sharing_of(const FamilySummary& family) {
  if (family.mpi_ranks > 1) return Sharing::kShared;
  if (family.ranks <= 1) return Sharing::kSerial;
  return family.same_files_everywhere() ? Sharing::kShared : Sharing::kFilePerProcess;
}

Calls calls_of(const FamilySummary& family) {
  const Totals& mpiio = layer(family, Layer::kMpiIo);
  const std::uint64_t collective = mpiio[Counter::collective];
  const std::uint64_t independent = mpiio[Counter::independent];
  if (collective + independent > 0)
    return collective >= independent ? Calls::kCollective : Calls::kIndependent;
  const Totals& posix = layer(family, Layer::kPosix);
  return posix[Counter::reads] + posix[Counter::writes] > 0 ? Calls::kIndependent : Calls::kUnknown;
}

}  // namespace

Usage usage_of(const FamilySummary& family) {
  Usage usage;
  usage.sharing = sharing_of(family);
  usage.spatiality = spatiality_of(offsets_of(family));
  usage.calls = calls_of(family);
  usage.writers = static_cast<std::uint32_t>(family.writers);
  std::uint64_t written = 0, end = 0;
  for (const Totals& totals : family.layers) {
    written = std::max(written, totals[Counter::bytes_written]);
    end = std::max(end, totals[Counter::end_offset]);
  }
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
  return report::Pattern{.sharing = name(sharing_of(family)),
                         .spatiality = name(spatiality_of(offsets_of(family))),
                         .calls = name(calls_of(family))};
}

}  // namespace toto::hints
