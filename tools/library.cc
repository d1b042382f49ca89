// SPDX-License-Identifier: BSD-3-Clause
#include "tools/library.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace toto::tools {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed);
}

}  // namespace

std::vector<std::string> library_folders() {
  std::error_code failed;
  const fs::path self = fs::read_symlink("/proc/self/exe", failed);
  if (failed) return {};
  const fs::path prefix = self.parent_path().parent_path();
  std::vector<std::string> folders;
  // An absolute library folder replaces the prefix; operator/ does just that.
  for (const fs::path& folder : {prefix / TOTO_LIBRARY_FOLDER, prefix / "lib", prefix / "lib64"}) {
    const std::string text = folder.lexically_normal().string();
    if (std::find(folders.begin(), folders.end(), text) == folders.end()) folders.push_back(text);
  }
  return folders;
}

std::string library_for(const std::string& mpi) {
  if (mpi.empty() || mpi.find('/') != std::string::npos) return "";
  for (const std::string& folder : library_folders()) {
    const fs::path path = fs::path(folder) / "toto" / mpi / kLibraryName;
    if (is_file(path)) return path.string();
  }
  return "";
}

std::vector<std::string> library_builds() {
  std::vector<std::string> builds;
  for (const std::string& folder : library_folders()) {
    std::error_code failed;
    for (fs::directory_iterator it(fs::path(folder) / "toto", failed), end; !failed && it != end;
         it.increment(failed)) {
      const std::string name = it->path().filename().string();
      if (is_file(it->path() / kLibraryName)) builds.push_back(name);
    }
  }
  std::sort(builds.begin(), builds.end());
  builds.erase(std::unique(builds.begin(), builds.end()), builds.end());
  return builds;
}

std::string default_library() {
  if (const std::string path = library_for(TOTO_DEFAULT_MPI); !path.empty()) return path;
  for (const std::string& folder : library_folders()) {
    const fs::path path = fs::path(folder) / kLibraryName;
    if (is_file(path)) return path.string();
  }
  const std::vector<std::string> builds = library_builds();
  return builds.empty() ? "" : library_for(builds.front());
}

}  // namespace toto::tools
