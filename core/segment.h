// SPDX-License-Identifier: BSD-3-Clause
// This process's place in the node segment of its job (core/segment_file.h).
//
// Where a report is wanted, the memory that a process counts in is an area of a file that all processes of
// the job on this node share: they see each other without messages, and a crash loses nothing. The job is
// the scheduler's or launcher's; without either, a process and its descendants. An area whose processes have
// all ended well is taken over, with what it holds, by the next process: many short helpers need little room.
// Without a report, or where the file cannot be had, the memory is the process's own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/area.h"
#include "core/segment_file.h"

namespace toto::segment {

// The area of this process, made or taken over; nullptr when there is no memory. Called once.
Area* enter(std::size_t bytes);

// Makes sure that the area's first `bytes` have memory behind them. False: full.
bool back(Area& area, std::uint32_t bytes);

// Before a fork, and in the forked child: a member of its own, in its parent's area.
void before_fork();
void after_fork();

// At the end of a process. True: nobody is left, the segment is closed and has a name of its own; what is in
// `all` and not reported is this process's to report, and the segment its to remove() after that. False:
// others live on, there is no segment, or it is left to recovery.
bool leave(Mapping& all);
void remove();
// Its report could not be written: nobody of the job tries again, and the segment stays.
void leave_to_recovery();

// Asked at the end of a process that has not entered, and may be a member all the same: by exec, or because
// those that it started expect it to outlive them. True: it is the last, and has to enter to close the
// segment.
[[nodiscard]] bool is_awaited();

// kTableBytes of memory that all processes of the job on this node share, zeroed when the segment was made;
// nullptr: no segment, no memory, or nobody has wanted it yet (`make`: this one does).
[[nodiscard]] void* table(bool make);

// Whether that process lives and has an area in this process's segment.
[[nodiscard]] bool counts_here(std::int32_t pid);
// Areas in the segment so far.
[[nodiscard]] std::uint32_t areas();
// For the report of a crash.
void keep_sketch(const Sketch& sketch);

// The segment's nonce and its path; 0 and empty without one.
[[nodiscard]] std::uint64_t nonce();
[[nodiscard]] const Path& path();

}  // namespace toto::segment
