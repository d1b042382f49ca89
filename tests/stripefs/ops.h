// SPDX-License-Identifier: BSD-3-Clause
//
// The operations that the kernel asks for, by libfuse's low-level interface. The session's user data is the
// FileSystem. ops.cc: the table and names; ops_data.cc: open files; ops_attributes.cc: extended attributes;
// ops_ioctl.cc: ioctls.
#pragma once

#include <fuse_lowlevel.h>

#include "filesystem.h"

namespace toto::stripefs {

inline constexpr unsigned kMaxRequest = 1 << 20;  // the most that libfuse 3.14 takes in one request
inline constexpr double kValidSeconds = 1.0;

fuse_lowlevel_ops Operations();

// Shared by the operations' files.

FileSystem& FileSystemOf(fuse_req_t request);

struct stat AttributesOf(const FileSystem& fs, const Inode& inode);

// Sets a regular file's size. 0 or an errno.
int SetSize(Inode& inode, off_t size);

void FillDataOperations(fuse_lowlevel_ops& ops);
void FillAttributeOperations(fuse_lowlevel_ops& ops);
void FillIoctl(fuse_lowlevel_ops& ops);

}  // namespace toto::stripefs
