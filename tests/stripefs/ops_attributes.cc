// SPDX-License-Identifier: BSD-3-Clause
//
// Extended attributes: control (stripefs.*), layouts (lustre.lov, ceph.*), and the users' own.
#include <sys/xattr.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>
#include <utility>

#include "ceph.h"
#include "control.h"
#include "lustre.h"
#include "ops.h"

namespace toto::stripefs {

namespace {

constexpr std::string_view kLustre = "lustre.lov";
constexpr std::string_view kTrustedLustre = "trusted.lov";

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool IsLustre(std::string_view name) { return name == kLustre || name == kTrustedLustre; }

// The namespaces whose attributes are kept as they are; who may, the kernel has checked.
bool IsPlain(std::string_view name) {
  // A default access list is kept and not applied: for programs that ask whether there is one.
  return StartsWith(name, "user.") || StartsWith(name, "trusted.") || name == "system.posix_acl_default";
}

// --- Lustre ---

int GetLustre(FileSystem& fs, const Inode& inode, std::string* value) {
  if (!fs.options.lustre) return EOPNOTSUPP;
  if (const auto injected = fs.faults.Check("attribute")) return *injected;
  if (const auto injected = fs.faults.Check("getlayout")) return *injected;
  if (inode.is_directory()) {
    const auto& own = inode.default_layout ? inode.default_layout : fs.tree.Get(Tree::kRoot).default_layout;
    if (!own) return ENODATA;
    *value = lustre::Encode(*own, inode.number);
    return 0;
  }
  if (!inode.layout) return ENODATA;
  *value = lustre::Encode(*inode.layout, inode.number);
  return 0;
}

int SetLustre(FileSystem& fs, Inode& inode, std::string_view value) {
  if (!fs.options.lustre) return EOPNOTSUPP;
  if (const auto injected = fs.faults.Check("attribute")) return *injected;
  if (const auto injected = fs.faults.Check("setlayout")) return *injected;
  if (inode.is_directory() && value.empty()) {
    inode.default_layout.reset();
    return 0;
  }
  FileLayout layout;
  const int error = lustre::Decode(value, lustre::Way::kAttribute, &layout);
  if (error != 0) return error;
  if (inode.is_directory()) return fs.SetDirectoryDefault(inode, std::move(layout));
  if (!inode.is_regular()) return EINVAL;
  const int set = fs.SetLayout(inode, std::move(layout));
  // The real client reports success for a file that has its objects already, and does nothing.
  return set == EEXIST ? 0 : set;
}

// --- Ceph ---

// A file always has a layout in Ceph's eyes: until it has one of its own, the one it is going to get.
ceph::Fields CephFieldsOf(FileSystem& fs, const Inode& file) {
  if (file.layout) return ceph::FromLayout(*file.layout, fs.placer);
  const Inode* const directory = fs.tree.Find(file.parent);
  return ceph::FromLayout(fs.DefaultFor(directory != nullptr ? *directory : fs.tree.Get(Tree::kRoot)),
                          fs.placer);
}

int GetCeph(FileSystem& fs, const Inode& inode, std::string_view name, std::string* value) {
  if (!fs.options.ceph) return EOPNOTSUPP;
  const bool of_directory = StartsWith(name, ceph::kDirectoryPrefix);
  if (!of_directory && !StartsWith(name, ceph::kFilePrefix)) return ENODATA;
  if (of_directory != inode.is_directory()) return ENODATA;
  if (const auto injected = fs.faults.Check("getlayout")) return *injected;
  if (of_directory) {
    if (!inode.default_layout) return ENODATA;
    return ceph::Get(name.substr(ceph::kDirectoryPrefix.size()),
                     ceph::FromLayout(*inode.default_layout, fs.placer), value);
  }
  return ceph::Get(name.substr(ceph::kFilePrefix.size()), CephFieldsOf(fs, inode), value);
}

int SetCephDirectory(FileSystem& fs, Inode& directory, std::string_view field, std::string_view value) {
  if (!directory.is_directory()) return EINVAL;
  ceph::Fields fields = ceph::FromLayout(fs.DefaultFor(directory), fs.placer);
  const int error = ceph::Set(field, value, &fields);
  if (error == 0) directory.default_layout = ceph::ToLayout(fields);
  return error;
}

int SetCephFile(FileSystem& fs, Inode& file, std::string_view field, std::string_view value) {
  if (!file.is_regular()) return EINVAL;
  ceph::Fields fields = CephFieldsOf(fs, file);
  const int error = ceph::Set(field, value, &fields);
  if (error != 0) return error;
  if (file.ever_had_data) return ENOTEMPTY;
  if (fs.faults.clip() != 0)
    fields.stripe_count = std::min<std::uint64_t>(fields.stripe_count, fs.faults.clip());
  // Not placed before the first write: until then it may be set again.
  file.layout = ceph::ToLayout(fields);
  return 0;
}

int SetCeph(FileSystem& fs, Inode& inode, std::string_view name, std::string_view value) {
  if (!fs.options.ceph) return EOPNOTSUPP;
  if (const auto injected = fs.faults.Check("setlayout")) return *injected;
  if (StartsWith(name, ceph::kDirectoryPrefix)) {
    return SetCephDirectory(fs, inode, name.substr(ceph::kDirectoryPrefix.size()), value);
  }
  if (StartsWith(name, ceph::kFilePrefix)) {
    return SetCephFile(fs, inode, name.substr(ceph::kFilePrefix.size()), value);
  }
  return ENODATA;
}

// --- all ---

int Get(FileSystem& fs, const Inode& inode, std::string_view name, std::string* value) {
  if (StartsWith(name, kControlPrefix))
    return GetControl(fs, inode, name.substr(kControlPrefix.size()), value);
  if (IsLustre(name)) return GetLustre(fs, inode, value);
  if (StartsWith(name, "ceph.")) return GetCeph(fs, inode, name, value);
  if (!IsPlain(name)) return StartsWith(name, "security.") ? ENODATA : EOPNOTSUPP;
  const auto found = inode.attributes.find(name);
  if (found == inode.attributes.end()) return ENODATA;
  *value = found->second;
  return 0;
}

int Set(FileSystem& fs, Inode& inode, std::string_view name, std::string_view value, int flags) {
  if (StartsWith(name, kControlPrefix))
    return SetControl(fs, inode, name.substr(kControlPrefix.size()), value);
  if (IsLustre(name)) return SetLustre(fs, inode, value);
  if (StartsWith(name, "ceph.")) return SetCeph(fs, inode, name, value);
  if (!IsPlain(name)) return EOPNOTSUPP;
  const bool exists = inode.attributes.contains(name);
  if (exists && (flags & XATTR_CREATE) != 0) return EEXIST;
  if (!exists && (flags & XATTR_REPLACE) != 0) return ENODATA;
  inode.attributes.insert_or_assign(std::string(name), std::string(value));
  inode.Changed();
  return 0;
}

int Remove(FileSystem& fs, Inode& inode, std::string_view name) {
  if (IsLustre(name)) {
    if (!fs.options.lustre) return EOPNOTSUPP;
    if (!inode.is_directory()) return ENODATA;
    inode.default_layout.reset();
    return 0;
  }
  if (StartsWith(name, "ceph.")) {
    if (!fs.options.ceph) return EOPNOTSUPP;
    if (name != ceph::kDirectoryPrefix || !inode.default_layout) return ENODATA;
    inode.default_layout.reset();
    return 0;
  }
  const auto found = inode.attributes.find(name);
  if (found == inode.attributes.end()) return IsPlain(name) ? ENODATA : EOPNOTSUPP;
  inode.attributes.erase(found);
  inode.Changed();
  return 0;
}

// Ceph's and our own attributes are not listed, so that cp -a and rsync do not carry them.
std::string List(const FileSystem& fs, const Inode& inode, bool privileged) {
  std::string names;
  const auto add = [&names](std::string_view name) { (names += name) += '\0'; };
  if (fs.options.lustre && (inode.layout || inode.default_layout)) {
    add(kLustre);
    if (privileged) add(kTrustedLustre);
  }
  for (const auto& [name, value] : inode.attributes) {
    if (privileged || !StartsWith(name, "trusted.")) add(name);
  }
  return names;
}

// A caller that passes no buffer asks for the size.
void ReplyValue(fuse_req_t request, const std::string& value, size_t room) {
  if (room == 0) {
    fuse_reply_xattr(request, value.size());
  } else if (value.size() > room) {
    fuse_reply_err(request, ERANGE);
  } else {
    fuse_reply_buf(request, value.data(), value.size());
  }
}

void GetAttribute(fuse_req_t request, fuse_ino_t number, const char* name, size_t room) {
  FileSystem& fs = FileSystemOf(request);
  std::string value;
  int error = 0;
  {
    const std::lock_guard lock(fs.mutex);
    error = Get(fs, fs.tree.Get(number), name, &value);
  }
  if (error != 0) {
    fuse_reply_err(request, error);
  } else {
    ReplyValue(request, value, room);
  }
}

void SetAttribute(fuse_req_t request, fuse_ino_t number, const char* name, const char* value, size_t size,
                  int flags) {
  FileSystem& fs = FileSystemOf(request);
  const std::lock_guard lock(fs.mutex);
  fuse_reply_err(request, Set(fs, fs.tree.Get(number), name, {value, size}, flags));
}

void ListAttributes(fuse_req_t request, fuse_ino_t number, size_t room) {
  FileSystem& fs = FileSystemOf(request);
  const bool privileged = fuse_req_ctx(request)->uid == 0;
  const std::lock_guard lock(fs.mutex);
  ReplyValue(request, List(fs, fs.tree.Get(number), privileged), room);
}

void RemoveAttribute(fuse_req_t request, fuse_ino_t number, const char* name) {
  FileSystem& fs = FileSystemOf(request);
  const std::lock_guard lock(fs.mutex);
  fuse_reply_err(request, Remove(fs, fs.tree.Get(number), name));
}

}  // namespace

void FillAttributeOperations(fuse_lowlevel_ops& ops) {
  ops.getxattr = GetAttribute;
  ops.setxattr = SetAttribute;
  ops.listxattr = ListAttributes;
  ops.removexattr = RemoveAttribute;
}

}  // namespace toto::stripefs
