// SPDX-License-Identifier: BSD-3-Clause
#include "filesystem.h"

#include <fcntl.h>

#include <cerrno>
#include <utility>

#include "ceph.h"
#include "lustre.h"

namespace toto::stripefs {

FileSystem::FileSystem(const Options& wanted, uid_t uid, gid_t gid)
    : options(wanted),
      tree(uid, gid),
      model(wanted.model),
      placer(wanted.model.targets, wanted.default_count, wanted.default_unit) {}

FileLayout FileSystem::DefaultFor(const Inode& directory) {
  // Ceph looks up the tree for the nearest default; Lustre knows the directory's own and the root's.
  for (const Inode* at = &directory; at != nullptr;) {
    const bool reaches = at == &directory || at->number == Tree::kRoot;
    if (at->default_layout && (reaches || at->default_layout->origin == Origin::kCeph)) {
      return *at->default_layout;
    }
    at = at->number == Tree::kRoot ? nullptr : tree.Find(at->parent);
  }
  if (options.lustre || options.beegfs) return PlainLayout({}, Origin::kDefault);
  ceph::Fields fields;
  fields.stripe_unit = options.default_unit;
  fields.stripe_count = options.default_count;
  fields.object_size = ceph::ObjectSizeFor(options.default_unit);
  return ceph::ToLayout(fields);
}

bool FileSystem::WritesNow(int open_flags) const {
  return (open_flags & O_ACCMODE) != O_RDONLY && (open_flags & lustre::kDelayCreate) == 0;
}

int FileSystem::PlaceDefault(Inode& file) {
  const Inode* const directory = tree.Find(file.parent);
  FileLayout layout = directory != nullptr ? DefaultFor(*directory) : DefaultFor(tree.Get(Tree::kRoot));
  // Ceph's layouts can be changed until there is data, so that there targets wait for it.
  if (layout.origin != Origin::kCeph) {
    const int error = placer.Place(layout.parts.front());
    if (error != 0) return error;
  }
  file.layout = std::move(layout);
  return 0;
}

int FileSystem::LayoutAtCreate(Inode& file, int open_flags) {
  if (!file.is_regular() || (options.lustre && !WritesNow(open_flags))) return 0;
  return PlaceDefault(file);
}

int FileSystem::LayoutAtOpen(Inode& file, int open_flags) {
  if (file.layout || !WritesNow(open_flags)) return 0;
  return PlaceDefault(file);
}

int FileSystem::SetLayout(Inode& file, FileLayout layout) {
  if (file.layout && (file.ever_had_data || !options.lenient)) return EEXIST;
  // An explicit layout leaves nothing of the directory's default but the pool.
  if (const Inode* const directory = tree.Find(file.parent); directory != nullptr) {
    const std::string pool = DefaultFor(*directory).parts.front().wish.pool;
    for (Component& part : layout.parts) {
      if (part.wish.pool.empty()) part.wish.pool = pool;
    }
  }
  const int error = placer.Place(layout.parts.front());
  if (error == 0) file.layout = std::move(layout);
  return error;
}

int FileSystem::SetDirectoryDefault(Inode& directory, FileLayout layout) {
  if (lustre::IsAllDefault(layout)) {
    directory.default_layout.reset();
    return 0;
  }
  // Said now rather than by every later creation.
  for (const Component& part : layout.parts) {
    if (part.wish.first && *part.wish.first >= placer.targets()) return EINVAL;
    for (const std::uint32_t target : part.wish.targets) {
      if (target >= placer.targets()) return ENODEV;
    }
  }
  directory.default_layout = std::move(layout);
  return 0;
}

int FileSystem::PlaceRange(Inode& file, std::uint64_t offset, std::uint64_t length) {
  if (!file.layout) return EBADF;
  for (Component& part : file.layout->parts) {
    if (part.placed || part.start >= offset + length || part.end <= offset) continue;
    const int error = placer.Place(part);
    if (error != 0) return error;
  }
  return 0;
}

void FileSystem::Forget(std::uint64_t inode, std::uint64_t lookups) {
  if (tree.Forget(inode, lookups)) model.ForgetFile(inode);
}

}  // namespace toto::stripefs
