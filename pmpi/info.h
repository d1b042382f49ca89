// SPDX-License-Identifier: BSD-3-Clause
// MPI_Info in and out: the program's own hints as text, a duplicate with ours added, and what the MPI library
// says it uses. The program's object is never changed.
#pragma once

#include <mpi.h>

#include <array>
#include <span>
#include <string_view>

#include "core/fixed_string.h"
#include "core/outcome.h"
#include "hints/decide.h"
#include "pmpi/decision.h"

namespace toto::pmpi {

// The hints of an info object (at most 64 keys; values longer than MPI_MAX_INFO_VAL do not exist).
class InfoText {
 public:
  explicit InfoText(MPI_Info info);
  [[nodiscard]] std::span<const hints::ProgramHint> hints() const { return {hints_.data(), count_}; }

 private:
  static constexpr int kMost = 64;
  std::size_t count_ = 0;
  std::array<FixedString<MPI_MAX_INFO_KEY>, kMost> keys_;
  std::array<FixedString<MPI_MAX_INFO_VAL>, kMost> values_;
  std::array<hints::ProgramHint, kMost> hints_;
};

// A duplicate of `info` with the decision's hints set, freed at the end of its life; `info` itself when there
// is nothing to add or MPI refuses.
class InfoWithHints {
 public:
  InfoWithHints(MPI_Info info, const Decision& decision);
  ~InfoWithHints();
  InfoWithHints(const InfoWithHints&) = delete;
  InfoWithHints& operator=(const InfoWithHints&) = delete;
  [[nodiscard]] MPI_Info get() const { return info_; }

 private:
  MPI_Info info_;
  bool owned_ = false;
};

// Compares the outcome's hints with what MPI_File_get_info returned, and notes the status of each.
void verify_hints(MPI_Info used, Outcome& outcome);

}  // namespace toto::pmpi
