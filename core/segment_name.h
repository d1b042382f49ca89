// SPDX-License-Identifier: BSD-3-Clause
// Which node segment a process belongs to: its file's path, made of the user, the job, and a digest of all
// that makes two launches two jobs to us.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/segment_file.h"

namespace toto::segment {

struct Chosen {
  FixedString<96> job;
  Path path;
  // A pool of workers comes and goes: the process that started them all, which stays. 0: none, or not needed.
  std::int32_t holder = 0;
};

// The scheduler's or launcher's job; without one the nearest ancestor that has a segment, else a new one, of
// the process that started all this. (MPICH's launcher names no job: there the launcher's process on this
// node stands for it.)
[[nodiscard]] Chosen choose();

// FNV-1a, 64 bits.
[[nodiscard]] std::uint64_t digest(std::string_view text, std::uint64_t hash = 0xcbf2'9ce4'8422'2325U);

}  // namespace toto::segment
