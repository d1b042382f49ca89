// SPDX-License-Identifier: BSD-3-Clause
// The first answer: a layout and MPI-IO hints from rules by pattern, before anything was measured.
// Pure: the same situation gives the same answer. Each rule carries its row's name (L1, B2, ...), listed
// in docs/rules.md with its source.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/outcome.h"
#include "core/table_text.h"
#include "hints/pattern.h"

namespace toto::hints {

struct PriorHint {
  std::string_view key;  // canonical key (ROMIO's name); mpi_keys.h translates it
  FixedString<24> value;
};

struct Prior {
  Layout layout;            // 0: leave this field alone
  bool confident = false;   // false: worth trying x4 and /4 first
  FixedString<220> reason;  // one sentence that starts with the row: "L8: shared, collective, 4 nodes: ..."
  std::uint32_t hint_count = 0;
  std::array<PriorHint, 12> hints;

  void add(std::string_view key, std::string_view value);
  [[nodiscard]] std::string_view find(std::string_view key) const;  // "" when absent
};

[[nodiscard]] Prior prior(const Situation& situation);

// The same where somebody stronger has already chosen some fields of the layout (those that are not 0): the
// other fields and the hints are made to fit (one aggregator a stripe, buffers of whole stripes).
[[nodiscard]] Prior prior(const Situation& situation, const Layout& chosen);

// The rows, as docs/rules.md lists them, in the order in which they are tried within a file system.
struct PriorRow {
  FileSystem file_system;
  TableText<3> name;      // "L8"
  TableText<48> meaning;  // "shared, collective"
};
[[nodiscard]] std::span<const PriorRow> prior_rows();

}  // namespace toto::hints
