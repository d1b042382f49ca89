// SPDX-License-Identifier: BSD-3-Clause
#include "tools/program.h"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

namespace toto::tools {
namespace {

constexpr int kMostScripts = 4;  // as the kernel: a script's interpreter may be a script

bool is_file(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

// The words of a "#!" line; empty when the file has none.
std::vector<std::string> script_line(const std::string& path) {
  if (!is_file(path)) return {};
  std::ifstream file(path, std::ios::binary);
  std::array<char, 512> start{};
  file.read(start.data(), start.size());
  std::string_view line(start.data(), static_cast<std::size_t>(file.gcount()));
  if (!line.starts_with("#!")) return {};
  line = line.substr(2, line.find('\n') - 2);
  std::istringstream words{std::string(line)};
  std::vector<std::string> found;
  for (std::string word; words >> word;) found.push_back(word);
  return found;
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// "#!/usr/bin/env -S NAME=value python3" means python3.
std::string interpreter_of(const std::vector<std::string>& line) {
  if (line.empty()) return "";
  if (base_name(line[0]) != "env") return line[0];
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (!line[i].starts_with('-') && line[i].find('=') == std::string::npos) return find_executable(line[i]);
  }
  return line[0];
}

// Programs that change identity are started without what the environment says to preload.
std::string changes_identity(const std::string& path) {
  struct stat info {};
  struct statvfs mount {};
  if (::stat(path.c_str(), &info) != 0) return "";
  if (::statvfs(path.c_str(), &mount) == 0 && (mount.f_flag & ST_NOSUID) != 0) return "";
  if ((info.st_mode & S_ISUID) != 0 && info.st_uid != ::getuid()) return "it is a set-user-id program";
  if ((info.st_mode & S_ISGID) != 0 && (info.st_mode & S_IXGRP) != 0 && info.st_gid != ::getgid()) {
    return "it is a set-group-id program";
  }
  if (::getuid() != 0 && ::getxattr(path.c_str(), "security.capability", nullptr, 0) > 0) {
    return "it has capabilities of its own (setcap)";
  }
  return "";
}

}  // namespace

std::string find_executable(const std::string& name) {
  if (name.empty()) return "";
  if (name.find('/') != std::string::npos) return name;
  const char* variable = std::getenv("PATH");
  std::string_view left = variable != nullptr ? variable : "/bin:/usr/bin";
  while (true) {
    const std::size_t colon = left.find(':');
    const std::string_view folder = left.substr(0, colon);
    const std::string path = folder.empty() ? "./" + name : std::string(folder) + "/" + name;
    if (is_file(path) && ::access(path.c_str(), X_OK) == 0) return path;
    if (colon == std::string_view::npos) return "";
    left.remove_prefix(colon + 1);
  }
}

Program inspect_program(const std::string& name) {
  Program program;
  program.path = find_executable(name);
  if (program.path.empty()) return program;
  std::string binary = program.path;
  for (int depth = 0; depth < kMostScripts; ++depth) {
    const std::string next = interpreter_of(script_line(binary));
    if (next.empty()) break;
    program.interpreter = next;
    binary = next;
  }
  const std::optional<Elf> elf = read_elf(binary);
  program.unseen = changes_identity(binary);
  if (!elf) return program;
  program.readable = true;
  program.elf = *elf;
  if (program.unseen.empty() && elf->foreign) {
    program.unseen = "it is built for another processor or word size";
  } else if (program.unseen.empty() && elf->loader.empty() && !base_name(binary).starts_with("ld-")) {
    program.unseen = "it is statically linked";  // the loader itself has no loader either, but preloads
  }
  return program;
}

}  // namespace toto::tools
