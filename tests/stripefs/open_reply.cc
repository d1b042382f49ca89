// SPDX-License-Identifier: BSD-3-Clause
#include "open_reply.h"

#include <linux/fuse.h>

#ifndef FOPEN_PARALLEL_DIRECT_WRITES
#define FOPEN_PARALLEL_DIRECT_WRITES (1 << 6)
#endif

namespace toto::stripefs {

namespace {

fuse_open_out Open(std::uint64_t handle) {
  fuse_open_out out{};
  out.fh = handle;
  out.open_flags = FOPEN_DIRECT_IO | FOPEN_PARALLEL_DIRECT_WRITES;
  return out;
}

fuse_attr Attributes(const struct stat& from) {
  fuse_attr to{};
  to.ino = from.st_ino;
  to.size = static_cast<std::uint64_t>(from.st_size);
  to.blocks = static_cast<std::uint64_t>(from.st_blocks);
  to.atime = static_cast<std::uint64_t>(from.st_atim.tv_sec);
  to.mtime = static_cast<std::uint64_t>(from.st_mtim.tv_sec);
  to.ctime = static_cast<std::uint64_t>(from.st_ctim.tv_sec);
  to.atimensec = static_cast<std::uint32_t>(from.st_atim.tv_nsec);
  to.mtimensec = static_cast<std::uint32_t>(from.st_mtim.tv_nsec);
  to.ctimensec = static_cast<std::uint32_t>(from.st_ctim.tv_nsec);
  to.mode = from.st_mode;
  to.nlink = static_cast<std::uint32_t>(from.st_nlink);
  to.uid = from.st_uid;
  to.gid = from.st_gid;
  to.rdev = static_cast<std::uint32_t>(from.st_rdev);
  to.blksize = static_cast<std::uint32_t>(from.st_blksize);
  return to;
}

template <typename T>
void Append(std::string& body, const T& value) {
  body.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

std::string OpenReply(std::uint64_t handle) {
  std::string body;
  Append(body, Open(handle));
  return body;
}

std::string CreateReply(const struct stat& attributes, std::uint64_t valid_seconds, std::uint64_t handle) {
  fuse_entry_out entry{};
  entry.nodeid = attributes.st_ino;
  entry.entry_valid = valid_seconds;
  entry.attr_valid = valid_seconds;
  entry.attr = Attributes(attributes);
  std::string body;
  Append(body, entry);
  Append(body, Open(handle));
  return body;
}

}  // namespace toto::stripefs
