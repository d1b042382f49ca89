// SPDX-License-Identifier: BSD-3-Clause
// One file system's way to choose, set and read the layout of a file. One implementation a file system
// (lustre.cc, ceph.cc, ...), listed in registry.cc; adding one is a file and a line there.
// No backend allocates, keeps state, or touches anything but the path at hand; results are errno values
// (errno itself is not kept: that is the caller's part).
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/outcome.h"

namespace toto::layout {

// What can be chosen here, by an ordinary user, for one new file.
struct Capabilities {
  bool stripe_count = false;
  bool stripe_size = false;
  bool pool = false;
  bool components = false;            // layouts that change with the file's size
  std::uint64_t size_unit = 0;        // stripe sizes are multiples of this (bytes; 0: no rule)
  bool powers_of_two = false;         // ... and powers of two
  std::uint64_t max_stripe_size = 0;  // bytes; 0: no limit known
  std::uint32_t max_stripe_count = 0;
  bool target_list = false;  // Layout::only is understood
  bool all_targets = false;  // kAllTargets is understood; else create() answers EINVAL to it
  [[nodiscard]] bool any() const { return stripe_count || stripe_size; }
};

// The parent folder's default for new files.
struct FolderDefault {
  Layout layout;
  bool composite = false;  // Lustre's progressive layout: kept unless there is a strong reason
};

inline constexpr int kCannotAsk = -1;

class Backend {
 public:
  [[nodiscard]] virtual std::string_view name() const = 0;  // as in core/file_systems.h: "lustre"
  [[nodiscard]] virtual Capabilities capabilities() const = 0;
  [[nodiscard]] virtual std::string_view who() const = 0;  // may choose: "any user who may write the file"

  // 0, or an errno: this process may not choose layouts there, though the file system would not stop it (an
  // administrator's rule). Asked once for a device. kCannotAsk: nothing is told by way of this folder, and no
  // layout is to be chosen in it.
  [[nodiscard]] virtual int permission(const char*) const { return 0; }

  // Number of targets new files of `folder` may be striped over; 0: not known.
  [[nodiscard]] virtual std::uint32_t targets(const char* folder) const = 0;

  // The same where it can be told only by making a file there and taking it away again: for a caller that
  // asks once for many processes. 0: not known.
  [[nodiscard]] virtual std::uint32_t count_targets(const char* folder) const { return targets(folder); }

  // A file system that makes a file and its layout in one step: as create(), for a file that others may see
  // and open from then on. Once it is there it stays: `obtained` is empty where it could not be read back.
  // EOPNOTSUPP: no such way here; create() may have another one.
  virtual int create_at_once(const char*, mode_t, const Layout&, Layout&) const { return EOPNOTSUPP; }

  // Creates the regular file `path`, exclusively, with this layout; `mode` is subject to the umask as in
  // open(2). `path` is a name that nobody else has reason to use, given another one by the caller. 0, or an
  // errno with nothing left behind. Fields of `layout` that are 0 take the folder's
  // default. A size that the file system does not know is rounded down to one that it does. `obtained` is
  // what was read back; empty where that cannot be. EEXIST: somebody was first. ENODATA: the file system took
  // the layout without an error, and the file has none.
  virtual int create(const char* path, mode_t mode, const Layout& layout, Layout& obtained) const = 0;

  // create() ends by a rename that could replace a file: not to be used under a name that others use.
  [[nodiscard]] virtual bool create_renames() const { return false; }

  // Reads the layout of an existing file. 0 or an errno (ENODATA: none yet).
  virtual int read(const char* path, Layout& out) const = 0;

  // read() opens and closes the file, and the close takes away the POSIX locks that this process has on it.
  [[nodiscard]] virtual bool reads_by_open() const { return false; }
  // As read(), of a file that the program may be using; EOPNOTSUPP where that would take an open.
  int look(const char* path, Layout& out) const { return reads_by_open() ? EOPNOTSUPP : read(path, out); }

  // The same, and the target of each stripe, as far as they fit. Their number; 0: not to be told, or a layout
  // that changes with the file's size.
  virtual std::uint32_t read_targets(const char*, Layout&, std::span<std::uint32_t>) const { return 0; }

  // Where new files of `folder` go when nobody chooses. 0 or an errno.
  virtual int folder_default(const char* folder, FolderDefault& out) const = 0;

  // The same at the price of count_targets().
  virtual int learn_default(const char* folder, FolderDefault& out) const {
    return folder_default(folder, out);
  }

 protected:
  // Backends are static objects that live for ever. Not virtual, as a virtual destructor would bring
  // operator delete, and with it the allocator, into the library.
  constexpr Backend() = default;
  ~Backend() = default;
};

// The backend of a file system by its name in core/file_systems.h; nullptr: no layout control here.
[[nodiscard]] const Backend* by_name(std::string_view file_system);
[[nodiscard]] std::span<const Backend* const> backends();

}  // namespace toto::layout
