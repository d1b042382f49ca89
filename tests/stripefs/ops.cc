// SPDX-License-Identifier: BSD-3-Clause
#include "ops.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace toto::stripefs {

namespace {

constexpr mode_t kPermissions = 07777;

fuse_entry_param EntryFor(const FileSystem& fs, Inode& inode) {
  fuse_entry_param entry{};
  entry.ino = inode.number;
  entry.attr = AttributesOf(fs, inode);
  entry.attr_timeout = kValidSeconds;
  entry.entry_timeout = kValidSeconds;
  ++inode.lookups;
  return entry;
}

void Init(void*, fuse_conn_info* connection) {
  connection->max_write = kMaxRequest;
  // Splicing costs more than it saves, as the data is copied into a memfd anyway.
  connection->want &=
      ~static_cast<unsigned>(FUSE_CAP_SPLICE_READ | FUSE_CAP_SPLICE_WRITE | FUSE_CAP_SPLICE_MOVE);
  // The kernel applies the umask.
  connection->want &= ~static_cast<unsigned>(FUSE_CAP_DONT_MASK | FUSE_CAP_WRITEBACK_CACHE);
}

void Lookup(fuse_req_t request, fuse_ino_t parent, const char* name) {
  FileSystem& fs = FileSystemOf(request);
  const std::lock_guard lock(fs.mutex);
  Inode* const inode = fs.tree.Lookup(fs.tree.Get(parent), name);
  if (inode == nullptr) {
    fuse_reply_err(request, ENOENT);
    return;
  }
  const fuse_entry_param entry = EntryFor(fs, *inode);
  fuse_reply_entry(request, &entry);
}

void Forget(fuse_req_t request, fuse_ino_t number, uint64_t lookups) {
  FileSystem& fs = FileSystemOf(request);
  {
    const std::lock_guard lock(fs.mutex);
    fs.Forget(number, lookups);
  }
  fuse_reply_none(request);
}

void ForgetMulti(fuse_req_t request, size_t count, fuse_forget_data* forgets) {
  FileSystem& fs = FileSystemOf(request);
  {
    const std::lock_guard lock(fs.mutex);
    for (size_t i = 0; i < count; ++i) fs.Forget(forgets[i].ino, forgets[i].nlookup);
  }
  fuse_reply_none(request);
}

void GetAttributes(fuse_req_t request, fuse_ino_t number, fuse_file_info*) {
  FileSystem& fs = FileSystemOf(request);
  const std::lock_guard lock(fs.mutex);
  const struct stat attributes = AttributesOf(fs, fs.tree.Get(number));
  fuse_reply_attr(request, &attributes, kValidSeconds);
}

int Apply(FileSystem& fs, Inode& inode, const struct stat& wanted, int which) {
  if ((which & FUSE_SET_ATTR_SIZE) != 0) {
    if (!inode.is_regular()) return inode.is_directory() ? EISDIR : EINVAL;
    // A size needs objects to keep it.
    const int error = wanted.st_size > 0 ? fs.LayoutAtOpen(inode, O_WRONLY) : 0;
    if (error != 0) return error;
    const int size_error = SetSize(inode, wanted.st_size);
    if (size_error != 0) return size_error;
  }
  if ((which & FUSE_SET_ATTR_MODE) != 0) inode.mode = (inode.mode & S_IFMT) | (wanted.st_mode & kPermissions);
  if ((which & FUSE_SET_ATTR_UID) != 0) inode.uid = wanted.st_uid;
  if ((which & FUSE_SET_ATTR_GID) != 0) inode.gid = wanted.st_gid;
  inode.Changed();
  if ((which & FUSE_SET_ATTR_ATIME) != 0) inode.accessed = wanted.st_atim;
  if ((which & FUSE_SET_ATTR_MTIME) != 0) inode.modified = wanted.st_mtim;
  if ((which & FUSE_SET_ATTR_ATIME_NOW) != 0) inode.accessed = inode.changed;
  if ((which & FUSE_SET_ATTR_MTIME_NOW) != 0) inode.modified = inode.changed;
  return 0;
}

void SetAttributes(fuse_req_t request, fuse_ino_t number, struct stat* wanted, int which, fuse_file_info*) {
  FileSystem& fs = FileSystemOf(request);
  const std::lock_guard lock(fs.mutex);
  Inode& inode = fs.tree.Get(number);
  const int error = Apply(fs, inode, *wanted, which);
  if (error != 0) {
    fuse_reply_err(request, error);
    return;
  }
  const struct stat attributes = AttributesOf(fs, inode);
  fuse_reply_attr(request, &attributes, kValidSeconds);
}

// What mknod, mkdir and symlink have in common. Returns null after having replied with an error.
Inode* MakeInode(fuse_req_t request, FileSystem& fs, fuse_ino_t parent, const char* name, mode_t mode) {
  Inode& directory = fs.tree.Get(parent);
  int error = 0;
  if (const auto injected = fs.faults.Check("create"); injected && S_ISREG(mode)) error = *injected;
  if (error == 0 && std::string_view(name).size() > NAME_MAX) error = ENAMETOOLONG;
  if (error == 0 && directory.links == 0) error = ENOENT;
  if (error == 0 && fs.tree.Lookup(directory, name) != nullptr) error = EEXIST;
  if (error != 0) {
    fuse_reply_err(request, error);
    return nullptr;
  }
  const fuse_ctx& context = *fuse_req_ctx(request);
  return &fs.tree.Make(directory, name, mode, context.uid, context.gid);
}

void MakeNode(fuse_req_t request, fuse_ino_t parent, const char* name, mode_t mode, dev_t device) {
  FileSystem& fs = FileSystemOf(request);
  const std::lock_guard lock(fs.mutex);
  Inode* const inode = MakeInode(request, fs, parent, name, mode);
  if (inode == nullptr) return;
  inode->device = device;
  fs.LayoutAtCreate(*inode, O_RDONLY);
  const fuse_entry_param entry = EntryFor(fs, *inode);
  fuse_reply_entry(request, &entry);
}

void MakeDirectory(fuse_req_t request, fuse_ino_t parent, const char* name, mode_t mode) {
  FileSystem& fs = FileSystemOf(request);
  const std::lock_guard lock(fs.mutex);
  Inode* const inode = MakeInode(request, fs, parent, name, S_IFDIR | (mode & kPermissions));
  if (inode == nullptr) return;
  const Inode& directory = fs.tree.Get(parent);
  // Lustre hands a directory's default on when a directory is made; the root's is looked up when needed.
  if (directory.default_layout && directory.default_layout->origin == Origin::kLustre &&
      directory.number != Tree::kRoot) {
    inode->default_layout = directory.default_layout;
  }
  const fuse_entry_param entry = EntryFor(fs, *inode);
  fuse_reply_entry(request, &entry);
}

void SymbolicLink(fuse_req_t request, const char* target, fuse_ino_t parent, const char* name) {
  FileSystem& fs = FileSystemOf(request);
  const std::lock_guard lock(fs.mutex);
  Inode* const inode = MakeInode(request, fs, parent, name, S_IFLNK | 0777);
  if (inode == nullptr) return;
  inode->link_target = target;
  inode->size = static_cast<off_t>(inode->link_target.size());
  const fuse_entry_param entry = EntryFor(fs, *inode);
  fuse_reply_entry(request, &entry);
}

void ReadLink(fuse_req_t request, fuse_ino_t number) {
  FileSystem& fs = FileSystemOf(request);
  const std::lock_guard lock(fs.mutex);
  fuse_reply_readlink(request, fs.tree.Get(number).link_target.c_str());
}

void Link(fuse_req_t request, fuse_ino_t number, fuse_ino_t parent, const char* name) {
  FileSystem& fs = FileSystemOf(request);
  const std::lock_guard lock(fs.mutex);
  Inode& inode = fs.tree.Get(number);
  Inode& directory = fs.tree.Get(parent);
  int error = fs.faults.Check("link").value_or(0);
  if (error == 0 && inode.is_directory()) error = EPERM;
  if (error == 0 && (inode.links == 0 || directory.links == 0)) error = ENOENT;
  if (error == 0 && std::string_view(name).size() > NAME_MAX) error = ENAMETOOLONG;
  if (error == 0 && fs.tree.Lookup(directory, name) != nullptr) error = EEXIST;
  if (error != 0) {
    fuse_reply_err(request, error);
    return;
  }
  fs.tree.Link(directory, name, inode);
  const fuse_entry_param entry = EntryFor(fs, inode);
  fuse_reply_entry(request, &entry);
}

void Unlink(fuse_req_t request, fuse_ino_t parent, const char* name) {
  FileSystem& fs = FileSystemOf(request);
  const std::lock_guard lock(fs.mutex);
  fuse_reply_err(request, fs.tree.Remove(fs.tree.Get(parent), name, false));
}

void RemoveDirectory(fuse_req_t request, fuse_ino_t parent, const char* name) {
  FileSystem& fs = FileSystemOf(request);
  const std::lock_guard lock(fs.mutex);
  fuse_reply_err(request, fs.tree.Remove(fs.tree.Get(parent), name, true));
}

void Rename(fuse_req_t request, fuse_ino_t from, const char* name, fuse_ino_t to, const char* new_name,
            unsigned flags) {
  FileSystem& fs = FileSystemOf(request);
  const std::lock_guard lock(fs.mutex);
  // Lustre knows neither RENAME_NOREPLACE nor RENAME_EXCHANGE.
  const int error = flags != 0 ? EINVAL : fs.tree.Rename(fs.tree.Get(from), name, fs.tree.Get(to), new_name);
  fuse_reply_err(request, error);
}

void OpenDirectory(fuse_req_t request, fuse_ino_t number, fuse_file_info* info) {
  FileSystem& fs = FileSystemOf(request);
  const std::lock_guard lock(fs.mutex);
  auto handle = std::make_unique<DirectoryHandle>();
  const Inode& directory = fs.tree.Get(number);
  handle->entries.push_back({".", directory.number, S_IFDIR});
  handle->entries.push_back({"..", directory.parent, S_IFDIR});
  for (const auto& [name, child] : directory.entries) {
    handle->entries.push_back({name, child, fs.tree.Get(child).mode});
  }
  info->fh = fs.directories.Add(std::move(handle));
  // On failure the open was interrupted, and no release follows.
  if (fuse_reply_open(request, info) != 0) fs.directories.Remove(info->fh);
}

void ReadDirectory(fuse_req_t request, fuse_ino_t, size_t size, off_t offset, fuse_file_info* info) {
  const DirectoryHandle& handle = HandleTable<DirectoryHandle>::Get(info->fh);
  std::vector<char> buffer(size);
  size_t used = 0;
  for (auto index = static_cast<size_t>(offset); index < handle.entries.size(); ++index) {
    const DirectoryHandle::Entry& entry = handle.entries[index];
    struct stat attributes {};
    attributes.st_ino = entry.number;
    attributes.st_mode = entry.mode;
    const size_t needed = fuse_add_direntry(request, buffer.data() + used, size - used, entry.name.c_str(),
                                            &attributes, static_cast<off_t>(index + 1));
    if (needed > size - used) break;
    used += needed;
  }
  fuse_reply_buf(request, buffer.data(), used);
}

void ReleaseDirectory(fuse_req_t request, fuse_ino_t, fuse_file_info* info) {
  FileSystem& fs = FileSystemOf(request);
  {
    const std::lock_guard lock(fs.mutex);
    fs.directories.Remove(info->fh);
  }
  fuse_reply_err(request, 0);
}

void StatFileSystem(fuse_req_t request, fuse_ino_t) {
  // The files live in memory; that is what there is room for.
  struct sysinfo memory {};
  sysinfo(&memory);
  constexpr unsigned long kBlock = 4096;
  struct statvfs stat {};
  stat.f_bsize = kMaxRequest;
  stat.f_frsize = kBlock;
  stat.f_blocks = memory.totalram / kBlock * memory.mem_unit;
  stat.f_bfree = stat.f_bavail = memory.freeram / kBlock * memory.mem_unit;
  FileSystem& fs = FileSystemOf(request);
  const std::lock_guard lock(fs.mutex);
  stat.f_ffree = stat.f_favail = 1 << 20;
  stat.f_files = stat.f_ffree + fs.tree.size();
  stat.f_namemax = NAME_MAX;
  fuse_reply_statfs(request, &stat);
}

}  // namespace

