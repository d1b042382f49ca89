// SPDX-License-Identifier: BSD-3-Clause
// toto layout: where the bytes of an existing file lie, as its file system tells.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tools/command.h"
#include "tools/failure.h"
#include "tools/file_map.h"
#include "tools/options.h"
#include "tools/place.h"
#include "tools/stripes.h"
#include "tools/table.h"
#include "tools/units.h"

namespace toto::tools {
namespace {

namespace po = boost::program_options;
using Json = nlohmann::ordered_json;

constexpr std::size_t kJsonPlaces = 100'000;  // a file of CephFS may have millions of objects
constexpr std::uint64_t kEof = ~std::uint64_t{0};
constexpr std::size_t kLine = 64;     // blocks a line
constexpr std::size_t kBlocks = 256;  // shown at most
constexpr std::size_t kPlaces = 40;   // listed at most
constexpr std::uint64_t kBar = 40;    // letters of the longest bar
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

Json parts_json(const FileMap& map) {
  Json parts = Json::array();
  for (const FilePart& part : map.parts) {
    Json one{{"start", part.start},
             {"end", part.end == kEof ? Json(nullptr) : Json(part.end)},
             {"stripe_count", part.stripes},
             {"stripe_size", part.unit}};
    if (!part.targets.empty()) one["targets"] = part.targets;
    parts.push_back(std::move(one));
  }
  return parts;
}

void print_json(const Spot& spot, const FileMap& map) {
  const Layout& layout = map.layout;
  Json places = Json::array();
  const auto all_places = bytes_by_place(map);
  for (const auto& [place, bytes] : all_places) {
    if (places.size() == kJsonPlaces) break;
    places.push_back(
        {{map.unit_of_place, place == kNowhere ? Json(nullptr) : Json(place)}, {"bytes", bytes}});
  }
  Json out{{"path", spot.path},
           {"file_system", spot.file_system_name()},
           {"file_size", map.file_size},
           {"block_size", map.block_size},
           {"stripe_count", layout.count},
           {"stripe_size", layout.size},
           {"object_size", layout.object_size},
           {"pool", std::string(layout.pool.view())},
           {"components", std::string(layout.components.view())},
           {"overstriped", map.overstriped},
           {"parts", parts_json(map)},
           {"places", places},
           {"places_left_out", all_places.size() - places.size()}};
  // A path need not be UTF-8, JSON must.
  fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
}

void field(std::string_view name, const std::string& text) { fmt::print("  {:<14}{}\n", name, text); }

// A letter for each place, in the order in which the file comes to them.
class Letters {
 public:
  char of(std::uint64_t place) {
    if (place == kNowhere) return '.';
    const auto [found, fresh] = letters_.try_emplace(place, '*');
    if (fresh && letters_.size() <= kLetters.size()) found->second = kLetters[letters_.size() - 1];
    return found->second;
  }

 private:
  std::map<std::uint64_t, char> letters_;
};

// The smallest stripe of all parts, so that a block is never on two places.
std::uint64_t block_of(const FileMap& map) {
  std::uint64_t block = 0;
  for (const FilePart& part : map.parts) {
    if (part.start < map.file_size && part.unit != 0)
      block = block == 0 ? part.unit : std::min(block, part.unit);
  }
  return block;
}

void print_blocks(const FileMap& map, Letters& letters) {
  const std::uint64_t block = block_of(map);
  if (block == 0 || map.file_size == 0) return;
  const std::uint64_t all = (map.file_size + block - 1) / block;
  const std::uint64_t shown = std::min<std::uint64_t>(all, kBlocks);
  fmt::print("\n  {} of {}, a letter for each {}{}\n", plural(all, "block"), bytes_text(block),
             map.unit_of_place, shown < all ? fmt::format(" (the first {} blocks)", shown) : "");
  for (std::uint64_t i = 0; i < shown; i += kLine) {
    std::string line;
    for (std::uint64_t j = i; j < std::min(i + kLine, shown); ++j)
      line += letters.of(place_of(map, j * block));
    fmt::print("  {:>10}  {}\n", bytes_text(i * block), line);
  }
}

void print_places(const FileMap& map, Letters& letters) {
  const auto bytes = bytes_by_place(map);
  if (bytes.empty()) return;
  std::uint64_t most = 0;
  for (const auto& [place, held] : bytes) most = std::max(most, held);
  Table table({{map.unit_of_place, Table::kRight}, {""}, {"bytes", Table::kRight}, {""}});
  std::size_t listed = 0;
  for (const auto& [place, held] : bytes) {
    if (listed++ == kPlaces) break;
    table.row({place == kNowhere ? "metadata" : fmt::format("{}", place), std::string(1, letters.of(place)),
               bytes_text(held), std::string(std::max<std::uint64_t>(held * kBar / most, 1), '#')});
  }
  fmt::print("\n{}", table.text());
  if (bytes.size() > kPlaces) fmt::print("  ... and {} more\n", bytes.size() - kPlaces);
}

void print_text(const Spot& spot, const FileMap& map) {
  const Layout& layout = map.layout;
  fmt::print("{}\n", printable(spot.path));
  field("file system", spot.file_system_name());
  field("size", bytes_text(map.file_size));
  if (spot.backend == nullptr) {
    field("block size", bytes_text(map.block_size));
    field("stripes", "this file system does not tell where its files' bytes lie");
    return;
  }
  field("stripe count", stripe_count_text(layout.count) + (map.overstriped ? " (several on one OST)" : ""));
  field("stripe size",
        layout.size == 0 ? "-" : fmt::format("{} ({} bytes)", bytes_text(layout.size), layout.size));
  if (layout.object_size != 0) field("object size", bytes_text(layout.object_size));
  if (!layout.pool.empty()) field("pool", printable(layout.pool.view()));
  if (!layout.components.empty()) field("components", printable(layout.components.view()));
  if (map.unit_of_place == "object") {
    field("objects", fmt::format("{:x}.<number, 8 digits of 16>: the cluster's map places each", map.inode));
  }
  Letters letters;
  print_blocks(map, letters);
  print_places(map, letters);
}

}  // namespace

int layout_command(const Words& words) {
  po::options_description options("Options");
  options.add_options()("json", "as JSON")("help", "this text");
  const CommandLine line = read_command_line(words, options, Rest::kAnywhere);
  if (line.values.count("help") != 0) {
    std::ostringstream text;
    text << options;
    fmt::print(
        "Usage: toto layout [options] FILE\n\nShows where the bytes of a file lie, were it without "
        "holes.\n\n{}",
        text.str());
    return 0;
  }
  if (line.rest.size() != 1) throw Failure(kExitUsage, "one file, please: toto layout [--json] FILE");
  const Spot spot = find_spot(line.rest[0]);
  const std::string shown = printable(line.rest[0]);
  if (!spot.exists) throw Failure(kExitFailure, fmt::format("{}: {}", shown, std::strerror(ENOENT)));
  if (!spot.is_file) {
    throw Failure(kExitFailure, fmt::format("{}: a folder; toto check tells its default layout", shown));
  }
  const FileMap map = read_file_map(spot, shown);
  if (line.values.count("json") != 0) {
    print_json(spot, map);
  } else {
    print_text(spot, map);
  }
  return 0;
}

}  // namespace toto::tools
