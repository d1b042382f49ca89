// SPDX-License-Identifier: BSD-3-Clause
#include "tools/mpi_kind.h"

#include <fmt/format.h>

#include <array>
#include <climits>
#include <cstdlib>

namespace toto::tools {
namespace {

constexpr std::string_view kOpenMpi = "openmpi";
constexpr std::string_view kMpich = "mpich";
constexpr std::string_view kAbi = "mpi-abi";
constexpr std::string_view kSeveral = "?";

struct Sign {
  std::string_view start;  // of the library's name
  std::string_view mpi;
};
// First hit counts. SONAMEs: Open MPI 2 to 5 libmpi.so.20 and .40; MPICH and its kin libmpi.so.12 (so had
// Open MPI 1.10), renamed libmpich.so.12 by Debian; Cray libmpi_<compiler>.so.12.
constexpr std::array kSigns = {
    Sign{"libmpi.so.40", kOpenMpi},  Sign{"libmpi.so.20", kOpenMpi},  Sign{"libmpi_mpifh", kOpenMpi},
    Sign{"libmpi_usempi", kOpenMpi}, Sign{"libmpi_cxx.so", kOpenMpi}, Sign{"libmpi_java", kOpenMpi},
    Sign{"libmpi_ibm", kOpenMpi},    Sign{"libmpi_abi", kAbi},        Sign{"libmpich.so", kMpich},
    Sign{"libmpichfort.so", kMpich}, Sign{"libmpichcxx.so", kMpich},  Sign{"libmpichf90.so", kMpich},
    Sign{"libmpich_", kMpich},       Sign{"libmpifort", kMpich},      Sign{"libmpicxx.so", kMpich},
    Sign{"libmpi_", kMpich},         Sign{"libmpi.so", kSeveral},
};

// Open MPI's own lower layers: also what tells its libmpi.so.12 from the others.
constexpr std::array<std::string_view, 3> kOpenMpiLayers = {"libopen-rte.so", "libopen-pal.so",
                                                            "libprrte.so"};

bool is_open_mpi_layer(std::string_view library) {
  for (const std::string_view layer : kOpenMpiLayers) {
    if (library.starts_with(layer)) return true;
  }
  return false;
}

// Nothing decided when the only sign is one that several kinds share and `all` is not known yet.
MpiKind by_libraries(const std::vector<std::string>& libraries, bool all) {
  std::string several;
  std::string layer;
  for (const std::string& library : libraries) {
    const std::string_view mpi = mpi_of_library(library);
    if (mpi == kSeveral) {
      several = library;
    } else if (!mpi.empty()) {
      return {std::string(mpi), fmt::format("needs {}", library)};
    }
    if (is_open_mpi_layer(library)) layer = library;
  }
  if (!layer.empty()) return {std::string(kOpenMpi), fmt::format("needs {}", layer)};
  if (!several.empty() && all) return {std::string(kMpich), fmt::format("needs {}", several)};
  return {};
}

bool is_set(const char* variable) { return std::getenv(variable) != nullptr; }

MpiKind by_launcher_name(const std::string& path) {
  std::array<char, PATH_MAX> real{};
  if (::realpath(path.c_str(), real.data()) == nullptr) return {};
  const std::string_view full(real.data());
  const std::string_view base = full.substr(full.rfind('/') + 1);
  for (const std::string_view part : {"hydra", "mpich"}) {
    if (base.find(part) != std::string_view::npos)
      return {std::string(kMpich), fmt::format("is called {}", base)};
  }
  for (const std::string_view part : {"orterun", "prterun", "openmpi"}) {
    if (base.find(part) != std::string_view::npos)
      return {std::string(kOpenMpi), fmt::format("is called {}", base)};
  }
  return {};
}

}  // namespace

std::string_view mpi_of_library(std::string_view name) {
  for (const Sign& sign : kSigns) {
    if (name.starts_with(sign.start)) return sign.mpi;
  }
  return "";
}

MpiKind mpi_of_launcher() {
  if (is_set("OMPI_COMM_WORLD_SIZE")) return {std::string(kOpenMpi), "OMPI_COMM_WORLD_SIZE is set"};
  for (const char* mark : {"HYDI_CONTROL_FD", "PMI_SIZE", "PMI_RANK"}) {
    if (is_set(mark)) return {std::string(kMpich), fmt::format("{} is set", mark)};
  }
  for (const char* mark : {"PMIX_RANK", "PMIX_NAMESPACE"}) {
    if (is_set(mark)) return {std::string(kOpenMpi), fmt::format("{} is set", mark)};
  }
  return {};
}

MpiKind mpi_of_program(const Program& program) {
  if (program.readable && !program.elf.loader.empty()) {
    // What the program names itself settles nearly every case, without asking the loader.
    if (MpiKind kind = by_libraries(program.elf.needed, false); !kind.name.empty()) return kind;
    const std::string& binary = program.interpreter.empty() ? program.path : program.interpreter;
    if (MpiKind kind = by_libraries(libraries_of(binary, program.elf.loader), true); !kind.name.empty())
      return kind;
    if (MpiKind kind = by_libraries(program.elf.needed, true); !kind.name.empty()) return kind;
  }
  if (MpiKind kind = mpi_of_launcher(); !kind.name.empty()) return kind;
  return by_launcher_name(program.path);
}

}  // namespace toto::tools
