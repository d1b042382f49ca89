// SPDX-License-Identifier: BSD-3-Clause
// toto study: parameter studies in the YAML of IOPS. That part is Python (IOPS defines its templates in
// Jinja2 and its expressions in Python); this one finds it beside the command, and becomes it.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "tools/command.h"
#include "tools/failure.h"
#include "tools/units.h"

namespace toto::tools {
namespace {

namespace fs = std::filesystem;

// ../share/toto/study, in a build tree (a link to bench/study) as where it is installed.
fs::path package() {
  std::error_code failed;
  const fs::path self = fs::read_symlink("/proc/self/exe", failed);
  if (failed) throw Failure(kExitFailure, fmt::format("/proc/self/exe cannot be read: {}", failed.message()));
  const fs::path folder =
      (self.parent_path().parent_path() / "share/toto/study/toto_study").lexically_normal();
  if (!fs::is_regular_file(folder / "__main__.py", failed)) {
    throw Failure(kExitFailure, fmt::format("its Python part is not there: {}",
                                            printable((folder / "__main__.py").string())));
  }
  return folder;
}

}  // namespace

int study_command(const Words& words) {
  const std::string folder = package().string();
  std::vector<const char*> arguments{"python3", "-B", folder.c_str()};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  arguments.push_back(nullptr);
  ::execvp(arguments[0], const_cast<char* const*>(arguments.data()));
  throw Failure(
      errno == ENOENT ? kExitNotFound : kExitNotExecutable,
      fmt::format("python3 cannot be started: {}; Python 3.9 with Jinja2, PyYAML and psutil is needed",
                  std::strerror(errno)));
}

}  // namespace toto::tools
