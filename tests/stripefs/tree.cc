// SPDX-License-Identifier: BSD-3-Clause
#include "tree.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <utility>

namespace toto::stripefs {

UniqueFd& UniqueFd::operator=(UniqueFd&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

UniqueFd::~UniqueFd() {
  if (fd_ >= 0) close(fd_);
}

timespec RealTime() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return now;
}

void Inode::Modified() { modified = changed = RealTime(); }

void Inode::Changed() { changed = RealTime(); }

int Inode::EnsureData() {
  if (data.valid()) return 0;
  UniqueFd fd(memfd_create("stripefs", MFD_CLOEXEC));
  if (!fd.valid()) return errno;
  if (size > 0 && ftruncate(fd.get(), size) != 0) return errno;
  data = std::move(fd);
  return 0;
}

Tree::Tree(uid_t uid, gid_t gid) {
  auto root = std::make_unique<Inode>();
  root->number = root->parent = next_number_++;
  root->mode = S_IFDIR | 0755;
  root->links = 2;
  root->uid = uid;
  root->gid = gid;
  root->lookups = 1;
  root->accessed = root->modified = root->changed = RealTime();
  inodes_.emplace(kRoot, std::move(root));
}

Inode* Tree::Find(std::uint64_t number) {
  const auto found = inodes_.find(number);
  return found == inodes_.end() ? nullptr : found->second.get();
}

Inode* Tree::Lookup(const Inode& directory, std::string_view name) {
  const auto entry = directory.entries.find(name);
  return entry == directory.entries.end() ? nullptr : Find(entry->second);
}

Inode& Tree::Make(Inode& directory, std::string_view name, mode_t mode, uid_t uid, gid_t gid) {
  auto made = std::make_unique<Inode>();
  Inode& inode = *made;
  inode.number = next_number_++;
  inode.mode = mode;
  inode.uid = uid;
  inode.gid = gid;
  if ((directory.mode & S_ISGID) != 0) {
    inode.gid = directory.gid;
    if (S_ISDIR(mode)) inode.mode |= S_ISGID;
  }
  inode.accessed = inode.modified = inode.changed = RealTime();
  inodes_.emplace(inode.number, std::move(made));
  Link(directory, name, inode);
  if (inode.is_directory()) {
    ++inode.links;
    ++directory.links;
  }
  return inode;
}

void Tree::Link(Inode& directory, std::string_view name, Inode& inode) {
  directory.entries.emplace(name, inode.number);
  directory.Modified();
  inode.parent = directory.number;
  ++inode.links;
  inode.Changed();
}

void Tree::Unlink(Inode& directory, NameMap::const_iterator entry) {
  Inode& inode = Get(entry->second);
  directory.entries.erase(entry);
  directory.Modified();
  --inode.links;
  if (inode.is_directory()) {
    --inode.links;
    --directory.links;
  }
  inode.Changed();
  DropIfUnused(inode);
}

int Tree::Remove(Inode& directory, std::string_view name, bool directories) {
  const auto entry = directory.entries.find(name);
  if (entry == directory.entries.end()) return ENOENT;
  const Inode& inode = Get(entry->second);
  if (inode.is_directory() != directories) return directories ? ENOTDIR : EISDIR;
  if (!inode.entries.empty()) return ENOTEMPTY;
  Unlink(directory, entry);
  return 0;
}

int Tree::Rename(Inode& from, std::string_view name, Inode& to, std::string_view new_name) {
  Inode* const moved = Lookup(from, name);
  if (moved == nullptr) return ENOENT;
  if (const Inode* const replaced = Lookup(to, new_name); replaced != nullptr) {
    if (replaced == moved) return 0;  // two links of one file: POSIX wants nothing to happen
    if (moved->is_directory() && !replaced->is_directory()) return ENOTDIR;
    const int error = Remove(to, new_name, moved->is_directory());
    if (error != 0) return error;
  }
  from.entries.erase(from.entries.find(name));
  to.entries.emplace(new_name, moved->number);
  moved->parent = to.number;
  if (moved->is_directory()) {
    --from.links;
    ++to.links;
  }
  from.Modified();
  to.Modified();
  moved->Changed();
  return 0;
}

bool Tree::Forget(std::uint64_t number, std::uint64_t count) {
  Inode* const inode = Find(number);
  if (inode == nullptr) return false;
  inode->lookups -= count;
  DropIfUnused(*inode);
  return Find(number) == nullptr;
}

void Tree::DropIfUnused(Inode& inode) {
  if (inode.links == 0 && inode.lookups == 0 && inode.number != kRoot) inodes_.erase(inode.number);
}

}  // namespace toto::stripefs
