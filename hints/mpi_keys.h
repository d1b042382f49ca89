// SPDX-License-Identifier: BSD-3-Clause
// Which hints an MPI library reads, and under which names. One table; the sources are in docs/mpi-hints.md.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/outcome.h"
#include "core/table_text.h"

namespace toto::hints {

enum class MpiIo : std::uint8_t {
  kUnknown,
  kOmpioOld,      // Open MPI before 4.1.6: reads stripe_size, stripe_width; collective_buffering inverted
  kOmpioSwapped,  // 5.0.0rc8 and rc9: takes the stripes' number for their size (open-mpi/ompi #10135)
  kOmpio41,       // 4.1.6 and later 4.1: striping_unit, striping_factor
  kOmpio,         // 5.0.0 and later
  kRomio,         // MPICH and its kin
  kCray,          // Cray MPICH: a ROMIO of its own
  kOmpiRomio,     // ROMIO inside Open MPI
};
inline constexpr std::array kMpiIos{MpiIo::kOmpioOld, MpiIo::kOmpioSwapped, MpiIo::kOmpio41,  MpiIo::kOmpio,
                                    MpiIo::kRomio,    MpiIo::kCray,         MpiIo::kOmpiRomio};
[[nodiscard]] std::string_view name(MpiIo library);
[[nodiscard]] constexpr bool is_ompio(MpiIo library) {
  return library >= MpiIo::kOmpioOld && library <= MpiIo::kOmpio;
}
[[nodiscard]] constexpr bool is_romio(MpiIo library) { return library >= MpiIo::kRomio; }

// The OMPIO of an Open MPI by its version: "Open MPI v4.1.4" and the like.
[[nodiscard]] MpiIo ompio_of(std::string_view version);

// Whether MPI_File_get_info of this library tells what it really uses. ROMIO in MPICH does, for the keys that
// the driver at hand knows. Open MPI returns the caller's own info, whichever of its two MPI-IO parts is
// used; Cray's returns a cb_nodes that it does not use.
[[nodiscard]] bool tells_the_truth(MpiIo library);

// What becomes of a key that the library does not know, in words.
[[nodiscard]] std::string_view fate_of_unknown(MpiIo library);

// Which of ROMIO's drivers reads a key, or which part of another library.
enum class Driver : std::uint8_t {
  kEvery,
  kLustre,
  kXfsAndLustre,
  kLockAhead,
  kOrangeFs,
  kPanFs,
  kDaos,
  kGpfs,
  kNone
};
[[nodiscard]] std::string_view name(Driver driver);

// The names under which `library` reads the canonical `key`: one, two (both spellings) or none (it does
// not read such a hint at all: it need not be passed).
struct Names {
  std::string_view first, second;
  [[nodiscard]] constexpr bool none() const { return first.empty(); }
};

// What a value of a key looks like: rules.h checks it, decide.h turns sizes into bytes.
enum class ValueKind : std::uint8_t {
  kText,
  kCount,        // a positive number
  kStripeCount,  // a number; 0: the folder's default; -1 or "all": every target
  kSize,         // bytes, with an optional unit; not 0
  kStripeSize,   // the same; 0: the folder's default
  kSwitch,       // enable, disable, automatic
  kBoolean,      // true, false
  kComponents,   // hints/layout/components.h
};
[[nodiscard]] std::string_view name(ValueKind kind);

struct MpiKey {
  TableText<38> key;  // the canonical name
  ValueKind kind = ValueKind::kText;
  std::uint8_t readers = 0;  // a bit each MpiIo
  Driver driver = Driver::kEvery;
  TableText<28> alias;  // other spellings of the same
  TableText<12> other_alias;
  // All of them; unused ones are empty.
  [[nodiscard]] constexpr std::array<std::string_view, 3> spellings() const {
    return {key, alias, other_alias};
  }
};
[[nodiscard]] std::span<const MpiKey> known_keys();

// The row of a key in any library's spelling; nullptr: not known.
[[nodiscard]] const MpiKey* find_key(std::string_view key);

// A key that is not known is read under its own name, for all we know. For MpiIo::kUnknown: none.
[[nodiscard]] Names names(MpiIo library, std::string_view key);

// Canonical name of a key in any library's spelling ("stripe_width" -> "striping_factor"); a key that is
// not known is its own.
[[nodiscard]] std::string_view canonical(std::string_view key);

}  // namespace toto::hints
