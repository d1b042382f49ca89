// SPDX-License-Identifier: BSD-3-Clause
// toto report: a report as text, or checked and laid out as JSON.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "core/config.h"
#include "core/segment_file.h"
#include "tools/command.h"
#include "tools/failure.h"
#include "tools/options.h"
#include "tools/recover.h"
#include "tools/report/read.h"
#include "tools/report/text.h"

namespace toto::tools {
namespace {

namespace po = boost::program_options;
constexpr std::size_t kUsualFiles = 20;

int recover_command(const CommandLine& line) {
  if (line.rest.size() > 1) throw Failure(kExitUsage, "one job, please: toto report --recover [JOB]");
  config::load();
  const std::string output = line.values.count("output") != 0 ? line.values["output"].as<std::string>() : "";
  if (!output.empty() && line.rest.empty()) {
    throw Failure(kExitUsage, "--output is for one job: toto report --recover --output FILE JOB");
  }
  const Recovered result = recover(line.rest.empty() ? "" : line.rest[0], output, false);
  if (result.reports + result.failures + result.running == 0) {
    throw Failure(kExitFailure, fmt::format("nothing to recover in {}", segment::folder()));
  }
  return result.failures == 0 ? 0 : kExitFailure;
}

}  // namespace

int report_command(const Words& words) {
  po::options_description options("Options");
  options.add_options()("json", "as JSON, when the file is a valid report")(
      "files", po::value<std::string>()->value_name("N"), "show N files (default: 20)")("all",
                                                                                        "show every file")(
      "recover",
      "make the report of a job that ended without one, from what it left in memory; the job's name "
      "in place of FILE, none: of every job of yours on this machine")(
      "output", po::value<std::string>()->value_name("FILE"),
      "with --recover: where the report goes (default: where the job was told to write it)")("help",
                                                                                             "this text");
  const CommandLine line = read_command_line(words, options, Rest::kAnywhere);
  if (line.values.count("help") != 0) {
    std::ostringstream text;
    text << options;
    fmt::print(
        "Usage: toto report [options] FILE\n       toto report --recover [--output FILE] [JOB]\n\n"
        "Shows the report of a job (- is standard input).\n\n{}",
        text.str());
    return 0;
  }
  if (line.values.count("recover") != 0) return recover_command(line);
  if (line.values.count("output") != 0) throw Failure(kExitUsage, "--output goes with --recover");
  if (line.rest.size() != 1) throw Failure(kExitUsage, "one report, please: toto report [options] FILE");
  if (line.values.count("json") + line.values.count("files") + line.values.count("all") > 1) {
    throw Failure(kExitUsage, "only one of --json, --files and --all");
  }
  std::size_t files = line.values.count("all") != 0 ? report::kEveryFile : kUsualFiles;
  if (line.values.count("files") != 0) {
    files = whole_number("files", line.values["files"].as<std::string>(), 0, 1'000'000'000);
  }
  const nlohmann::ordered_json document = report::load(line.rest[0]);
  const report::Report report = report::read(document, line.rest[0]);
  if (line.values.count("json") != 0) {
    fmt::print("{}\n", document.dump(2));
  } else {
    fmt::print("{}", report::to_text(report, files));
  }
  return 0;
}

}  // namespace toto::tools
