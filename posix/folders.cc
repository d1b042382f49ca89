// SPDX-License-Identifier: BSD-3-Clause
#include "posix/folders.h"

#include "core/path.h"
#include "core/places.h"
#include "core/sys.h"
#include "posix/owner.h"
#include "posix/record.h"

namespace toto::posix {
namespace {

void note(File& file, std::uint64_t entries, std::uint64_t started, std::uint64_t ended) {
  record_meta(file, Layer::kPosix, Counter::listings, started, ended);
  if (entries != 0) Shared::add(registry::shard(file, Layer::kPosix).counters[Counter::entries], entries);
}

}  // namespace

void note_folder(int fd, int dir, const char* path, std::uint64_t started) {
  const sys::KeepErrno keep;
  const std::uint64_t ended = clock::ticks();
  forget(fd);  // the number may have been closed by a call that we did not see
  struct statx info;
  path::Path name{path::Path::Unfilled{}};
  if (!places::may_be_watched(fd, info, S_IFDIR) || !path::absolute(dir, path, name)) return;
  path::Path within(name);  // the place asked for is that of what lies in it
  within.add("/.");
  if (!places::of_descriptor(fd, info, within).watched || shares_memory_with_parent() || !registry::start())
    return;
  File& file = *registry::find_or_add(name);
  open_descriptor(fd, file);
  note(file, 0, started, ended);
}

void note_listing(int dir, const char* path, int entries, std::uint64_t started) {
  const std::uint64_t ended = clock::ticks();
  if (File* file = watched_by_name(dir, path)) {
    note(*file, static_cast<std::uint64_t>(entries), started, ended);
  }
}

}  // namespace toto::posix
