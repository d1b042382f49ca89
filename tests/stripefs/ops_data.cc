// SPDX-License-Identifier: BSD-3-Clause
//
// Open files: create, open, read, write and what goes with them. Data is copied at once; it is the reply that
// the model delays.
#include <fcntl.h>
#include <linux/falloc.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "caller.h"
#include "open_reply.h"
#include "ops.h"

namespace toto::stripefs {

namespace {

Handle& HandleOf(const fuse_file_info* info) { return HandleTable<Handle>::Get(info->fh); }

std::uint64_t AddHandle(fuse_req_t request, FileSystem& fs, Inode& inode) {
  auto handle = std::make_unique<Handle>();
  handle->inode = &inode;
  if (fs.options.model.lock_handover > Time::zero()) {
    handle->client = static_cast<std::uint64_t>(ProcessOf(fuse_req_ctx(request)->pid));
  }
  const std::lock_guard lock(fs.mutex);
  return fs.files.Add(std::move(handle));
}

void RemoveHandle(FileSystem& fs, std::uint64_t handle) {
  const std::lock_guard lock(fs.mutex);
  fs.files.Remove(handle);
}

// Sends the reply to an open; an interrupted one is not followed by a release.
void ReplyOpened(fuse_req_t request, FileSystem& fs, std::uint64_t handle, const std::string& body) {
  if (fuse_reply_buf(request, body.data(), body.size()) != 0) RemoveHandle(fs, handle);
}

int OpenInode(FileSystem& fs, Inode& inode, int flags) {
  if (const auto injected = fs.faults.Check("open")) return *injected;
  if (inode.is_directory()) return EISDIR;
  const int error = fs.LayoutAtOpen(inode, flags);
  if (error != 0) return error;
  return (flags & O_TRUNC) != 0 && inode.size > 0 ? SetSize(inode, 0) : 0;
}

void Open(fuse_req_t request, fuse_ino_t number, fuse_file_info* info) {
  FileSystem& fs = FileSystemOf(request);
  std::unique_lock lock(fs.mutex);
  Inode& inode = fs.tree.Get(number);
  const int error = OpenInode(fs, inode, info->flags);
  lock.unlock();
  if (error != 0) {
    fuse_reply_err(request, error);
    return;
  }
  const std::uint64_t handle = AddHandle(request, fs, inode);
  ReplyOpened(request, fs, handle, OpenReply(handle));
}

int AccessMask(int flags) {
  switch (flags & O_ACCMODE) {
    case O_RDONLY:
      return R_OK;
    case O_WRONLY:
      return W_OK;
    default:
      return R_OK | W_OK;
  }
}

// Finds or makes the file of a create: 0 or an errno.
int CreateInode(fuse_req_t request, FileSystem& fs, Inode& directory, std::string_view name, mode_t mode,
                int flags, Inode** inode) {
  *inode = fs.tree.Lookup(directory, name);
  if (*inode != nullptr) {
    // Appeared after the kernel looked: it was made by an ioctl. The kernel has not checked its mode.
    if ((flags & O_EXCL) != 0) return EEXIST;
    if (!MayAccess(request, **inode, AccessMask(flags))) return EACCES;
    return OpenInode(fs, **inode, flags);
  }
  if (const auto injected = fs.faults.Check("create")) return *injected;
  if (name.size() > NAME_MAX) return ENAMETOOLONG;
  if (directory.links == 0) return ENOENT;
  const fuse_ctx& context = *fuse_req_ctx(request);
  *inode = &fs.tree.Make(directory, name, S_IFREG | (mode & 07777), context.uid, context.gid);
  return fs.LayoutAtCreate(**inode, flags);
}

void Create(fuse_req_t request, fuse_ino_t parent, const char* name, mode_t mode, fuse_file_info* info) {
  FileSystem& fs = FileSystemOf(request);
  std::unique_lock lock(fs.mutex);
  Inode* inode = nullptr;
  const int error = CreateInode(request, fs, fs.tree.Get(parent), name, mode, info->flags, &inode);
  if (error != 0) {
    fuse_reply_err(request, error);
    return;
  }
  ++inode->lookups;
  const struct stat attributes = AttributesOf(fs, *inode);
  lock.unlock();
  const std::uint64_t handle = AddHandle(request, fs, *inode);
  ReplyOpened(request, fs, handle,
              CreateReply(attributes, static_cast<std::uint64_t>(kValidSeconds), handle));
}

// 0, or the errno of the first write that failed.
int WriteAll(int fd, const char* data, size_t size, off_t offset) {
  while (size > 0) {
    const ssize_t put = pwrite(fd, data, size, offset);
    if (put < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    data += put;
    offset += put;
    size -= static_cast<size_t>(put);
  }
  return 0;
}

void Write(fuse_req_t request, fuse_ino_t, const char* data, size_t size, off_t offset,
           fuse_file_info* info) {
  FileSystem& fs = FileSystemOf(request);
  Handle& handle = HandleOf(info);
  Inode& inode = *handle.inode;
  const auto begin = static_cast<std::uint64_t>(offset);
  int error = 0;
  {
    const std::lock_guard lock(fs.mutex);
    error = fs.faults.Check("write").value_or(0);
    if (error == 0) error = fs.PlaceRange(inode, begin, size);
    if (error == 0) error = inode.EnsureData();
  }
  if (error == 0) error = WriteAll(inode.data.get(), data, size, offset);
  if (error != 0) {
    fuse_reply_err(request, error);
    return;
  }
  Time due{};
  {
    const std::lock_guard lock(fs.mutex);
    inode.size = std::max(inode.size, offset + static_cast<off_t>(size));
    inode.ever_had_data = true;
    inode.Modified();
    const auto shares = Split(inode.layout->parts, begin, size);
    due = fs.model.Submit({Transfer::kWrite, inode.number, handle.client, shares}, handle.stream,
                          fs.timer.Now());
  }
  fs.timer.At(due, [request, size] { fuse_reply_write(request, size); });
}

// Up to `size` bytes into the buffer; negative errno on failure. A file may have a size and no data.
ssize_t ReadUpTo(int fd, char* buffer, size_t size, off_t offset) {
  size_t done = 0;
  while (done < size) {
    const ssize_t got = pread(fd, buffer + done, size - done, offset + static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -errno;
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  return static_cast<ssize_t>(done);
}

void Read(fuse_req_t request, fuse_ino_t, size_t size, off_t offset, fuse_file_info* info) {
  FileSystem& fs = FileSystemOf(request);
  Handle& handle = HandleOf(info);
  Inode& inode = *handle.inode;
  int fd = -1;
  {
    const std::lock_guard lock(fs.mutex);
    size = inode.size > offset ? std::min(size, static_cast<size_t>(inode.size - offset)) : 0;
    if (size > 0 && inode.EnsureData() != 0) size = 0;
    fd = inode.data.get();
  }
  // Not zeroed: all of what is sent gets read into it.
  const std::shared_ptr<char[]> buffer(new char[size]);
  const ssize_t got = ReadUpTo(fd, buffer.get(), size, offset);
  if (got < 0) {
    fuse_reply_err(request, static_cast<int>(-got));
    return;
  }
  size = static_cast<size_t>(got);
  Time due{};
  {
    const std::lock_guard lock(fs.mutex);
    inode.accessed = RealTime();
    if (inode.layout) {
      const auto shares = Split(inode.layout->parts, static_cast<std::uint64_t>(offset), size);
      due = fs.model.Submit({Transfer::kRead, inode.number, handle.client, shares}, handle.stream,
                            fs.timer.Now());
    }
  }
  fs.timer.At(due, [request, buffer, size] { fuse_reply_buf(request, buffer.get(), size); });
}

void ReplyAt(FileSystem& fs, Time due, fuse_req_t request) {
  fs.timer.At(due, [request] { fuse_reply_err(request, 0); });
}

void Flush(fuse_req_t request, fuse_ino_t, fuse_file_info* info) {
  FileSystem& fs = FileSystemOf(request);
  Time due{};
  {
    const std::lock_guard lock(fs.mutex);
    due = HandleOf(info).stream.Drained(fs.timer.Now());
  }
  ReplyAt(fs, due, request);
}

void Sync(fuse_req_t request, fuse_ino_t, int, fuse_file_info* info) {
  FileSystem& fs = FileSystemOf(request);
  Time due{};
  {
    const std::lock_guard lock(fs.mutex);
    due = HandleOf(info).stream.Drained(Transfer::kWrite, fs.timer.Now());
  }
  ReplyAt(fs, due, request);
}

void Release(fuse_req_t request, fuse_ino_t, fuse_file_info* info) {
  // Nobody waits for this one; close() waited in Flush.
  RemoveHandle(FileSystemOf(request), info->fh);
  fuse_reply_err(request, 0);
}

int Allocate(FileSystem& fs, Inode& inode, int mode, off_t offset, off_t length) {
  constexpr int kPunch = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
  if (mode != 0 && mode != FALLOC_FL_KEEP_SIZE && mode != kPunch) return EOPNOTSUPP;
  const int error =
      fs.PlaceRange(inode, static_cast<std::uint64_t>(offset), static_cast<std::uint64_t>(length));
  if (error != 0) return error;
  if (mode == kPunch) {
    if (!inode.data.valid()) return 0;
    return fallocate(inode.data.get(), mode, offset, length) == 0 ? 0 : errno;
  }
  // Memory is not taken beforehand: who preallocates here wants to try the call, not to fill the machine.
  return mode == 0 && offset + length > inode.size ? SetSize(inode, offset + length) : 0;
}

void FileAllocate(fuse_req_t request, fuse_ino_t, int mode, off_t offset, off_t length,
                  fuse_file_info* info) {
  FileSystem& fs = FileSystemOf(request);
  const std::lock_guard lock(fs.mutex);
  fuse_reply_err(request, Allocate(fs, *HandleOf(info).inode, mode, offset, length));
}

void Seek(fuse_req_t request, fuse_ino_t, off_t offset, int whence, fuse_file_info* info) {
  FileSystem& fs = FileSystemOf(request);
  const std::lock_guard lock(fs.mutex);
  Inode& inode = *HandleOf(info).inode;
  const int error = inode.EnsureData();
  const off_t found = error == 0 ? lseek(inode.data.get(), offset, whence) : -1;
  if (found < 0) {
    fuse_reply_err(request, error != 0 ? error : errno);
    return;
  }
  fuse_reply_lseek(request, found);
}

}  // namespace

void FillDataOperations(fuse_lowlevel_ops& ops) {
  ops.open = Open;
  ops.create = Create;
  ops.read = Read;
  ops.write = Write;
  ops.flush = Flush;
  ops.fsync = Sync;
  ops.release = Release;
  ops.fallocate = FileAllocate;
  ops.lseek = Seek;
}

}  // namespace toto::stripefs
