// SPDX-License-Identifier: BSD-3-Clause
// One file system's way to choose, set and read the layout of a file. One implementation a file system
// (lustre.cc, ceph.cc, ...), listed in registry.cc; adding one is a file and a line there.
// No backend allocates, keeps state, or touches anything but the path at hand; results are errno values
// (errno itself is not kept: that is the caller's part).
#pragma once

#include <sys/types.h>

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
  std::uint64_t size_unit = 0;        // stripe sizes are multiples of this (bytes; 0: no rule)
  std::uint64_t max_stripe_size = 0;  // bytes; 0: no limit known
  std::uint32_t max_stripe_count = 0;
  bool all_targets = false;  // kAllTargets is understood; else create() answers EINVAL to it
  [[nodiscard]] bool any() const { return stripe_count || stripe_size; }
};

// The parent folder's default for new files.
struct FolderDefault {
  Layout layout;
  bool composite = false;  // Lustre's progressive layout: kept unless there is a strong reason
};

class Backend {
 public:
  [[nodiscard]] virtual std::string_view name() const = 0;  // as in core/file_systems.h: "lustre"
  [[nodiscard]] virtual Capabilities capabilities() const = 0;

  // Number of targets new files of `folder` may be striped over; 0: not known.
  [[nodiscard]] virtual std::uint32_t targets(const char* folder) const = 0;

  // Creates the regular file `path`, exclusively, with this layout; `mode` is subject to the umask as in
  // open(2). 0, or an errno with nothing left behind. Fields of `layout` that are 0 take the folder's
  // default. A size that the file system does not know is rounded down to one that it does. `obtained` is
  // what was read back. EEXIST: somebody was first. ENODATA: the file system took the layout without an
  // error, and the file has none.
  virtual int create(const char* path, mode_t mode, const Layout& layout, Layout& obtained) const = 0;

  // Reads the layout of an existing file. 0 or an errno (ENODATA: none yet).
  virtual int read(const char* path, Layout& out) const = 0;

  // Where new files of `folder` go when nobody chooses. 0 or an errno.
  virtual int folder_default(const char* folder, FolderDefault& out) const = 0;

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
