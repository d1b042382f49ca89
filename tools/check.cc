// SPDX-License-Identifier: BSD-3-Clause
// toto check: which file system a path lies on, what can be set there, and what the library would choose for
// the usual patterns: the very rules and settings that the library uses, with nothing measured yet.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>

#include "core/config.h"
#include "core/read_file.h"
#include "hints/decide.h"
#include "hints/policy.h"
#include "hints/rules.h"
#include "tools/command.h"
#include "tools/failure.h"
#include "tools/options.h"
#include "tools/place.h"
#include "tools/stripes.h"
#include "tools/table.h"
#include "tools/trial.h"
#include "tools/units.h"

namespace toto::tools {
namespace {

namespace po = boost::program_options;

constexpr std::uint32_t kMostRanks = 1U << 24;
constexpr std::uint32_t kRanksANode = 64;  // assumed where --nodes is not given
constexpr std::array<std::uint32_t, 4> kRanks{1, 16, 256, 8192};
constexpr std::array<std::uint64_t, 3> kFileBytes{16ULL << 20, 1ULL << 30, 100ULL << 30};

struct Job {
  std::uint32_t ranks = 1;
  std::uint32_t nodes = 1;
};

// What can be done for a new file's place where nobody can choose a layout for it alone.
struct Advice {
  std::string_view file_system;
  std::string_view text;
};
constexpr auto kAdvice = std::to_array<Advice>({
    {"gpfs", "blocks go round all disks of the pool; write whole blocks, on their borders"},
    {"daos",
     "object class and chunk size are a folder's (daos fs set-attr) or, by ROMIO's own driver, a file's "
     "(romio_daos_obj_class, romio_daos_chunk_size)"},
    {"orangefs",
     "a folder's user.pvfs2.num_dfiles, user.pvfs2.dist_name, user.pvfs2.dist_params (setfattr), or "
     "ROMIO's own driver (striping_factor, striping_unit)"},
    {"panfs", "by ROMIO's own driver only: panfs_layout_type and all that goes with it, for new files"},
    {"nfs", "the server's affair"},
});

struct Target {
  std::uint32_t count = 0;
  layout::FolderDefault folder;
  int folder_error = 0;
};

void warn(std::string_view message) { fmt::print(stderr, "toto check: {}\n", printable(message)); }

std::unique_ptr<hints::Rules> user_rules() {
  auto rules = std::make_unique<hints::Rules>();
  std::string_view text = config::settings().hints;
  if (text.starts_with('@')) {
    const std::string_view file = text.substr(1);
    if (const int error = read_file(file, text); error != 0) {
      warn(fmt::format("TOTO_HINTS: {}: {}", file, std::strerror(error)));
      return rules;
    }
  }
  if (!text.empty()) rules->parse("TOTO_HINTS", text, warn);
  return rules;
}

void line(std::string_view title, const std::string& text) { fmt::print("{:<16}{}\n", title, text); }

std::string capabilities_text(const layout::Capabilities& can) {
  std::vector<std::string> parts;
  if (can.stripe_count) {
    parts.push_back(can.max_stripe_count == 0
                        ? "stripe count"
                        : fmt::format("stripe count (at most {})", can.max_stripe_count));
  }
  if (can.stripe_size) {
    parts.push_back(can.size_unit == 0
                        ? "stripe size"
                        : fmt::format("stripe size ({} {})",
                                      can.powers_of_two ? "powers of two from" : "multiples of",
                                      bytes_text(can.size_unit)));
  }
  if (can.pool) parts.emplace_back("pool");
  if (can.components) parts.emplace_back("components");
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text.empty() ? "nothing" : text;
}

void print_no_control(const Spot& spot) {
  line("can be set", "no layout control here");
  const std::uint64_t block = spot.file_system != nullptr ? policy::block_size(spot.folder.c_str()) : 0;
  if (block != 0) line("block size", bytes_text(block));
  for (const Advice& advice : kAdvice) {
    if (spot.file_system_name() == advice.file_system) line("instead", std::string(advice.text));
  }
}

// `look_only`: nothing is made, even for a moment.
Target print_spot(const Spot& spot, bool look_only) {
  Target target;
  line("path", spot.exists ? printable(spot.path)
                           : fmt::format("{} (not there yet; seen from {})", printable(spot.path),
                                         printable(spot.looked)));
  if (spot.mount) {
    line("file system", fmt::format("{}, mounted on {} (type {}, from {})", spot.file_system_name(),
                                    printable(spot.mount->point.view()), printable(spot.mount->type.view()),
                                    printable(spot.mount->source.view())));
  } else {
    line("file system", spot.file_system_name());
  }
  line("recognised", spot.recognised);
  const bool listed = !config::settings().pfs_paths.empty();
  line("watched", spot.watched ? (listed ? "yes, by TOTO_PFS_PATHS" : "yes, a parallel file system")
                  : listed     ? "no, not below TOTO_PFS_PATHS"
                           : fmt::format("no, not a parallel file system (TOTO_PFS_PATHS={} would watch it)",
                                         printable(spot.folder)));
  if (spot.backend == nullptr) {
    print_no_control(spot);
    return target;
  }
  line("can be set", capabilities_text(spot.backend->capabilities()));
  line("by", std::string(spot.backend->who()));
  if (!look_only) line("tried", try_layout(spot));
  const char* folder = spot.folder.c_str();
  target.count = look_only ? spot.backend->targets(folder) : spot.backend->count_targets(folder);
  line("targets", target.count == 0 ? "not known" : fmt::format("{}", target.count));
  target.folder_error = look_only ? spot.backend->folder_default(folder, target.folder)
                                  : spot.backend->learn_default(folder, target.folder);
  const Layout& preset = target.folder.layout;
  std::string text = stripes_text(preset.count, preset.size, preset.pool);
  if (target.folder_error == ENODATA || text == "-") text = "none of its own";
  if (target.folder.composite) text += ", composite (grows with the file)";
  if (target.folder_error != 0 && target.folder_error != ENODATA) {
    text = fmt::format("not told ({})", std::strerror(target.folder_error));
  }
  line("folder default", text);
  if (spot.is_file) line("", "the file is there already: its layout stays (toto layout shows it)");
  return target;
}

hints::Situation situation_of(const Spot& spot, const Target& target, bool shared, Job job,
                              std::uint64_t bytes) {
  hints::Situation it;
  it.file_system = hints::file_system(spot.file_system_name());
  it.sharing = job.ranks == 1 ? hints::Sharing::kSerial
               : shared       ? hints::Sharing::kShared
                              : hints::Sharing::kFilePerProcess;
  it.spatiality = hints::Spatiality::kContiguous;
  it.calls = shared ? hints::Calls::kCollective : hints::Calls::kIndependent;
  it.ranks = job.ranks;
  it.nodes = job.nodes;
  it.files = shared ? 1 : job.ranks;
  it.bytes = bytes;
  it.targets = target.count;
  it.folder_is_composite = target.folder.composite;
  it.folder_stripe_size = target.folder.layout.size;
  if (it.file_system == hints::FileSystem::kGpfs) {
    it.folder_stripe_size = policy::block_size(spot.folder.c_str());
  }
  return it;
}

// What else than TOTO_HINTS gives hints to an MPI library of ROMIO's kin.
void print_sources() {
  hints::Sources sources;
  policy::add_sources_of(hints::MpiIo::kRomio, sources);
  const char* romio = std::getenv("ROMIO_HINTS");
  if (sources.cray_environment != nullptr && !sources.cray_environment->empty())
    line("hints also from", "MPICH_MPIIO_HINTS (MPICH and its kin)");
  if (sources.romio_file != nullptr && !sources.romio_file->empty())
    line("hints also from",
         fmt::format("{} (any ROMIO)", printable(romio != nullptr ? romio : "/etc/romio-hints")));
}

// A reason reads "ROW: meaning; the numbers: the result", where what the user or the program chose comes
// first
// ("striping_factor=4 (user-fill); ROW: ...").
std::string meaning_of(const std::string& reason) { return reason.substr(0, reason.rfind("; ")); }

std::string row_of(const std::string& reason) {
  const std::string meaning = meaning_of(reason);
  const std::size_t colon = meaning.rfind(": ");
  if (colon == std::string::npos) return "-";
  const std::size_t start = meaning.rfind("; ", colon);
  return start == std::string::npos ? meaning.substr(0, colon) : meaning.substr(start + 2, colon - start - 2);
}

void print_choices(const Spot& spot, const Target& target, const std::vector<Job>& jobs) {
  const std::unique_ptr<hints::Rules> rules = user_rules();
  const std::string example = new_file_in(spot);
  Table table({{"pattern"},
               {"ranks", Table::kRight},
               {"nodes", Table::kRight},
               {"bytes a file", Table::kRight},
               {"stripes", Table::kRight},
               {"stripe size", Table::kRight},
               {"origin"},
               {"rule"},
               {"MPI-IO hints"}});
  std::vector<std::string> meanings;
  for (const bool shared : {false, true}) {
    for (const Job& job : jobs) {
      const bool alone = job.ranks == 1;
      if (alone && shared) continue;  // one process shares with nobody
      for (const std::uint64_t bytes : kFileBytes) {
        hints::Sources sources;
        sources.path = example;
        sources.situation = situation_of(spot, target, shared, job, bytes);
        sources.rules = rules.get();
        sources.mode =
            config::settings().hints_mode == "override" ? hints::RuleMode::kOverride : hints::RuleMode::kFill;
        sources.library = shared ? hints::MpiIo::kRomio : hints::MpiIo::kUnknown;
        policy::add_sources_of(sources.library, sources);
        sources.use_prior = config::settings().tuning;
        sources.can_set_layout = spot.backend != nullptr && spot.backend->capabilities().any();
        auto outcome = std::make_unique<Outcome>();
        hints::decide(sources, *outcome);
        std::string keys;
        for (const Hint& hint : outcome->all_hints()) {
          keys += fmt::format("{}{}={}", keys.empty() ? "" : " ", hint.key.view(), hint.value.view());
        }
        const std::string reason = printable(outcome->reason.view());
        const std::string meaning = meaning_of(reason);
        if (std::find(meanings.begin(), meanings.end(), meaning) == meanings.end())
          meanings.push_back(meaning);
        table.row({alone    ? "one process"
                   : shared ? "shared, collective"
                            : "file per process",
                   fmt::format("{}", job.ranks), fmt::format("{}", job.nodes), bytes_text(bytes),
                   stripe_count_text(outcome->asked.count),
                   outcome->asked.size == 0 ? "-" : bytes_text(outcome->asked.size),
                   outcome->layout_origin == Origin::kNone ? "-" : std::string(name(outcome->layout_origin)),
                   row_of(reason), printable(keys)});
      }
    }
  }
  fmt::print(
      "\nWhat would be chosen for a new file of a known kind: contiguous; shared: by collective calls; hints "
      "under "
      "ROMIO's names. (Of a first file neither size nor pattern is known: fewer rules speak. -: left as it "
      "is)\n{}",
      table.text());
  fmt::print("\nRules\n");
  for (const std::string& meaning : meanings) fmt::print("  {}\n", meaning);
}

std::vector<Job> jobs_of(const po::variables_map& values) {
  std::vector<Job> jobs;
  const auto number = [&](const char* option) {
    return whole_number(option, values[option].as<std::string>(), 1, kMostRanks);
  };
  const bool nodes_given = values.count("nodes") != 0;
  const auto nodes = static_cast<std::uint32_t>(nodes_given ? number("nodes") : 0);
  const auto add = [&](std::uint32_t ranks) {
    const std::uint32_t guess = std::max(1U, ranks / kRanksANode);
    jobs.push_back({.ranks = ranks, .nodes = nodes_given ? std::min(nodes, ranks) : guess});
  };
  if (values.count("ranks") != 0) {
    const auto ranks = static_cast<std::uint32_t>(number("ranks"));
    if (nodes > ranks) {
      throw Failure(kExitUsage, fmt::format("--nodes: {} nodes for {}", nodes, plural(ranks, "rank")));
    }
    add(ranks);
  } else {
    for (const std::uint32_t ranks : kRanks) add(ranks);
  }
  return jobs;
}

}  // namespace

int check_command(const Words& words) {
  po::options_description options("Options");
  options.add_options()("ranks", po::value<std::string>()->value_name("N"),
                        "ranks of the job (default: 1, 16, 256, 8192)")(
      "nodes", po::value<std::string>()->value_name("N"), "nodes of the job (default: one for 64 ranks)")(
      "look-only", "make no file, even for a moment: what only a file tells is not known")("help",
                                                                                           "this text");
  const CommandLine given = read_command_line(words, options, Rest::kAnywhere);
  if (given.values.count("help") != 0) {
    std::ostringstream text;
    text << options;
    fmt::print(
        "Usage: toto check [options] PATH\n\nTells which file system PATH lies on, what can be set there, "
        "and what\n"
        "would be chosen for new files. TOTO_ variables count as they would in a job. To tell what this\n"
        "user may set, a hidden file is made in the folder and taken away again.\n\n{}",
        text.str());
    return 0;
  }
  if (given.rest.size() != 1) throw Failure(kExitUsage, "one path, please: toto check [options] PATH");
  const std::vector<Job> jobs = jobs_of(given.values);
  const Spot spot = find_spot(given.rest[0]);
  const Target target = print_spot(spot, given.values.count("look-only") != 0);
  if (config::settings().disable) {
    fmt::print("\nTOTO_DISABLE is set: nothing would be done.\n");
  } else if (spot.watched) {
    print_sources();
    print_choices(spot, target, jobs);
  }
  return 0;
}

}  // namespace toto::tools
