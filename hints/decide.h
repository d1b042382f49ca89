// SPDX-License-Identifier: BSD-3-Clause
// All sources of a value, in their order (Origin in core/outcome.h): the user's rules, the program's own
// info, what was given to the MPI library itself, history, the prior. Pure: no file system, no MPI.
#pragma once

#include <span>
#include <string_view>

#include "core/outcome.h"
#include "hints/mpi_keys.h"
#include "hints/pattern.h"
#include "hints/rules.h"

namespace toto::hints {

// A key of the program's own MPI_Info.
struct ProgramHint {
  std::string_view key;
  std::string_view value;
};

struct Sources {
  std::string_view path;
  Situation situation;
  const Rules* rules = nullptr;
  RuleMode mode = RuleMode::kFill;
  std::span<const ProgramHint> program;
  const Rules* cray_environment = nullptr;  // MPICH_MPIIO_HINTS: wins over the program, as with Cray
  const Rules* romio_file = nullptr;        // ROMIO_HINTS: the program wins, as with ROMIO
  MpiIo library = MpiIo::kUnknown;          // kUnknown: a POSIX creation, layout only
  bool use_prior = true;  // false: TOTO_STRIPE_COUNT_TUNING=0, only the user's own rules count
  // Of the tuner, instead of the prior's count: stripes (0: it has nothing to say), or none of ours at all.
  std::uint32_t tuned_count = 0;
  bool tuned_untuned = false;
  std::string_view tuned_reason;
  bool can_set_layout = false;  // this file system lets us choose, and the file is new
};

// Fills outcome.asked, its origin and reason, and outcome.hints: with what is to be added to a duplicate of
// the program's info, under the names that the library reads, sizes in bytes. Hints which the program set
// itself and keeps are listed with origin kProgram and status kKept, and a user's hint which this library
// does not read with status kIgnored: neither need be added.
//
// Layout fields come each from the strongest source that names them, in any library's spelling; a program's
// striping hints are a wish for a layout even where its MPI library would not read them. The origin of the
// layout is that of its strongest field. A value that is no count or size gives no layout, nor does a weaker
// source then.
void decide(const Sources& sources, Outcome& outcome);

}  // namespace toto::hints
