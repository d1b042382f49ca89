// SPDX-License-Identifier: BSD-3-Clause
// What an executable says about itself: its dynamic loader and the libraries it needs. The file is only read;
// every offset in it is checked, so that a damaged file gives less, never a crash.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace toto::tools {

struct Elf {
  bool foreign = false;             // other word size, byte order or processor than this command
  std::string loader;               // PT_INTERP; empty: statically linked
  std::vector<std::string> needed;  // DT_NEEDED, in order
};

// Nothing when the file cannot be read or is no ELF file.
[[nodiscard]] std::optional<Elf> read_elf(const std::string& path);

// The names of all libraries that `program` would be started with, as its own loader finds them (which maps
// them, but runs none of their code). Empty when the loader does not tell.
[[nodiscard]] std::vector<std::string> libraries_of(const std::string& program, const std::string& loader);

}  // namespace toto::tools
