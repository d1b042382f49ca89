// SPDX-License-Identifier: BSD-3-Clause
// Tuning of files that a process makes for itself: file per process, or the only one. Processes do not talk
// when they create such files; what they learn they write into a table that the processes of a job on a node
// share (hints/waves.h), and each works out the next choice from it by the same pure policy
// (hints/tuner/tuner.h). So each node tunes by its own files.
//
// What counts is the bandwidth of one file: its bytes over the time that its process spent in I/O calls, from
// the open to the close, of the slowest process of a wave. A family is tuned once a file of it had 64 MiB or
// took half a second (hints/tuning.h has the same for shared files); files faster than memory never count.
//
// The table is in the node segment, which there is where a report is wanted. Without one a process alone has
// a table of its own, shared with the children that it forks later; ranks of an MPI job then use what the
// history has, and probe nothing, as each would do so by itself. The history is for MPI jobs: it is read
// at MPI_Init, as an open(2) may be in a signal handler, where no thread can be started.
//
// Never waits for another process, takes no lock and no memory but mmap(2)'s. A file costs a look into the
// table at its creation and at its close, and nothing in between.
#pragma once

#include <cstdint>

#include "core/file.h"
#include "core/outcome.h"
#include "hints/history.h"
#include "hints/tuning.h"

namespace toto::hints::own_files {

// A file that is being made, to be measured; 0: it is not.
using Ticket = std::uint32_t;

// Like tuning::choose. A ticket ends by begin() and ended(), or by drop().
[[nodiscard]] tuning::Answer choose(const tuning::Question& question, Ticket& ticket);

// What became of the choice. Drops the ticket where the file is not what was chosen: `asked` is what will be
// made by us, or nothing; `made` what was, and read back.
void asked(Ticket& ticket, bool by_us, const Outcome& outcome);
void made(Ticket& ticket, bool by_us, const Outcome& outcome);
void drop(Ticket& ticket);

// The program's own open succeeded.
void begin(Ticket ticket, File& file);

// Whether any file of this process is being measured.
[[nodiscard]] bool any_open();
// The file was closed, by the last of its descriptors.
void ended(File& file);

// In a forked child: the open files are its parent's to measure.
void after_fork();

// For the report.
void tell(report::TunedVisitor visit, void* context);

// For the history, on one process of the job.
[[nodiscard]] bool any_learned();
void merge_into(history::Records& records);

}  // namespace toto::hints::own_files
