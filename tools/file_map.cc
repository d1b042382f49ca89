// SPDX-License-Identifier: BSD-3-Clause
#include "tools/file_map.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "core/sys.h"
#include "hints/layout/beegfs.h"
#include "hints/layout/lustre.h"
#include "hints/layout/lustre_abi.h"
#include "tools/failure.h"

namespace toto::tools {
namespace {

constexpr std::uint64_t kEof = ~std::uint64_t{0};

FilePart whole(const Layout& layout) {
  return {.start = 0,
          .end = kEof,
          .unit = layout.size,
          .stripes = layout.count,
          .object_size = layout.object_size};
}

void add_lustre_part(const layout::lustre::Extent& part, void* context) {
  auto& map = *static_cast<FileMap*>(context);
  map.overstriped = map.overstriped || (part.pattern & layout::lustre::kOverstriping) != 0;
  FilePart out{.start = part.start, .end = part.end, .unit = part.size, .stripes = part.count};
  for (std::uint32_t i = 0; i < part.count; ++i) {
    const auto ost = part.ost(i);
    if (!ost) break;
    out.targets.push_back(*ost);
  }
  if (out.targets.size() != out.stripes) out.targets.clear();
  map.parts.push_back(std::move(out));
}

void read_lustre(const char* path, FileMap& map) {
  std::vector<std::byte> blob(layout::lustre::kMaxXattr);
  const ssize_t size = sys::getxattr(path, layout::lustre::kLov, blob.data(), blob.size());
  if (size < 0) return;
  layout::lustre::for_each_part(std::span<const std::byte>(blob).first(static_cast<std::size_t>(size)),
                                add_lustre_part, &map);
  map.unit_of_place = "OST";
}

void read_beegfs(const char* path, FileMap& map) {
  FilePart part = whole(map.layout);
  part.targets.resize(map.layout.count);
  std::uint32_t count = 0;
  if (layout::beegfs::read_targets(path, part.targets, count) == 0 && count == map.layout.count) {
    map.unit_of_place = "target";
  } else {
    part.targets.clear();
  }
  map.parts.push_back(std::move(part));
}

const FilePart* part_at(const FileMap& map, std::uint64_t offset) {
  for (const FilePart& part : map.parts) {
    if (part.start <= offset && offset < part.end) return &part;
  }
  return nullptr;
}

std::uint64_t place_in(const FilePart& part, std::uint64_t offset) {
  if (part.stripes == 0 || part.unit == 0) return kNowhere;
  const std::uint64_t piece = offset / part.unit;
  std::uint64_t object = piece % part.stripes;
  if (part.object_size >= part.unit) {
    const std::uint64_t rounds = piece / part.stripes;
    object += rounds / (part.object_size / part.unit) * part.stripes;
  }
  if (part.targets.empty()) return object;
  return part.targets[object % part.targets.size()];
}

}  // namespace

FileMap read_file_map(const Spot& spot, const std::string& shown) {
  FileMap map;
  struct stat about {};
  if (stat(spot.path.c_str(), &about) != 0) {
    throw Failure(kExitFailure, fmt::format("{}: {}", shown, std::strerror(errno)));
  }
  map.file_size = static_cast<std::uint64_t>(about.st_size);
  map.block_size = static_cast<std::uint64_t>(about.st_blksize);
  map.inode = about.st_ino;
  if (spot.backend == nullptr) return map;
  const int error = spot.backend->read(spot.path.c_str(), map.layout);
  if (error == ENODATA) {
    throw Failure(kExitFailure,
                  fmt::format("{}: the file has no layout yet: {}", shown, spot.file_system_name()));
  }
  if (error != 0) {
    throw Failure(kExitFailure, fmt::format("{}: {} does not tell the layout: {}", shown,
                                            spot.file_system_name(), std::strerror(error)));
  }
  if (spot.backend->name() == "lustre") read_lustre(spot.path.c_str(), map);
  if (spot.backend->name() == "beegfs") read_beegfs(spot.path.c_str(), map);
  if (spot.backend->name() == "ceph") map.unit_of_place = "object";
  if (map.parts.empty()) map.parts.push_back(whole(map.layout));
  return map;
}

std::uint64_t place_of(const FileMap& map, std::uint64_t offset) {
  const FilePart* part = part_at(map, offset);
  return part == nullptr ? kNowhere : place_in(*part, offset);
}

std::map<std::uint64_t, std::uint64_t> bytes_by_place(const FileMap& map) {
  std::map<std::uint64_t, std::uint64_t> bytes;
  for (const FilePart& part : map.parts) {
    const std::uint64_t end = std::min(part.end, map.file_size);
    if (part.start >= end) continue;
    if (part.stripes == 0 || part.unit == 0) {
      bytes[kNowhere] += end - part.start;
      continue;
    }
    // Whole rounds at once, all of them where objects grow without end, else those of a set of objects; piece
    // by piece at both ends.
    const std::uint64_t round = part.unit * part.stripes;
    const std::uint64_t set = part.object_size * part.stripes;
    for (std::uint64_t at = part.start; at < end;) {
      const std::uint64_t at_once = set == 0 ? (end - at) / round * round : end - at >= set ? set : 0;
      if (at_once != 0 && at % (set == 0 ? round : set) == 0) {
        for (std::uint32_t i = 0; i < part.stripes; ++i) {
          bytes[place_in(part, at + i * part.unit)] += at_once / part.stripes;
        }
        at += at_once;
        continue;
      }
      const std::uint64_t piece = std::min(part.unit - at % part.unit, end - at);
      bytes[place_in(part, at)] += piece;
      at += piece;
    }
  }
  return bytes;
}

}  // namespace toto::tools
