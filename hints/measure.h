// SPDX-License-Identifier: BSD-3-Clause
// Numbers that classes (classify.h) and advice (advise.h) are both made of.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/summary.h"

namespace toto::hints {

[[nodiscard]] inline const Totals& layer(const FamilySummary& family, Layer which) {
  return family.layers[static_cast<std::size_t>(which)];
}

[[nodiscard]] inline std::uint64_t data_calls(const Totals& totals) {
  return totals[Counter::reads] + totals[Counter::writes];
}
[[nodiscard]] inline std::uint64_t data_bytes(const Totals& totals) {
  return totals[Counter::bytes_read] + totals[Counter::bytes_written];
}
[[nodiscard]] inline std::uint64_t data_ns(const Totals& totals) {
  return totals[Counter::read_ticks] + totals[Counter::write_ticks];
}
[[nodiscard]] inline std::uint64_t request_of(const Totals& totals) {
  return data_bytes(totals) / std::max<std::uint64_t>(data_calls(totals), 1);
}

// The layer whose offsets say where the data went: what reached the file system, or the program's own calls
// where stdio made the calls below. (MPI-IO's calls have no offsets of their own here.)
[[nodiscard]] inline const Totals& offsets_of(const FamilySummary& family) {
  const Totals& posix = layer(family, Layer::kPosix);
  return data_calls(posix) > 0 ? posix : layer(family, Layer::kStdio);
}

// The layer that the program itself calls.
[[nodiscard]] inline const Totals& calls_of_program(const FamilySummary& family) {
  const Totals& mpiio = layer(family, Layer::kMpiIo);
  return data_calls(mpiio) > 0 ? mpiio : offsets_of(family);
}

// The layer that the program opens files by. (An MPI library may open a file twice for one MPI_File_open.)
[[nodiscard]] inline const Totals& opened_by(const FamilySummary& family) {
  const Totals &mpiio = layer(family, Layer::kMpiIo), &stdio = layer(family, Layer::kStdio);
  if (mpiio[Counter::opens] > 0) return mpiio;
  const Totals& posix = layer(family, Layer::kPosix);
  return stdio[Counter::opens] > posix[Counter::opens] ? stdio : posix;
}

// A layer's counter, of the layer where it is largest: what is seen in two layers was done once.
[[nodiscard]] inline std::uint64_t most_of(const FamilySummary& family, Counter counter) {
  std::uint64_t most = 0;
  for (const Totals& totals : family.layers) most = std::max(most, totals[counter]);
  return most;
}

// Accesses of at most `bytes`, which is the upper end of a bin: a power of two.
[[nodiscard]] inline std::uint64_t no_larger(const std::array<std::uint64_t, kBins>& sizes,
                                             std::uint64_t bytes) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i <= size_bin(bytes); ++i) count += sizes[i];
  return count;
}

}  // namespace toto::hints
