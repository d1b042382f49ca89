// SPDX-License-Identifier: BSD-3-Clause
// Names of files: absolute form, parts, and the family that a name belongs to.
// Lexical only: nothing here touches a file system (but for the working directory's name).
#pragma once

#include <cstdint>
#include <string_view>

#include "core/fixed_string.h"

namespace toto::path {

// Longest path that is handled; a longer one is left to the program alone (as if we were not there): the
// buffers lie on the stacks of threads that may have 16 KiB in all.
inline constexpr std::size_t kMaxPath = 1023;
using Path = FixedString<kMaxPath>;

[[nodiscard]] std::string_view base_name(std::string_view path);  // "/a/b.c" -> "b.c"
[[nodiscard]] std::string_view folder(std::string_view path);     // "/a/b.c" -> "/a", "/b" -> "/", "b" -> "."

// Absolute form of `path` as seen from the descriptor `dir` (AT_FDCWD: the working directory), with
// "//", "." and ".." folded lexically. False when it does not fit or the folder's name is not to be had.
bool absolute(int dir, std::string_view path, Path& out);

// Whether `path` is its own absolute form: nothing to fold, no folder to ask for. (A name that starts with a
// dot counts as something to fold.)
[[nodiscard]] constexpr bool is_plain(std::string_view path) {
  if (path.empty() || path.front() != '/' || path.size() > kMaxPath) return false;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    if (path[i] == '/' && (path[i + 1] == '/' || path[i + 1] == '.')) return false;
  }
  return path.size() == 1 || path.back() != '/';
}

// Whether the absolute form may name another file than the program's own: a ".." behind a symbolic link, a
// trailing slash. Good for statistics; nothing may be created by it.
[[nodiscard]] bool is_only_lexical(std::string_view path);

// True when `path` is `prefix` or lies below it ("/lus" is no prefix of "/lustre").
[[nodiscard]] bool is_below(std::string_view path, std::string_view prefix);

// The family of a path: what a program writes again and again. Each run of digits becomes '#'
// ("/s/dump.0100.bin" -> "/s/dump.#.bin"), so that steps and ranks fall together.
using Family = FixedString<256>;
[[nodiscard]] Family family(std::string_view path);

// ROMIO's "driver:" prefix ("ufs:/a") is no part of the path; empty when there is none.
[[nodiscard]] std::string_view romio_prefix(std::string_view path);

// Files that MPI libraries make for themselves beside the program's (OMPIO's lock tests and shared
// file pointers, ROMIO's): neither counted as the program's nor given a layout.
[[nodiscard]] bool is_mpi_scratch(std::string_view path);

// Shell glob as Cray's hint patterns use it: '*', '?', '[...]'. A pattern without '/' is matched against
// the base name, one with '/' against the whole path (where '*' also matches '/').
[[nodiscard]] bool glob_matches(std::string_view pattern, std::string_view path);

[[nodiscard]] std::uint64_t hash(
    std::string_view text);  // 64 bits; never 0. The same on all machines of one byte order

}  // namespace toto::path
