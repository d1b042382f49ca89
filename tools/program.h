// SPDX-License-Identifier: BSD-3-Clause
// The program that `toto run` is about to start: which file it is, who interprets it, and whether a preloaded
// library can see it at all.
#pragma once

#include <string>
#include <vector>

#include "tools/elf.h"

namespace toto::tools {

struct Program {
  std::string path;         // the file that execvp() would take; empty: none
  std::string interpreter;  // of a script ("#!"), resolved likewise; empty: no script
  bool readable = false;    // `elf` is known
  Elf elf;                  // of the interpreter, for a script
  std::string unseen;       // why a preloaded library is not loaded into it; empty: it is
};

// The file that execvp() takes for `name`; empty when there is none.
[[nodiscard]] std::string find_executable(const std::string& name);

[[nodiscard]] Program inspect_program(const std::string& name);

}  // namespace toto::tools
