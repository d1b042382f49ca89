// SPDX-License-Identifier: BSD-3-Clause
//
// Replies to open and create in the kernel's own format. libfuse 3.14 has no way to ask for parallel direct
// writes, without which every write to a file would wait for the one before it. The kernel's header and
// libfuse's do not go well together, hence a file of its own.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>

namespace toto::stripefs {

// The body of a reply to open: direct I/O, parallel direct writes.
std::string OpenReply(std::uint64_t handle);

// The body of a reply to create.
std::string CreateReply(const struct stat& attributes, std::uint64_t valid_seconds, std::uint64_t handle);

}  // namespace toto::stripefs
