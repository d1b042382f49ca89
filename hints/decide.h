// SPDX-License-Identifier: BSD-3-Clause
// All sources of a value, in their order (origin.h): the user's rules, the program's own info, history, the
// prior. Pure: no file system, no MPI.
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
  MpiIo library = MpiIo::kUnknown;  // kUnknown: a POSIX creation, layout only
  bool use_prior = true;            // false: TOTO_STRIPE_COUNT_TUNING=0, only the user's own rules count
  bool can_set_layout = false;      // this file system lets us choose, and the file is new
};

// Fills outcome.asked, its origin and reason, and outcome.hints: with what is to be added to a duplicate of
// the program's info, under the names that the library reads. Hints which the program set itself and keeps are
// listed with origin kProgram and status kKept.
void decide(const Sources& sources, Outcome& outcome);

}  // namespace toto::hints
