// SPDX-License-Identifier: BSD-3-Clause
// Where the bytes of a file lie, as far as its file system tells, in one form for all of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/outcome.h"
#include "tools/place.h"

namespace toto::tools {

// A part of the file that goes round its stripes: stripe n holds the n-th piece of `unit` bytes, counted from
// the start of the file, and every further one in turn.
struct FilePart {
  std::uint64_t start = 0;
  std::uint64_t end = 0;  // first byte that is no longer its; ~0: the end of the file
  std::uint64_t unit = 0;
  std::uint32_t stripes = 0;      // 0: on the metadata server
  std::uint64_t object_size = 0;  // Ceph: after so many bytes of an object comes the next one; 0: no limit
  std::vector<std::uint32_t> targets{};  // of each stripe; empty: not told
};

struct FileMap {
  Layout layout;
  bool overstriped = false;
  std::vector<FilePart> parts;
  std::string unit_of_place =
      "stripe";  // what a place is called: "OST", "target", "object"; "stripe": not told
  std::uint64_t file_size = 0;
  std::uint64_t block_size = 0;  // st_blksize
  std::uint64_t inode = 0;
};

// Throws Failure where the file cannot be looked at, or its file system does not tell though it should.
[[nodiscard]] FileMap read_file_map(const Spot& spot, const std::string& shown);

// Pure. The place of the byte at `offset`, ~0: none (a hole in what is told).
inline constexpr std::uint64_t kNowhere = ~std::uint64_t{0};
[[nodiscard]] std::uint64_t place_of(const FileMap& map, std::uint64_t offset);

// Pure. Bytes of the file at each place, were it without holes.
[[nodiscard]] std::map<std::uint64_t, std::uint64_t> bytes_by_place(const FileMap& map);

}  // namespace toto::tools
