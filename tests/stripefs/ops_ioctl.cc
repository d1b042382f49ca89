// SPDX-License-Identifier: BSD-3-Clause
//
// The ioctls of Lustre and BeeGFS. Where the ioctl's number declares less than the real structure, or the
// structure holds a pointer, the caller's memory is read and written directly; never with the mutex held.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "beegfs.h"
#include "caller.h"
#include "lustre.h"
#include "ops.h"

namespace toto::stripefs {

namespace {

constexpr int kNotSupported = 524;  // the kernel's ENOTSUPP, which Lustre lets through

// One call, with what is needed to answer it.
struct Call {
  fuse_req_t request;
  FileSystem& fs;
  Inode& inode;
  pid_t thread;
  std::uint64_t address;      // the argument as the caller passed it
  std::string_view received;  // what the kernel copied of it
  std::size_t room;           // what the kernel will copy back
};

void Fail(const Call& call, int error) { fuse_reply_err(call.request, error); }

void Succeed(const Call& call, std::string_view out = {}) {
  fuse_reply_ioctl(call.request, 0, out.data(), std::min(out.size(), call.room));
}

void Finish(const Call& call, int error) {
  if (error != 0) {
    Fail(call, error);
  } else {
    Succeed(call);
  }
}

// For answers longer than the ioctl's number declares. What the kernel copies as well must be the same bytes.
void SucceedWith(const Call& call, std::string_view bytes) {
  const int error = WriteMemory(call.thread, call.address, bytes);
  if (error != 0) {
    Fail(call, error);
  } else {
    Succeed(call, bytes);
  }
}

// --- Lustre ---

int ReadBlob(const Call& call, std::string* blob) {
  const int error = ReadMemory(call.thread, call.address, lustre::kPrologue, blob);
  if (error != 0) return error;
  const std::size_t size = lustre::BlobSize(*blob);
  if (size < lustre::kPrologue || size > lustre::kMaxBlob) return EINVAL;
  return size == blob->size() ? 0 : ReadMemory(call.thread, call.address, size, blob);
}

void SetStripe(const Call& call) {
  std::string blob;
  FileLayout layout;
  int error = ReadBlob(call, &blob);
  if (error == 0) error = lustre::Decode(blob, lustre::Way::kIoctl, &layout);
  if (error != 0) {
    Fail(call, error);
    return;
  }
  std::string header;
  {
    const std::lock_guard lock(call.fs.mutex);
    // The server wants write permission on the inode, whatever the descriptor was opened for.
    if (!MayAccess(call.request, call.inode, W_OK)) {
      error = EACCES;
    } else if (const auto injected = call.fs.faults.Check("setlayout")) {
      error = *injected;
    } else if (call.inode.is_directory()) {
      // A directory takes a composite by attribute only.
      error = layout.composite ? kNotSupported : call.fs.SetDirectoryDefault(call.inode, std::move(layout));
    } else {
      error = call.fs.SetLayout(call.inode, std::move(layout));
      if (error == 0) header = lustre::EncodeHeader(*call.inode.layout, call.inode.number, blob.size());
    }
  }
  // The real one writes the outcome back into the caller's structure.
  if (error == 0 && !header.empty()) error = WriteMemory(call.thread, call.address, header);
  if (error != 0) {
    Fail(call, error);
  } else {
    Succeed(call, header);
  }
}

int LayoutForIoctl(const Call& call, std::uint32_t magic, std::uint16_t count, std::string* out) {
  const std::lock_guard lock(call.fs.mutex);
  if (const auto injected = call.fs.faults.Check("getlayout")) return *injected;
  const auto& root_default = call.fs.tree.Get(Tree::kRoot).default_layout;
  const auto& layout = !call.inode.is_directory()  ? call.inode.layout
                       : call.inode.default_layout ? call.inode.default_layout
                                                   : root_default;
  if (!layout) return ENODATA;
  return lustre::EncodeForIoctl(*layout, call.inode.number, magic, count, out);
}

void GetStripe(const Call& call) {
  std::string header;
  int error = ReadMemory(call.thread, call.address, lustre::kPrologue, &header);
  std::string out;
  if (error == 0) {
    std::uint32_t magic = 0;
    std::uint16_t count = 0;
    std::memcpy(&magic, header.data(), sizeof magic);
    std::memcpy(&count, header.data() + 28, sizeof count);
    error = LayoutForIoctl(call, magic, count, &out);
  }
  if (error != 0) {
    Fail(call, error);
  } else {
    SucceedWith(call, out);
  }
}

void GetTargetCount(const Call& call) {
  if (!call.inode.is_directory()) {
    Fail(call, ENOTTY);
    return;
  }
  std::string what;
  const int error = ReadMemory(call.thread, call.address, sizeof(std::uint32_t), &what);
  if (error != 0) {
    Fail(call, error);
    return;
  }
  // Any value but 0 asks for the number of metadata targets.
  const bool metadata = what.find_first_not_of('\0') != std::string::npos;
  const std::uint32_t count = metadata ? 1 : call.fs.placer.targets();
  Succeed(call, {reinterpret_cast<const char*>(&count), sizeof count});
}

bool HandleLustre(const Call& call, unsigned command) {
  switch (command) {
    case lustre::kSetStripe:
    case lustre::kSetStripeNew:
      SetStripe(call);
      return true;
    case lustre::kGetStripe:
    case lustre::kGetStripeNew:
      GetStripe(call);
      return true;
    case lustre::kGetDeviceName:
      Succeed(call, {lustre::kDeviceName.data(), lustre::kDeviceName.size()});
      return true;
    case lustre::kGetTargetCount:
      GetTargetCount(call);
      return true;
    default:
      return false;
  }
}

// --- BeeGFS ---

int MakeFileIn(const Call& call, const beegfs::MakeFile& wanted, const std::string& name, mode_t mask) {
  FileSystem& fs = call.fs;
  const std::lock_guard lock(fs.mutex);
  Inode& directory = call.inode;
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos) return EINVAL;
  if (!MayAccess(call.request, directory, W_OK | X_OK)) return EACCES;
  if (directory.links == 0) return ENOENT;
  if (fs.tree.Lookup(directory, name) != nullptr) return EEXIST;
  if (const auto injected = fs.faults.Check("create")) return *injected;
  const auto injected = fs.faults.Check("setlayout");
  if (injected && *injected != 0) return *injected;

