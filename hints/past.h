// SPDX-License-Identifier: BSD-3-Clause
// What the families of this run did so far: fed at every close, asked at the next open of the family.
// A fixed table; when it is full, further families are simply not remembered.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "hints/pattern.h"

namespace toto::hints {

// How one file of the family was used, over all ranks that opened it together.
struct Usage {
  Sharing sharing = Sharing::kUnknown;
  Spatiality spatiality = Spatiality::kUnknown;
  Calls calls = Calls::kUnknown;
  bool interleaved = false;
  std::uint32_t writers = 0;
  std::uint64_t bytes = 0;       // size that was written
  std::uint64_t request = 0;     // mean bytes of one rank's request
  std::uint64_t call_bytes = 0;  // mean bytes of one collective call, over all ranks
};

namespace past {
void note(std::string_view family, const Usage& usage);
[[nodiscard]] std::optional<Usage> of(std::string_view family);
void apply(const Usage& usage, Situation& situation);
}  // namespace past

}  // namespace toto::hints
