// SPDX-License-Identifier: BSD-3-Clause
// Messages of the library itself, by plain write(2): no stdio, no allocation, no lock, errno kept.
// They go to a file in TOTO_LOGS_FOLDER where that is set, else to standard error; to standard output
// only with TOTO_LOG_TO_STDOUT=1. Every warning is also counted for the report.
//
//   log::warn(FixedString<256>("TOTO_LOG_LEVEL: ...").add(value));
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/fixed_string.h"

namespace toto::log {

enum class Level : std::uint8_t { kOff, kError, kWarning, kInfo, kDebug };

using Line = FixedString<480>;

// One distinct warning and how often it was given; the first kKept kinds are kept for the report.
struct Warning {
  FixedString<240> text;
  std::uint64_t count = 0;
};
inline constexpr std::size_t kKept = 32;

void set_level(Level level);
// `folder` empty: standard error (or standard output).
void set_target(std::string_view folder, bool to_stdout);
// In an MPI job each rank meets the same troubles: rank 0 speaks, the others count. Until the rank is set,
// the launchers' variables tell it.
void set_rank(int rank);

void error(std::string_view text);
// A text is written once a process, however often it occurs; the count goes on.
void warn(std::string_view text);
void info(std::string_view text);
void debug(std::string_view text);

// Several lines for the user, as they are: to standard error.
void say(std::string_view text);
// The program has opened a file of its own as descriptor 1 or 2: nothing of ours goes there from now on.
void note_open_as(int fd);

[[nodiscard]] std::span<const Warning> warnings();
// Forgets the warnings: a forked child starts with none.
void forget_warnings();

}  // namespace toto::log
