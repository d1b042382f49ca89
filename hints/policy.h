// SPDX-License-Identifier: BSD-3-Clause
// The decisions of this process: the user's rules and the settings, read once, and one function that decides
// about a file where it is to be created or opened. The file system is asked here (targets, the folder's
// default); deciding itself is pure (decide.h).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/outcome.h"
#include "core/places.h"
#include "hints/decide.h"
#include "hints/layout/backend.h"
#include "hints/layout/create.h"
#include "hints/mpi_keys.h"
#include "hints/own_files.h"
#include "hints/pattern.h"

namespace toto::policy {

// True when nothing could come out of a decision: no tuning and no rules.
[[nodiscard]] bool idle();

// Adds what users gave the MPI library itself (ROMIO's file of hints, Cray's variable), where it reads that:
// it counts for that library's files.
void add_sources_of(hints::MpiIo library, hints::Sources& sources);

// Bytes of a block of the file system that holds `folder`, as statfs(2) tells; 0: it does not.
[[nodiscard]] std::uint64_t block_size(const char* folder);

struct Request {
  std::string_view path;  // absolute, without ROMIO's prefix
  places::Place place;    // of the file's folder
  bool exists = false;    // the file is there already
  bool writes = true;
  hints::MpiIo library = hints::MpiIo::kUnknown;  // kUnknown: a POSIX creation
  std::uint32_t ranks = 1;
  std::uint32_t nodes = 1;
  hints::Sharing sharing = hints::Sharing::kUnknown;
  std::uint32_t files = 1;  // of the family at once
  std::span<const hints::ProgramHint> program;
  bool by_all = false;  // opened by all ranks of the job together: its family can be tuned
  // Made by one process, for itself as far as is known: what it reaches can be measured (own_files.h). Where
  // decide() returns no backend and the ticket is not 0, the program's own open makes the file.
  hints::own_files::Ticket* own = nullptr;
};

// Fills `outcome`; returns the backend that can create the file with outcome.asked, nullptr when no layout is
// to be set (outcome.layout_status says why).
const layout::Backend* decide(const Request& request, Outcome& outcome);

// Makes the file with outcome.asked (layout::create) and notes in `outcome` how it went; a refusal is one
// warning.
layout::Created make(const layout::Backend& backend, const Request& request, mode_t mode, Outcome& outcome,
                     mode_t* late_mode = nullptr);

// Takes a file away that we made for an open which then failed: if it is still that one, and empty.
void unmake(const char* path, std::uint64_t inode);

}  // namespace toto::policy
