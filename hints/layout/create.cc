// SPDX-License-Identifier: BSD-3-Clause
#include "hints/layout/create.h"

#include <string_view>

#include "core/path.h"
#include "core/sys.h"
#include "hints/layout/components.h"
#include "hints/layout/mapped.h"
#include "hints/layout/new_file.h"
#include "hints/layout/temporary_name.h"

namespace toto::layout {
namespace {

constexpr unsigned kRenameNoReplace = 1;  // linux/fs.h: RENAME_NOREPLACE

// Whether some name is `path`: a dangling symbolic link as well. 0 (no), EEXIST, or why it cannot be told.
int look_up(const char* path) {
  struct statx info;
  if (sys::statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, STATX_TYPE, &info) == 0)
    return EEXIST;
  return errno == ENOENT ? 0 : errno;
}

// Errors of link(2) which say that this file system knows no hard links.
bool no_hard_links(int error) {
  return error == EPERM || error == EOPNOTSUPP || error == EMLINK || error == ENOSYS || error == EXDEV;
}

// Gives the file `temporary` the name `path`, if that is free. 0, EEXIST, or another errno; only when it is 0
// the temporary name is gone.
int give_name(const char* temporary, const char* path) {
  if (sys::linkat(AT_FDCWD, temporary, AT_FDCWD, path) == 0) {
    sys::unlinkat(AT_FDCWD, temporary);
    return 0;
  }
  const int error = errno;
  if (!no_hard_links(error)) return error;
  if (::syscall(SYS_renameat2, AT_FDCWD, temporary, AT_FDCWD, path, kRenameNoReplace) == 0) return 0;
  return errno == EEXIST ? EEXIST : error;
}

struct Attempt {
  const Backend& backend;
  const Outcome& outcome;
  mode_t mode;        // of the program
  mode_t* late_mode;  // may be null
  Layout obtained;
  bool at_once = false;  // by Backend::create_at_once
};

// The mode as the program will have it, or, for a caller that opens, as late as after that. 0 or an errno.
int settle_mode(const char* path, Attempt& attempt) {
  if (attempt.late_mode == nullptr) return 0;
  const int made = permissions(path);
  if (made < 0) return errno;
  const mode_t owner = S_IRUSR | S_IWUSR;
  const mode_t has = static_cast<mode_t>(made);
  if ((attempt.mode & has & owner) == owner) return 0;
  // What mknod(2) left of the bits asked, see NewFile::keep().
  *attempt.late_mode = has & attempt.mode & 07777;
  return (has & owner) == owner ? 0 : change_mode(path, has | owner);
}

// Makes the file under this name. 0 or an errno with nothing left behind.
int make(const char* path, Attempt& attempt) {
  const mode_t owner = attempt.late_mode != nullptr ? S_IRUSR | S_IWUSR : 0;
  if (const int error =
          attempt.backend.create(path, attempt.mode | owner, attempt.outcome.asked, attempt.obtained)) {
    return error;
  }
  const int error = settle_mode(path, attempt);
  if (error != 0) sys::unlinkat(AT_FDCWD, path);
  return error;
}

// By one step that makes the file with its layout, where there is such a thing; EOPNOTSUPP: there is none.
int make_at_once(const char* path, Attempt& attempt) {
  const mode_t owner = attempt.late_mode != nullptr ? S_IRUSR | S_IWUSR : 0;
  if (const int error = attempt.backend.create_at_once(path, attempt.mode | owner, attempt.outcome.asked,
                                                       attempt.obtained)) {
    return error;
  }
  // Others may have the file open by now: whatever happens, it stays.
  settle_mode(path, attempt);
  return 0;
}

int make_and_name(const char* path, Attempt& attempt) {
  if (const int error = look_up(path)) return error;
  if (const int error = make_at_once(path, attempt); error != EOPNOTSUPP) {
    attempt.at_once = error == 0;
    return error;
  }
  Mapped<path::Path> temporary;
  if (!temporary.ok()) return ENOMEM;
  // A temporary name that is taken says nothing about `path`; it takes a crash and a clock set back.
  int error = EEXIST;
  for (int tries = 0; error == EEXIST && tries < 8; ++tries) {
    if (!temporary_name(path, *temporary)) return ENAMETOOLONG;
    error = make(temporary->c_str(), attempt);
  }
  if (error != 0) return error == EEXIST ? EBUSY : error;
  error = give_name(temporary->c_str(), path);
  if (error == 0) return 0;
  sys::unlinkat(AT_FDCWD, temporary->c_str());
  if (!no_hard_links(error) || attempt.backend.create_renames()) return error;
  // Neither hard links nor an exclusive rename: made under its name. Still one creator wins, but others may
  // open the file before it has its layout.
  return make(path, attempt);
}

bool pool_satisfies(const Layout& asked, const Layout& obtained) {
  return asked.pool.empty() || (asked.pool == obtained.pool.view() && !obtained.pool.truncated());
}

}  // namespace