  const FileLayout base = fs.DefaultFor(directory);
  FileLayout layout = injected ? base : beegfs::Requested(wanted, base);
  const int error = fs.placer.Place(layout.parts.front());
  if (error != 0) return error;
  const fuse_ctx& context = *fuse_req_ctx(call.request);
  const mode_t mode = S_IFREG | (wanted.mode & 0777 & ~mask);
  Inode& file = fs.tree.Make(directory, name, mode, context.uid, context.gid);
  file.layout = std::move(layout);
  return 0;
}

void MakeFile(const Call& call) {
  beegfs::MakeFile wanted{};
  std::string name;
  int error = call.inode.is_directory() ? 0 : ENOTDIR;
  if (error == 0) error = beegfs::DecodeMakeFile(call.received, &wanted);
  if (error == 0) error = ReadString(call.thread, wanted.file_name, beegfs::kMaxFileName, &name);
  if (error == ENAMETOOLONG) error = EINVAL;
  if (error == 0) error = MakeFileIn(call, wanted, name, UmaskOf(call.thread));
  Finish(call, error);
}

int StripeInfo(const Call& call, std::string* out) {
  const std::lock_guard lock(call.fs.mutex);
  if (call.inode.is_directory()) return EISDIR;
  if (!call.inode.layout) return EINVAL;
  if (const auto injected = call.fs.faults.Check("getlayout")) return *injected;
  *out = beegfs::EncodeStripeInfo(*call.inode.layout);
  return 0;
}

int StripeTarget(const Call& call, std::string* out) {
  std::string bytes;
  std::uint16_t index = 0;
  const int error = ReadMemory(call.thread, call.address, sizeof index, &bytes);
  if (error != 0) return error;
  std::memcpy(&index, bytes.data(), sizeof index);
  const std::lock_guard lock(call.fs.mutex);
  if (call.inode.is_directory()) return EISDIR;
  if (!call.inode.layout) return EINVAL;
  return beegfs::EncodeStripeTarget(*call.inode.layout, index, out);
}

bool HandleBeegfs(const Call& call, unsigned command) {
  std::string out;
  int error = 0;
  switch (command) {
    case beegfs::kTestIsBeegfs:
      SucceedWith(call, beegfs::kIdentity);
      return true;
    case beegfs::kMakeFile:
      MakeFile(call);
      return true;
    case beegfs::kGetStripeInfo:
      error = StripeInfo(call, &out);
      break;
    case beegfs::kGetStripeTarget:
      error = StripeTarget(call, &out);
      break;
    default:
      return false;
  }
  if (error != 0) {
    Fail(call, error);
  } else {
    Succeed(call, out);
  }
  return true;
}

void Ioctl(fuse_req_t request, fuse_ino_t number, unsigned command, void* argument, fuse_file_info*, unsigned,
           const void* received, size_t size, size_t room) {
  FileSystem& fs = FileSystemOf(request);
  Inode* inode = nullptr;
  {
    const std::lock_guard lock(fs.mutex);
    inode = &fs.tree.Get(number);
  }
  const Call call{request,
                  fs,
                  *inode,
                  fuse_req_ctx(request)->pid,
                  reinterpret_cast<std::uintptr_t>(argument),
                  {static_cast<const char*>(received), size},
                  room};
  if (fs.options.lustre && HandleLustre(call, command)) return;
  if (fs.options.beegfs && HandleBeegfs(call, command)) return;
  Fail(call, ENOTTY);
}

}  // namespace

void FillIoctl(fuse_lowlevel_ops& ops) { ops.ioctl = Ioctl; }

}  // namespace toto::stripefs
