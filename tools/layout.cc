// SPDX-License-Identifier: BSD-3-Clause
// toto layout: where the bytes of an existing file lie, as its file system tells.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "tools/command.h"
#include "tools/failure.h"
#include "tools/options.h"
#include "tools/place.h"
#include "tools/stripes.h"
#include "tools/units.h"

namespace toto::tools {
namespace {

namespace po = boost::program_options;

void print_json(const Spot& spot, const Layout& layout) {
  nlohmann::ordered_json out{{"path", spot.path},
                             {"file_system", spot.file_system_name()},
                             {"stripe_count", layout.count},
                             {"stripe_size", layout.size},
                             {"object_size", layout.object_size},
                             {"pool", std::string(layout.pool.view())}};
  // A path need not be UTF-8, JSON must.
  fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void print_text(const Spot& spot, const Layout& layout) {
  fmt::print("{}\n", printable(spot.path));
  fmt::print("  file system   {}\n", spot.file_system_name());
  fmt::print("  stripe count  {}\n", stripe_count_text(layout.count));
  fmt::print("  stripe size   {}\n",
             layout.size == 0 ? "-" : fmt::format("{} ({} bytes)", bytes_text(layout.size), layout.size));
  if (layout.object_size != 0) fmt::print("  object size   {}\n", bytes_text(layout.object_size));
  if (!layout.pool.empty()) fmt::print("  pool          {}\n", printable(layout.pool.view()));
}

}  // namespace

int layout_command(const Words& words) {
  po::options_description options("Options");
  options.add_options()("json", "as JSON")("help", "this text");
  const CommandLine line = read_command_line(words, options, Rest::kAnywhere);
  if (line.values.count("help") != 0) {
    std::ostringstream text;
    text << options;
    fmt::print("Usage: toto layout [options] FILE\n\nShows over how many targets a file is striped.\n\n{}",
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
  if (spot.backend == nullptr) {
    throw Failure(kExitFailure,
                  fmt::format("{}: no layout to read here: {}", shown, spot.file_system_name()));
  }
  Layout layout;
  if (const int error = spot.backend->read(spot.path.c_str(), layout); error == ENODATA) {
    throw Failure(kExitFailure,
                  fmt::format("{}: the file has no layout yet: {}", shown, spot.file_system_name()));
  } else if (error != 0) {
    throw Failure(kExitFailure, fmt::format("{}: {} does not tell the layout: {}", shown,
                                            spot.file_system_name(), std::strerror(error)));
  }
  if (line.values.count("json") != 0) {
    print_json(spot, layout);
  } else {
    print_text(spot, layout);
  }
  return 0;
}

}  // namespace toto::tools
