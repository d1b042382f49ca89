// SPDX-License-Identifier: BSD-3-Clause
// How a family of files is used: the classes that the rules (prior.h) speak of, and what is known when a
// decision is due.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/outcome.h"

namespace toto::hints {

// kShared: each file opened by all processes of the family, even where only one of them (an aggregator, say)
// was seen to write; kSubsetShared: each by several, none by all.
enum class Sharing : std::uint8_t { kUnknown, kSerial, kFilePerProcess, kShared, kSubsetShared };
enum class Spatiality : std::uint8_t { kUnknown, kContiguous, kStrided, kRandom };
enum class Calls : std::uint8_t { kUnknown, kIndependent, kCollective };
// kSeparate: reads and writes, one after the other; kMixed: in turns.
enum class Phases : std::uint8_t { kUnknown, kRead, kWrite, kSeparate, kMixed };
enum class Opening : std::uint8_t { kUnknown, kOnce, kAgain, kInLoop };
enum class Flushing : std::uint8_t { kUnknown, kSeldom, kEachSmallWrite };
enum class Metadata : std::uint8_t { kUnknown, kLight, kHeavy };
// What most accesses start on: a multiple of the stripe size, of 4 KiB, of neither.
enum class Alignment : std::uint8_t { kUnknown, kStripe, kBlock, kNone };

[[nodiscard]] std::string_view name(
    Sharing sharing);  // "serial", "file-per-process", "shared", "subset-shared"
[[nodiscard]] std::string_view name(Spatiality spatiality);  // "contiguous", "strided", "random"
[[nodiscard]] std::string_view name(Calls calls);            // "independent", "collective"
[[nodiscard]] std::string_view name(Phases phases);          // "read", "write", "separate", "mixed"
[[nodiscard]] std::string_view name(Opening opening);        // "once", "again", "in-loop"
[[nodiscard]] std::string_view name(Flushing flushing);      // "seldom", "each-small-write"
[[nodiscard]] std::string_view name(Metadata metadata);      // "light", "heavy"
[[nodiscard]] std::string_view name(Alignment alignment);    // "stripe", "block", "none"

enum class FileSystem : std::uint8_t { kOther, kLustre, kBeegfs, kCeph, kGpfs, kNfs, kDaos };
[[nodiscard]] FileSystem file_system(std::string_view name);  // by the backend's or the mount's name

// What is known of the file about to be created. 0 and kUnknown: not known.
struct Situation {
  FileSystem file_system = FileSystem::kOther;
  Sharing sharing = Sharing::kUnknown;
  Spatiality spatiality = Spatiality::kUnknown;
  Calls calls = Calls::kUnknown;
  bool interleaved = false;      // collective calls whose ranks' pieces interleave
  std::uint32_t ranks = 1;       // P: ranks that write
  std::uint32_t nodes = 1;       // N: nodes that write
  std::uint32_t files = 1;       // F: files of the family that are written at once
  std::uint64_t bytes = 0;       // V: expected bytes of the file
  std::uint64_t request = 0;     // r: bytes of a usual request of one rank
  std::uint64_t call_bytes = 0;  // bytes of one collective call, over all ranks
  std::uint32_t targets = 0;     // T: targets of the pool
  bool reads_only = false;
  bool folder_is_composite = false;      // Lustre: the folder's default is a progressive layout
  std::uint64_t folder_stripe_size = 0;  // S of the folder's default
};

}  // namespace toto::hints
