// SPDX-License-Identifier: BSD-3-Clause
#include "posix/opening.h"

#include <cerrno>
#include <charconv>

#include "core/config.h"
#include "core/job.h"
#include "core/log.h"
#include "core/places.h"
#include "core/sys.h"
#include "hints/layout/mapped.h"
#include "hints/policy.h"
#include "hints/targets.h"
#include "posix/descriptors.h"
#include "posix/owner.h"
#include "posix/record.h"

namespace toto::posix {
namespace {

// Files of the kernel's own trees are never of interest, and many programs open hundreds of them.
bool is_kernel_tree(std::string_view path) {
  return path.starts_with("/proc/") || path.starts_with("/sys/") ||
         (path.starts_with("/dev/") && !path.starts_with("/dev/shm/"));
}

bool name_of(int dir, const char* path, path::Path& out) {
  const std::string_view name(path);
  if (is_kernel_tree(name)) return false;
  return path::absolute(dir, name, out);
}

bool is_missing(const path::Path& name) {
  struct statx info;
  return sys::statx(AT_FDCWD, name.c_str(), AT_SYMLINK_NOFOLLOW | AT_STATX_DONT_SYNC, STATX_TYPE, &info) !=
             0 &&
         errno == ENOENT;
}

// The file of an open, if it is of interest; nullptr: it is not, or cannot be counted.
File* file_of(int fd, int dir, const char* path, const Creation& creation) {
  path::Path name{path::Path::Unfilled{}};
  if (is_kernel_tree(path) || !name_of(dir, path, name)) return nullptr;
  // One that was opened by this very name before: nothing need be asked again.
  if (creation.file == nullptr && places::is_listed(name)) {
    File* known = registry::find(name);
    if (known != nullptr && known->inode.load(std::memory_order_relaxed) != 0 && !shares_memory_with_parent())
      return known;
  }
  struct statx info;
  if (!places::may_be_watched(fd, info)) return nullptr;
  const places::Place place = places::of_descriptor(fd, info, name);
  if (!place.watched || shares_memory_with_parent() || !registry::start()) return nullptr;
  File& file = creation.file != nullptr ? *creation.file : *registry::find_or_add(name);
  if (file.inode.load(std::memory_order_relaxed) == 0) file.inode = info.stx_ino;
  if (place.file_system != nullptr) {
    file.file_system = static_cast<std::uint32_t>(place.file_system - kKnownFileSystems.data()) + 1;
  }
  return &file;
}

// What the file's targets reach: only where that is wanted.
void watch_targets(int fd, int dir, const char* path, Description& open) {
  const std::uint32_t kind = open.file->file_system.load(std::memory_order_relaxed);
  path::Path name{path::Path::Unfilled{}};
  struct statx info;
  if (kind == 0 || !places::may_be_watched(fd, info) || !name_of(dir, path, name)) return;
  auto* const watch =
      hints::targets::watch(layout::by_name(kKnownFileSystems[kind - 1].name),
                            mounts::device_key(info.stx_dev_major, info.stx_dev_minor), name.c_str());
  open.watch = watch;
  if (watch != nullptr) open.state = open.state | Description::kWatched;
}

// A run of digits equal to the own rank: one file a process, as far as the name tells.
bool name_tells_rank(std::string_view path) {
  const int rank = job.rank.load(std::memory_order_relaxed);
  if (rank < 0) return false;
  const std::string_view base = path::base_name(path);
  for (std::size_t i = 0; i < base.size();) {
    if (base[i] < '0' || base[i] > '9') {
      ++i;
      continue;
    }
    int number = 0;
    const auto [end, error] = std::from_chars(base.data() + i, base.data() + base.size(), number);
    if (error == std::errc() && number == rank) return true;
    i = static_cast<std::size_t>(end - base.data());
  }
  return false;
}

// A layout for a file that is not there yet; fills `creation`.
void make_with_layout(const path::Path& name, const places::Place& place, int flags, mode_t mode,
                      Creation& creation) {
  policy::Request request;
  request.path = name;
  request.place = place;
  const int ranks = job.ranks.load(std::memory_order_relaxed);
  request.ranks = ranks > 0 ? static_cast<std::uint32_t>(ranks) : 1;
  request.nodes = static_cast<std::uint32_t>(std::max(1, job.nodes.load(std::memory_order_relaxed)));
  if (name_tells_rank(name) && ranks > 1) {
    request.sharing = hints::Sharing::kFilePerProcess;
    request.files = request.ranks;
  } else {
    request.sharing = hints::Sharing::kSerial;
  }
  request.own = &creation.own;
  layout::Mapped<Outcome> outcome;
  if (!outcome.ok()) return;
  const layout::Backend* backend = policy::decide(request, *outcome);
  if (backend == nullptr) {
    registry::keep_outcome(*creation.file, *outcome);  // for the report: why nothing was chosen
    return;
  }
  const layout::Created created = policy::make(*backend, request, mode, *outcome, &creation.late_mode);
  creation.made = created == layout::Created::kYes;
  creation.inode = outcome->inode;
  if (created == layout::Created::kExists) {
    creation.created = false;
    creation.taken = (flags & O_EXCL) != 0;
  }
  // Kept for the report while there is room; the file has its layout all the same.
  registry::keep_outcome(*creation.file, *outcome);
}

}  // namespace

int stream_flags(const char* mode) {
  if (mode == nullptr) return O_RDONLY;
  int flags = mode[0] == 'r' ? O_RDONLY : O_WRONLY | O_CREAT | (mode[0] == 'a' ? O_APPEND : O_TRUNC);
  for (const char* c = mode + 1; mode[0] != '\0' && *c != '\0' && *c != ','; ++c) {
    if (*c == '+') flags = (flags & ~O_ACCMODE) | O_RDWR;
    if (*c == 'x') flags |= O_EXCL;
    if (*c == 'e') flags |= O_CLOEXEC;
  }
  return flags;
}

Creation prepare_creation(int dir, const char* path, int flags, mode_t mode, bool may_make) {
  const sys::KeepErrno keep;
  Creation creation;
  // (O_TMPFILE contains O_DIRECTORY.) Inside MPI-IO the layout was decided by the wrapper of MPI_File_open.
  // O_NOCTTY and O_ASYNC together are Lustre's "layout comes later": a caller that sets its own.
  constexpr int kDelayCreate = O_NOCTTY | O_ASYNC;
  if (process::inside_mpi() || (flags & (O_PATH | O_DIRECTORY)) != 0 ||
      (flags & kDelayCreate) == kDelayCreate || path::is_only_lexical(path)) {
    return creation;
  }
  path::Path name{path::Path::Unfilled{}};
  if (!name_of(dir, path, name) || path::is_mpi_scratch(name)) return creation;
  // The file itself is asked for first where there is nothing to learn about its folder.
  const bool listed = places::is_listed(name);
  if (listed && !is_missing(name)) return creation;
  const places::Place place = places::of_folder(name);
  if (!place.watched || shares_memory_with_parent() || !registry::start()) return creation;
  if (!listed && !is_missing(name)) return creation;
  creation.created = true;
  creation.file = registry::find_or_add(name);
  if (policy::idle() || !may_make) return creation;
  make_with_layout(name, place, flags, mode, creation);
  return creation;
}

void note_open(int fd, int dir, const char* path, int flags, std::uint64_t started, const Creation& creation,
               Layer layer) {
  const sys::KeepErrno keep;
  const std::uint64_t ended = clock::ticks();
  File* const found = (flags & (O_DIRECTORY | O_PATH)) == 0 ? file_of(fd, dir, path, creation) : nullptr;
  if (found == nullptr) {
    forget(fd);  // the number may have been closed by a call that we did not see
    return;
  }
  File& file = *found;
  Description* open = open_descriptor(fd, file);
  if (open == nullptr) return;
  open->append = (flags & O_APPEND) != 0;
  open->added_nofollow = creation.made && (flags & (O_EXCL | O_NOFOLLOW)) == O_EXCL;
  open->state = process::inside_mpi() ? Description::kByMpi : 0;
  if (config::settings().monitor_targets && (flags & O_ACCMODE) != O_RDONLY)
    watch_targets(fd, dir, path, *open);
  if (const Outcome* outcome = file.outcome(); outcome != nullptr) {
    // Only powers of two, so that alignment costs a mask a call.
    const std::uint64_t size = outcome->obtained.size;
    file.stripe_size = (size & (size - 1)) == 0 ? static_cast<std::uint32_t>(size) : 0;
  }
  Counters& counters = registry::shard(file, layer).counters;
  Shared::add(counters[Counter::opens], 1);
  if (creation.created) Shared::add(counters[Counter::creates], 1);
  Shared::add(counters[Counter::meta_ticks], ended - started);
  Shared::add(counters[Counter::open_ticks], ended - started);
  first<Shared>(counters[Counter::first_open], started);
}

void follow(const Creation& creation, int fd) {
  const sys::KeepErrno keep;
  hints::own_files::Ticket ticket = creation.own;
  const Description* const open = fd >= 0 ? find(fd) : nullptr;
  if (open != nullptr && open->file == creation.file) {
    hints::own_files::begin(ticket, *creation.file);
  } else {
    hints::own_files::drop(ticket);
  }
}

void undo(int dir, const char* path, std::uint64_t inode) {
  const sys::KeepErrno keep;
  path::Path name{path::Path::Unfilled{}};
  if (name_of(dir, path, name)) policy::unmake(name.c_str(), inode);
}

void finish_mode(int fd, mode_t mode) {
  const sys::KeepErrno keep;
  sys::fchmod(fd, mode);
}

void note_close(File& file, Layer layer, std::uint64_t started, std::uint64_t ended, bool last) {
  record_meta(file, layer, Counter::closes, started, ended);
  Shared::raise(registry::shard(file, layer).counters[Counter::last_close], ended);
  if (last) stop_measuring(file);
}

void note_stat_of(int dir, const char* path, std::uint64_t device, std::uint64_t started) {
  const sys::KeepErrno keep;
  const std::uint64_t ended = clock::ticks();
  // Without a list a device that is of no interest ends it here.
  if (!places::has_list() && !places::of_device(device, {}).watched) return;
  path::Path name{path::Path::Unfilled{}};
  if (!name_of(dir, path, name) || !places::of_device(device, name).watched || shares_memory_with_parent() ||
      !registry::start()) {
    return;
  }
  record_meta(*registry::find_or_add(name), Layer::kPosix, Counter::stats, started, ended);
}

File* watched_by_name(int dir, const char* path) {
  const sys::KeepErrno keep;
  path::Path name{path::Path::Unfilled{}};
  if (!name_of(dir, path, name)) return nullptr;
  if (!places::is_listed(name) && !places::of_folder(name).watched) return nullptr;
  if (shares_memory_with_parent() || !registry::start()) return nullptr;
  return registry::find_or_add(name);
}

}  // namespace toto::posix
