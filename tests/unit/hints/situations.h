// SPDX-License-Identifier: BSD-3-Clause
// Situations that the tests of the prior start from.
#pragma once

#include "hints/prior.h"

namespace toto::hints {

inline constexpr std::uint64_t kKiB = 1024;
inline constexpr std::uint64_t kMiB = 1024 * kKiB;
inline constexpr std::uint64_t kGiB = 1024 * kMiB;
inline constexpr std::uint64_t kTiB = 1024 * kGiB;

// A new file on Lustre, shared by `ranks` on `nodes`; nothing else is known.
inline Situation shared(std::uint32_t nodes, std::uint32_t ranks, std::uint32_t targets,
                        std::uint64_t bytes = 0) {
  return {.file_system = FileSystem::kLustre,
          .sharing = Sharing::kShared,
          .ranks = ranks,
          .nodes = nodes,
          .bytes = bytes,
          .targets = targets};
}

inline Situation collective(std::uint32_t nodes, std::uint32_t ranks, std::uint32_t targets,
                            std::uint64_t bytes = 0) {
  Situation s = shared(nodes, ranks, targets, bytes);
  s.calls = Calls::kCollective;
  s.interleaved = true;
  return s;
}

inline Situation independent(std::uint32_t nodes, std::uint32_t ranks, std::uint32_t targets,
                             Spatiality spatiality, std::uint64_t request, std::uint64_t bytes = 0) {
  Situation s = shared(nodes, ranks, targets, bytes);
  s.calls = Calls::kIndependent;
  s.spatiality = spatiality;
  s.request = request;
  return s;
}

inline Situation file_per_process(std::uint32_t files, std::uint32_t targets, std::uint64_t bytes = 0) {
  Situation s = shared(1, 1, targets, bytes);
  s.sharing = Sharing::kFilePerProcess;
  s.files = files;
  return s;
}

inline Situation serial(std::uint32_t targets, std::uint64_t bytes = 0) {
  Situation s = shared(1, 1, targets, bytes);
  s.sharing = Sharing::kSerial;
  return s;
}

// "L8" of "L8+L7a: ...".
inline Situation on(FileSystem file_system, Situation s) {
  s.file_system = file_system;
  return s;
}

inline std::string_view row(const Prior& answer) {
  const std::string_view reason = answer.reason.view();
  return reason.substr(0, reason.find_first_of("+:"));
}

}  // namespace toto::hints
