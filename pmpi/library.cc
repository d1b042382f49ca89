// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/library.h"

#include <mpi.h>

#include <array>
#include <cstdlib>

#include "core/fixed_string.h"
#include "core/keep.h"
#include "core/log.h"
#include "pmpi/real.h"

namespace toto::pmpi::library {
namespace {

#if defined(OPEN_MPI)
constexpr std::string_view kBuiltFor = "Open MPI";
constexpr bool kForOpenMpi = true;
#else
constexpr std::string_view kBuiltFor = "MPICH and its kin";
constexpr bool kForOpenMpi = false;
#endif

bool compare() {
  const bool is_open_mpi = find_variable("ompi_mpi_comm_world") != nullptr;
  if (is_open_mpi == kForOpenMpi) return true;
  log::warn(
      log::Line("this libtoto_pmpi is built for ")
          .add(kBuiltFor)
          .add(", the program uses another MPI: MPI calls are left alone (toto run picks the right build)"));
  return false;
}

}  // namespace

bool look_whether_it_matches() {
  const bool same = compare();
  match.store(same ? Match::kYes : Match::kNo, std::memory_order_relaxed);
  return same;
}

std::string_view version() {
  static std::string_view kept;
  if (!kept.empty()) return kept;
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING + 1> text{};
  int length = 0;
  if (real::Get_library_version(text.data(), &length) != MPI_SUCCESS) return {};
  std::string_view line(text.data());
  line = line.substr(0, line.find('\n'));
  if (const std::size_t comma = line.find(','); comma != std::string_view::npos) line = line.substr(0, comma);
  FixedString<95> clean;
  for (const char c : line) clean.add(c == '\t' ? ' ' : c);
  kept = keep_text(clean);
  return kept;
}

hints::MpiIo mpi_io() {
  if (!kForOpenMpi) {
    return version().find("CRAY MPICH") != std::string_view::npos ? hints::MpiIo::kCray
                                                                  : hints::MpiIo::kRomio;
  }
  // The launcher hands MCA parameters on as variables; "^ompio" excludes, a list without ompio chooses.
  if (const char* io = std::getenv("OMPI_MCA_io")) {
    const std::string_view choice(io);
    const bool names_ompio = choice.find("ompio") != std::string_view::npos;
    if (choice.starts_with('^') ? names_ompio : !names_ompio) return hints::MpiIo::kOmpiRomio;
  }
  return hints::ompio_of(version());
}

}  // namespace toto::pmpi::library
