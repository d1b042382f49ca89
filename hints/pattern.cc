// SPDX-License-Identifier: BSD-3-Clause
#include "hints/pattern.h"

#include <array>
#include <cstddef>

namespace toto::hints {

std::string_view name(Sharing sharing) {
  constexpr std::array<std::string_view, 5> kNames{"unknown", "serial", "file-per-process", "shared",
                                                   "subset-shared"};
  return kNames[static_cast<std::size_t>(sharing)];
}

std::string_view name(Spatiality spatiality) {
  constexpr std::array<std::string_view, 4> kNames{"unknown", "contiguous", "strided", "random"};
  return kNames[static_cast<std::size_t>(spatiality)];
}

std::string_view name(Calls calls) {
  constexpr std::array<std::string_view, 3> kNames{"unknown", "independent", "collective"};
  return kNames[static_cast<std::size_t>(calls)];
}

std::string_view name(Phases phases) {
  constexpr std::array<std::string_view, 5> kNames{"unknown", "read", "write", "separate", "mixed"};
  return kNames[static_cast<std::size_t>(phases)];
}

std::string_view name(Opening opening) {
  constexpr std::array<std::string_view, 4> kNames{"unknown", "once", "again", "in-loop"};
  return kNames[static_cast<std::size_t>(opening)];
}

std::string_view name(Flushing flushing) {
  constexpr std::array<std::string_view, 3> kNames{"unknown", "seldom", "each-small-write"};
  return kNames[static_cast<std::size_t>(flushing)];
}

std::string_view name(Metadata metadata) {
  constexpr std::array<std::string_view, 3> kNames{"unknown", "light", "heavy"};
  return kNames[static_cast<std::size_t>(metadata)];
}

std::string_view name(Alignment alignment) {
  constexpr std::array<std::string_view, 4> kNames{"unknown", "stripe", "block", "none"};
  return kNames[static_cast<std::size_t>(alignment)];
}

FileSystem file_system(std::string_view name) {
  struct Known {
    std::string_view name;
    FileSystem file_system;
  };
  // The names of core/file_systems.h; every other file system has no rules of its own.
  constexpr std::array kKnown{
      Known{"lustre", FileSystem::kLustre}, Known{"beegfs", FileSystem::kBeegfs},
      Known{"ceph", FileSystem::kCeph},     Known{"gpfs", FileSystem::kGpfs},
      Known{"nfs", FileSystem::kNfs},       Known{"daos", FileSystem::kDaos},
  };
  for (const Known& known : kKnown) {
    if (known.name == name) return known.file_system;
  }
  return FileSystem::kOther;
}

}  // namespace toto::hints