bool satisfies(const Layout& asked, const Layout& obtained, std::uint32_t targets) {
  if (!asked.components.empty()) {
    const auto wish = parse_components(asked.components);
    const auto got = parse_components(obtained.components);
    return wish && got && satisfies(*wish, *got) && pool_satisfies(asked, obtained);
  }
  bool count = asked.count == 0 || obtained.count == asked.count;
  if (asked.count == kAllTargets && obtained.count > 0) {
    count = count || targets == 0 || !obtained.pool.empty() || obtained.count == targets;
  }
  return count && (asked.size == 0 || obtained.size == asked.size) &&
         (asked.object_size == 0 || obtained.object_size == 0 || obtained.object_size == asked.object_size) &&
         pool_satisfies(asked, obtained);
}

Created create(const Backend& backend, const char* path, mode_t mode, Outcome& outcome, mode_t* late_mode) {
  const sys::KeepErrno keep_errno;
  const Layout& asked = outcome.asked;
  outcome.obtained = {};
  outcome.error = 0;
  outcome.layout_status = LayoutStatus::kNone;
  if (late_mode != nullptr) *late_mode = kNoLateMode;
  if (asked.count == 0 && asked.size == 0 && asked.object_size == 0 && asked.pool.empty() &&
      asked.components.empty()) {
    return Created::kRefused;
  }

  Attempt attempt{
      .backend = backend, .outcome = outcome, .mode = mode & 07777, .late_mode = late_mode, .obtained = {}};
  const int error = make_and_name(path, attempt);
  if (error != 0 && late_mode != nullptr) *late_mode = kNoLateMode;
  if (error == EEXIST) {
    outcome.layout_status = LayoutStatus::kExisting;
    return Created::kExists;
  }
  if (error != 0) {
    outcome.layout_status = LayoutStatus::kRefused;
    outcome.error = error;
    return Created::kRefused;
  }
  outcome.obtained = attempt.obtained;
  std::uint32_t targets = 0;
  if (asked.count == kAllTargets) {
    Mapped<path::Path> folder;
    if (folder.ok()) {
      *folder = path::folder(path);
      targets = backend.targets(folder->c_str());
    }
  }
  const bool told = outcome.obtained.count != 0 || outcome.obtained.size != 0;
  if (!told) {
    outcome.layout_status = LayoutStatus::kRequested;
    return Created::kYes;
  }
  // Of folders made beforehand the widest: whether that is all targets, nobody says.
  const bool may_be_fewer = asked.count == kAllTargets && backend.create_renames() && !attempt.at_once;
  const bool as_asked = satisfies(asked, outcome.obtained, targets) && !may_be_fewer;
  outcome.layout_status = as_asked ? LayoutStatus::kVerified : LayoutStatus::kDiffers;
  return Created::kYes;
}

}  // namespace toto::layout
