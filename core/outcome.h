// SPDX-License-Identifier: BSD-3-Clause
// What was decided for one file, where each value came from, and what became of it.
// Filled in by hints/ (decide, apply, verify), kept with the file by core/, written out by the report.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/fixed_string.h"

namespace toto {

// Where a value came from, strongest first (the order is the precedence).
enum class Origin : std::uint8_t {
  kNone,
  kUserOverride,
  kCrayEnvironment,  // MPICH_MPIIO_HINTS
  kProgram,
  kUserFill,
  kRomioFile,  // of ROMIO_HINTS, or /etc/romio-hints
  kHistory,
  kPrior
};
[[nodiscard]] constexpr std::string_view name(Origin origin) {
  constexpr std::array<std::string_view, 8> kNames{
      "none", "user-override", "cray-environment", "program", "user-fill", "romio-file", "history", "prior"};
  return kNames[static_cast<std::size_t>(origin)];
}

// What the file system says about the layout of a file.
enum class LayoutStatus : std::uint8_t {
  kNone,       // nothing was decided
  kVerified,   // set by us and read back as decided
  kDiffers,    // set by us; read back, but not as decided (clipped, say): the report shows both
  kRefused,    // the file system said no; the file was created as without us
  kExisting,   // the file was there already: its layout is kept
  kNoControl,  // this file system lets nobody choose a layout
  kRequested,  // set by us, or only passed on as a hint; could not be read back
};
[[nodiscard]] constexpr std::string_view name(LayoutStatus status) {
  constexpr std::array<std::string_view, 7> kNames{"none",     "verified",   "differs",  "refused",
                                                   "existing", "no-control", "requested"};
  return kNames[static_cast<std::size_t>(status)];
}

// What the MPI library did with a hint.
enum class HintStatus : std::uint8_t {
  kRequested,  // given to the MPI library; it does not tell what it did with it
  kApplied,    // MPI_File_get_info of a library that tells the truth returns our value
  kChanged,    // ... returns another value
  kIgnored,    // ... does not return the key, or is known not to read it
  kKept,       // the program gave this key itself; ours was not used
};
[[nodiscard]] constexpr std::string_view name(HintStatus status) {
  constexpr std::array<std::string_view, 5> kNames{"requested", "applied", "changed", "ignored", "kept"};
  return kNames[static_cast<std::size_t>(status)];
}

// Targets by their numbers in the file system, in the order of the stripes.
inline constexpr std::size_t kMostTargets = 72;
struct TargetList {
  std::uint16_t count = 0;
  std::array<std::uint16_t, kMostTargets> target{};
};

// The stripes of a file. count 0 and size 0: not decided (the parent folder's default holds).
struct Layout {
  std::uint32_t count = 0;        // stripes; kAllTargets: one on every target
  std::uint64_t size = 0;         // bytes a stripe
  std::uint64_t object_size = 0;  // CephFS: bytes an object (0: chosen by the backend)
  FixedString<63> pool{};  // Lustre's pool name (at most 15 bytes), CephFS's data pool; empty: inherited
  const TargetList* only = nullptr;  // stripes go there and nowhere else; for the one creation, not kept
  FixedString<95> components{};  // Lustre's progressive layouts, see hints/layout/components.h; empty: none
  bool overstriped = false;  // Lustre: several stripes on a target where there are fewer targets than stripes
};
inline constexpr std::uint32_t kAllTargets = 0xffff'ffff;

struct Hint {
  FixedString<40> key;
  FixedString<88> value;
  Origin origin = Origin::kNone;
  HintStatus status = HintStatus::kRequested;
};

struct Outcome {
  Layout asked;
  Layout obtained;
  Origin layout_origin = Origin::kNone;
  LayoutStatus layout_status = LayoutStatus::kNone;
  int error = 0;                // errno of a refusal
  std::uint64_t inode = 0;      // of a file that we made
  FixedString<20> file_system;  // "lustre", "ceph", ... as recognised
  FixedString<220> reason;      // one sentence with the numbers it rests on
  std::uint32_t hint_count = 0;
  std::array<Hint, 24> hints;

  [[nodiscard]] std::span<const Hint> all_hints() const { return {hints.data(), hint_count}; }
  [[nodiscard]] std::span<Hint> all_hints() { return {hints.data(), hint_count}; }
  [[nodiscard]] Hint* find(std::string_view key) {
    for (Hint& hint : all_hints()) {
      if (hint.key == key) return &hint;
    }
    return nullptr;
  }
  // Adds a hint; false when there is no room left. An existing key is not replaced.
  bool add(std::string_view key, std::string_view value, Origin origin) {
    if (find(key) != nullptr) return true;
    if (hint_count == hints.size()) return false;
    hints[hint_count++] = Hint{.key = key, .value = value, .origin = origin};
    return true;
  }
};

}  // namespace toto
