// SPDX-License-Identifier: BSD-3-Clause
#include "caller.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <vector>

namespace toto::stripefs {

namespace {

iovec At(std::uint64_t address, std::size_t size) {
  // The address is the other process's; it is never followed here.
  return {reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)), size};
}

// The value of a "Key:" line of /proc/<thread>/status, or an empty text.
std::string StatusOf(pid_t thread, std::string_view key) {
  std::ifstream status("/proc/" + std::to_string(thread) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    const std::size_t value = line.find_first_not_of(" \t", key.size());
    return value == std::string::npos ? std::string() : line.substr(value);
  }
  return {};
}

}  // namespace

int ReadMemory(pid_t thread, std::uint64_t address, std::size_t size, std::string* bytes) {
  bytes->resize(size);
  const iovec local{bytes->data(), size};
  const iovec remote = At(address, size);
  const ssize_t got = process_vm_readv(thread, &local, 1, &remote, 1, 0);
  return got == static_cast<ssize_t>(size) ? 0 : EFAULT;
}

int WriteMemory(pid_t thread, std::uint64_t address, std::string_view bytes) {
  const iovec local{const_cast<char*>(bytes.data()), bytes.size()};
  const iovec remote = At(address, bytes.size());
  const ssize_t put = process_vm_writev(thread, &local, 1, &remote, 1, 0);
  return put == static_cast<ssize_t>(bytes.size()) ? 0 : EFAULT;
}

int ReadString(pid_t thread, std::uint64_t address, std::size_t limit, std::string* text) {
  text->clear();
  // In pieces that stay within a page: the string may end just before an unmapped one.
  constexpr std::uint64_t kPiece = 64;
  while (text->size() < limit) {
    const std::uint64_t at = address + text->size();
    const std::size_t size = std::min<std::size_t>(kPiece - at % kPiece, limit - text->size());
    std::string piece;
    if (ReadMemory(thread, at, size, &piece) != 0) return EFAULT;
    const std::size_t end = piece.find('\0');
    text->append(piece, 0, end);
    if (end != std::string::npos) return 0;
  }
  return ENAMETOOLONG;
}

pid_t ProcessOf(pid_t thread) {
  const std::string group = StatusOf(thread, "Tgid:");
  return group.empty() ? thread : static_cast<pid_t>(std::strtol(group.c_str(), nullptr, 10));
}

mode_t UmaskOf(pid_t thread) {
  const std::string mask = StatusOf(thread, "Umask:");
  return mask.empty() ? 022 : static_cast<mode_t>(std::strtoul(mask.c_str(), nullptr, 8));
}

bool MayAccess(fuse_req_t request, const Inode& inode, int mask) {
  const fuse_ctx& context = *fuse_req_ctx(request);
  if (context.uid == 0) return true;
  const auto bits = static_cast<mode_t>(mask);
  if (context.uid == inode.uid) return (inode.mode >> 6 & bits) == bits;
  bool member = context.gid == inode.gid;
  if (!member) {
    const int count = fuse_req_getgroups(request, 0, nullptr);
    std::vector<gid_t> groups(static_cast<std::size_t>(std::max(count, 0)));
    if (count > 0) fuse_req_getgroups(request, count, groups.data());
    member = std::find(groups.begin(), groups.end(), inode.gid) != groups.end();
  }
  return (inode.mode >> (member ? 3 : 0) & bits) == bits;
}

}  // namespace toto::stripefs