FileSystem& FileSystemOf(fuse_req_t request) { return *static_cast<FileSystem*>(fuse_req_userdata(request)); }

struct stat AttributesOf(const FileSystem& fs, const Inode& inode) {
  struct stat attributes {};
  if (inode.data.valid()) fstat(inode.data.get(), &attributes);  // for the blocks in use
  const blkcnt_t blocks = attributes.st_blocks;
  attributes = {};
  attributes.st_ino = inode.number;
  attributes.st_mode = inode.mode;
  attributes.st_nlink = inode.links;
  attributes.st_uid = inode.uid;
  attributes.st_gid = inode.gid;
  attributes.st_rdev = inode.device;
  attributes.st_size = inode.size;
  attributes.st_blocks = blocks;
  attributes.st_blksize = 4096;
  if (inode.is_regular()) {
    const bool placed = inode.layout && inode.layout->parts.front().placed;
    attributes.st_blksize =
        static_cast<blksize_t>(placed ? inode.layout->parts.front().stripe.unit : fs.options.default_unit);
  }
  attributes.st_atim = inode.accessed;
  attributes.st_mtim = inode.modified;
  attributes.st_ctim = inode.changed;
  return attributes;
}

int SetSize(Inode& inode, off_t size) {
  if (inode.data.valid() && ftruncate(inode.data.get(), size) != 0) return errno;
  inode.size = size;
  if (size > 0) inode.ever_had_data = true;
  inode.Modified();
  return 0;
}

fuse_lowlevel_ops Operations() {
  fuse_lowlevel_ops ops{};
  ops.init = Init;
  ops.lookup = Lookup;
  ops.forget = Forget;
  ops.forget_multi = ForgetMulti;
  ops.getattr = GetAttributes;
  ops.setattr = SetAttributes;
  ops.mknod = MakeNode;
  ops.mkdir = MakeDirectory;
  ops.symlink = SymbolicLink;
  ops.readlink = ReadLink;
  ops.link = Link;
  ops.unlink = Unlink;
  ops.rmdir = RemoveDirectory;
  ops.rename = Rename;
  ops.opendir = OpenDirectory;
  ops.readdir = ReadDirectory;
  ops.releasedir = ReleaseDirectory;
  ops.statfs = StatFileSystem;
  FillDataOperations(ops);
  FillAttributeOperations(ops);
  FillIoctl(ops);
  return ops;
}

}  // namespace toto::stripefs
