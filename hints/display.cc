// SPDX-License-Identifier: BSD-3-Clause
#include "hints/display.h"

#include <cstddef>

namespace toto::hints {
namespace {

void add_hint(DisplayText& text, std::string_view key, std::string_view value) {
  constexpr std::size_t kWidth = 25;
  text.add("          ").add(key).add(' ');
  for (std::size_t i = key.size() + 1; i < kWidth; ++i) text.add(' ');
  text.add("= ").add(value).add('\n');
}

bool is_striping(std::string_view key) {
  const std::string_view known = canonical(key);
  return known == "striping_factor" || known == "striping_unit";
}

}  // namespace

void display(std::string_view path, int rank, MpiIo library, std::span<const ProgramHint> used,
             const Outcome& outcome, DisplayText& text) {
  text.add("PE ").add(rank).add(": MPIIO hints for ").add(path);
  if (!tells_the_truth(library)) {
    text.add(" (as given: ").add(name(library)).add(" does not tell what it uses)");
  }
  text.add(":\n");
  const Layout& layout = outcome.obtained;
  for (const ProgramHint& hint : used) {
    if (layout.count == 0 || !is_striping(hint.key)) add_hint(text, hint.key, hint.value);
  }
  if (layout.count == 0) return;
  add_hint(text, "striping_factor", FixedString<24>().add(layout.count));
  add_hint(text, "striping_unit", FixedString<24>().add(layout.size));
}

}  // namespace toto::hints
