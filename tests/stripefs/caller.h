// SPDX-License-Identifier: BSD-3-Clause
//
// What an operation needs to know of the process that calls, beyond what the request carries.
//
// The ioctls of parallel file systems pass pointers, or declare a smaller structure than they use; then the
// caller's memory is read and written directly. That needs the same user or root.
#pragma once

#include <fuse_lowlevel.h>
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "tree.h"

namespace toto::stripefs {

// 0, or EFAULT when not all bytes could be had.
int ReadMemory(pid_t thread, std::uint64_t address, std::size_t size, std::string* bytes);
int WriteMemory(pid_t thread, std::uint64_t address, std::string_view bytes);

// Reads a string up to its zero, which must be among the first `limit` bytes: 0, EFAULT or ENAMETOOLONG.
int ReadString(pid_t thread, std::uint64_t address, std::size_t limit, std::string* text);

// A request names a thread; this is its process.
pid_t ProcessOf(pid_t thread);

mode_t UmaskOf(pid_t thread);

// Whether the caller may do `mask` (R_OK | W_OK | X_OK) to the inode: where the kernel does not check.
bool MayAccess(fuse_req_t request, const Inode& inode, int mask);

}  // namespace toto::stripefs
