// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/display.h"

#include <algorithm>
#include <string_view>

#include "core/heap.h"
#include "core/job.h"
#include "core/sys.h"
#include "hints/mpi_keys.h"
#include "pmpi/info.h"
#include "pmpi/library.h"

namespace toto::pmpi {
namespace {

// One write for all of it, so that the texts of two files do not mix. What does not fit is left out.
using Text = FixedString<16000>;

void add_hint(Text& text, std::string_view key, std::string_view value) {
  constexpr std::size_t kWidth = 25;
  text.add("          ").add(key);
  for (std::size_t i = std::min(key.size(), kWidth); i < kWidth; ++i) text.add(' ');
  text.add("= ").add(value).add('\n');
}

bool is_striping(std::string_view key) {
  const std::string_view known = hints::canonical(key);
  return known == "striping_factor" || known == "striping_unit";
}

}  // namespace

void display_hints(const char* path, MPI_Info used, const Outcome& outcome) {
  const auto text = Heap<Text>::make();
  const auto hints = Heap<InfoText>::make(used);
  if (!text || !hints) return;
  text->add("PE ").add(std::max(0, job.rank.load())).add(": MPIIO hints for ").add(std::string_view(path));
  // What is not known is not claimed.
  if (!hints::tells_the_truth(library::mpi_io())) {
    text->add(" (as given: ").add(hints::name(library::mpi_io())).add(" does not tell what it uses)");
  }
  text->add(":\n");
  const Layout& layout = outcome.obtained;
  for (const hints::ProgramHint& hint : hints->hints()) {
    if (layout.count == 0 || !is_striping(hint.key)) add_hint(*text, hint.key, hint.value);
  }
  if (layout.count != 0) {
    add_hint(*text, "striping_factor", FixedString<24>().add(layout.count));
    add_hint(*text, "striping_unit", FixedString<24>().add(layout.size));
  }
  sys::write_all(2, text->view());
}

}  // namespace toto::pmpi
