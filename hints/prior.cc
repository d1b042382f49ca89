// SPDX-License-Identifier: BSD-3-Clause
// One table of rows, tried from above within a file system; the first that applies gives the layout. The
// hints follow from the layout and from how the file is written. docs/rules.md has the sources.
#include "hints/prior.h"

#include <algorithm>
#include <cstddef>

namespace toto::hints {
namespace {

constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kMiB = 1024 * kKiB;
constexpr std::uint64_t kGB = 1'000'000'000;  // the sites' thresholds are decimal

// Row L1: below this a file gains nothing from a second target, unless several ranks write it ...
constexpr std::uint64_t kSmall = 64 * kMiB;
// ... and below this not even then.
constexpr std::uint64_t kTiny = 4 * kMiB;
// Row L1a: a shared file below 64 MiB a stripe has up to this many stripes, of this many bytes at least.
constexpr std::uint64_t kSmallFileStripes = 8;
constexpr std::uint64_t kSmallFileObject = 2 * kMiB;
// Row L7: targets a node drives (T3PIO); row L7a: targets that one node can drive, and a rank of it.
constexpr std::uint64_t kTargetsPerNode = 4;
constexpr std::uint64_t kTargetsOfOneNode = 8;
constexpr std::uint64_t kTargetsPerRank = 2;
// Never more stripes than this: NERSC's limit, a little below T3PIO's 80.
constexpr std::uint64_t kMostStripes = 72;
constexpr std::uint64_t kLargestStripe = 16 * kMiB;
// Collective buffers: ROMIO's default, and what an aggregator may well spend on one stripe.
constexpr std::uint64_t kUsualBuffer = 16 * kMiB;
constexpr std::uint64_t kLargestBuffer = 256 * kMiB;
constexpr std::uint64_t kStripeGrain = 64 * kKiB;  // Lustre: stripe sizes are multiples of this

// Row L11: counts with many divisors. ROMIO takes the largest divisor of the stripe count that is not above
// cb_nodes for the number of its aggregators, so a prime count ends with a single one.
constexpr std::array<std::uint64_t, 14> kRoundCounts{1, 2, 4, 6, 8, 12, 16, 24, 32, 36, 48, 60, 64, 72};

constexpr std::uint64_t round_down(std::uint64_t count) {
  std::uint64_t best = 1;
  for (const std::uint64_t round : kRoundCounts) {
    if (round <= count) best = round;
  }
  return best;
}

constexpr std::uint64_t power_of_two_floor(std::uint64_t number) {
  std::uint64_t power = 1;
  while (power <= number / 2) power *= 2;
  return power;
}

constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

// Row L4: ceil(sqrt(V / 128 MiB)) + 1, as far as `most`.
constexpr std::uint64_t size_floor(std::uint64_t bytes, std::uint64_t most) {
  std::uint64_t root = 0;
  while (root < most && root * root * (128 * kMiB) < bytes) ++root;
  return root + 1;
}
static_assert(size_floor(128 * kMiB, 100) == 2);
static_assert(size_floor(129 * kMiB, 100) == 3);

struct Facts {
  explicit Facts(const Situation& situation)
      : s(situation),
        nodes(std::max<std::uint64_t>(situation.nodes, 1)),
        // A node that writes has at least one rank that writes.
        ranks(std::max<std::uint64_t>(situation.ranks, nodes)),
        // Every rank has a file of its own, whatever the number that was passed says.
        files(std::max(
            {situation.files, situation.sharing == Sharing::kFilePerProcess ? situation.ranks : 1, 1U})),
        limit(situation.targets == 0 ? kMostStripes
                                     : std::min<std::uint64_t>(situation.targets, kMostStripes)) {}

  const Situation& s;
  std::uint64_t nodes, ranks, files;
  std::uint64_t limit;  // of the stripe count

  // A file that some ranks share is a shared one; `ranks` are those that do.
  [[nodiscard]] bool shared() const {
    return s.sharing == Sharing::kShared || s.sharing == Sharing::kSubsetShared;
  }
  [[nodiscard]] bool file_per_process() const { return s.sharing == Sharing::kFilePerProcess; }
  [[nodiscard]] bool collective() const { return s.calls == Calls::kCollective; }
  [[nodiscard]] bool independent() const { return s.calls == Calls::kIndependent; }
  [[nodiscard]] bool known_below(std::uint64_t bytes) const { return s.bytes != 0 && s.bytes < bytes; }
};

struct Choice {
  std::uint64_t count = 0;
  std::uint64_t size = 0;
  bool confident = false;
  std::string_view limited_by;  // a second row that had its say
};

struct Row {
  PriorRow row;
  bool (*applies)(const Facts& f);
  void (*choose)(const Facts& f, Choice& choice);
};

// ---- conditions

bool always(const Facts&) { return true; }
bool reads_only(const Facts& f) { return f.s.reads_only; }
bool one_writer(const Facts& f) { return f.s.sharing == Sharing::kSerial; }
bool sharing_unknown(const Facts& f) { return f.s.sharing == Sharing::kUnknown; }
bool nobody_to_stripe_for(const Facts& f) { return reads_only(f) || one_writer(f) || sharing_unknown(f); }

// Row L6 holds as far as a request can be a stripe: then a stripe has one writer, and its target too.
bool strided_in_whole_stripes(const Facts& f) {
  return f.shared() && f.independent() && f.s.spatiality == Spatiality::kStrided && f.nodes <= f.limit &&
         f.s.request != 0 && f.s.request % kStripeGrain == 0 && f.s.request <= kLargestStripe &&
         !f.known_below(std::max(kTiny, f.nodes * f.s.request));
}
bool progressive_default_is_good(const Facts& f) {
  return f.s.folder_is_composite && !(f.shared() && f.s.bytes > 100 * kGB);
}
bool small_file_per_process(const Facts& f) { return f.file_per_process() && f.known_below(kSmall); }
bool files_for_all_targets(const Facts& f) {
  return f.file_per_process() && (f.s.targets == 0 || f.files >= f.s.targets);
}
bool few_or_huge_files(const Facts& f) {
  return f.file_per_process() && (f.files <= f.s.targets / 4 || f.s.bytes > 100 * kGB);
}
bool file_per_process(const Facts& f) { return f.file_per_process(); }
bool tiny(const Facts& f) { return f.known_below(kTiny); }
bool collective(const Facts& f) { return f.collective(); }
bool independent(const Facts& f) { return f.independent(); }
bool many_small_files(const Facts& f) {
  return f.file_per_process() && f.s.targets != 0 && f.files / 4 >= f.s.targets && f.known_below(kSmall);
}
bool unstriped_by_default(const Facts& f) {
  return nobody_to_stripe_for(f) || f.file_per_process() || f.known_below(kTiny);
}

// ---- choices

void keep(const Facts&, Choice&) {}
void keep_surely(const Facts&, Choice& choice) { choice.confident = true; }

std::uint64_t stripe_size(const Facts& f, std::uint64_t count) {
  std::uint64_t size = kMiB;
  if (f.s.request != 0 && f.s.request % kMiB == 0) {
    size = std::min(f.s.request, kLargestStripe);
  } else if (f.s.bytes > 512 * kGB) {
    size = 16 * kMiB;
  } else if (f.s.bytes > 10 * kGB) {
    size = 4 * kMiB;
  } else if (f.s.folder_stripe_size >= kMiB && f.s.folder_stripe_size <= kLargestStripe) {
    size = f.s.folder_stripe_size;  // nothing speaks against the site's own
  }
  // Stripes that the file does not reach would be none.
  return f.known_below(count * size) ? kMiB : size;
}

// Row L1a: enough bytes for each stripe to be worth an object.
std::uint64_t most_for_size(std::uint64_t bytes) {
  const std::uint64_t large = bytes / kSmall;
  const std::uint64_t small = std::min(bytes / kSmallFileObject, kSmallFileStripes);
  return std::max<std::uint64_t>({large, small, 1});
}

void one_stripe(const Facts& f, Choice& choice) {
  choice.count = 1;
  choice.size = kMiB;
  choice.confident = f.s.targets != 0 || f.s.bytes != 0;
}

void spread_few_files(const Facts& f, Choice& choice) {
  std::uint64_t count = std::clamp<std::uint64_t>(f.s.targets / f.files, 1, 8);
  if (f.s.bytes != 0) count = std::min(count, std::max<std::uint64_t>(f.s.bytes / kSmall, 1));
  choice.count = power_of_two_floor(count);
  choice.size = kMiB;
  choice.confident = f.files <= f.s.targets / 4;
}

// Row L7a: what the ranks of few nodes can drive.
std::uint64_t few_nodes(const Facts& f) {
  return std::min({kTargetsOfOneNode, kTargetsPerRank * f.ranks, f.limit});
}

// The largest multiple of the nodes within what few nodes can drive: each stripe's target then has the same
// node for its only writer. One node has no lock conflict with itself, so its count is free.
void multiple_of_nodes(const Facts& f, Choice& choice) {
  std::uint64_t few = few_nodes(f);
  if (f.s.bytes != 0) few = std::min(few, f.s.bytes / f.s.request);
  choice.count = f.nodes * std::max<std::uint64_t>(few / f.nodes, 1);
  choice.size = f.s.request;
  if (choice.count > f.nodes) choice.limited_by = "L7a";
}

void shared_by_nodes(const Facts& f, Choice& choice) {
  std::uint64_t count = std::min(f.limit, f.nodes * kTargetsPerNode);
  // Nodes that write on their own get as many targets each; the aggregators of collective calls are shared
  // out by the MPI library.
  if (f.independent() && f.nodes < f.limit) count -= count % f.nodes;
  const std::uint64_t few = few_nodes(f);
  if (few > count) {
    count = few;
    choice.limited_by = "L7a";
  }
  if (f.s.bytes != 0) {
    const std::uint64_t least = std::min(size_floor(f.s.bytes, f.limit), f.limit);
    if (least > count) {
      count = least;
      choice.limited_by = "L4";
    }
    const std::uint64_t most = most_for_size(f.s.bytes);
    if (most < count) {
      count = most;
      choice.limited_by = "L1a";
    }
  }
  choice.count = f.independent() ? count : round_down(count);  // L11
  choice.size = stripe_size(f, choice.count);
  // Sure only where the collective buffering's aggregators hide what the ranks do, and the numbers are known.
  choice.confident = f.collective() && f.s.targets != 0 && f.s.bytes >= kSmall && choice.limited_by != "L7a";
}

std::uint64_t beegfs_chunk(const Facts& f) {
  if (f.s.request >= 8 * kMiB) return 4 * kMiB;
  const bool usual = f.s.folder_stripe_size >= 512 * kKiB && f.s.folder_stripe_size <= kMiB;
  return usual ? f.s.folder_stripe_size : kMiB;
}

void every_target(const Facts& f, Choice& choice) {
  choice.count = f.s.targets != 0 ? f.s.targets : kAllTargets;
  choice.size = beegfs_chunk(f);
  choice.confident = f.s.targets != 0 && f.s.targets <= 32;
}

void one_chunk_row(const Facts& f, Choice& choice) {
  choice.count = 1;
  choice.size = beegfs_chunk(f);
}

void ceph_stripes(const Facts& f, Choice& choice) {
  std::uint64_t count =
      std::max(f.nodes * kTargetsPerNode, std::min(kTargetsOfOneNode, kTargetsPerRank * f.ranks));
  count = std::clamp<std::uint64_t>(count, 4, 16);
  if (f.s.targets != 0) count = std::min<std::uint64_t>(count, f.s.targets);
  if (f.s.bytes != 0) count = std::min(count, std::max<std::uint64_t>(f.s.bytes / kSmallFileObject, 1));
  choice.count = round_down(count);
  // A power of two, so that it divides the usual object of 4 MiB.
  choice.size = f.s.request % kMiB == 0 ? power_of_two_floor(std::clamp(f.s.request, kMiB, 4 * kMiB)) : kMiB;
}

using enum FileSystem;

constexpr auto kRows = std::to_array<Row>({
    Row{{kLustre, "L12", "only read"}, reads_only, keep_surely},
    Row{{kLustre, "L1", "one writer"}, one_writer, keep_surely},
    Row{{kLustre, "L0", "who writes it is not known"}, sharing_unknown, keep},
    Row{{kLustre, "L6", "shared, independent, strided, a request a stripe"},
        strided_in_whole_stripes,
        multiple_of_nodes},
    Row{{kLustre, "L13", "the folder's default is progressive"}, progressive_default_is_good, keep_surely},
    Row{{kLustre, "L1", "file per process, small"}, small_file_per_process, one_stripe},
    Row{{kLustre, "L2", "file per process, files for all targets"}, files_for_all_targets, one_stripe},
    Row{{kLustre, "L3", "file per process, few or huge files"}, few_or_huge_files, spread_few_files},
    Row{{kLustre, "L2", "file per process"}, file_per_process, one_stripe},
    Row{{kLustre, "L1", "shared, tiny"}, tiny, one_stripe},
    Row{{kLustre, "L8", "shared, collective"}, collective, shared_by_nodes},
    Row{{kLustre, "L7", "shared, independent"}, independent, shared_by_nodes},
    Row{{kLustre, "L7b", "shared, calls not known yet"}, always, shared_by_nodes},

    Row{{kBeegfs, "B0", "read only, one writer, or not known"}, nobody_to_stripe_for, keep},
    Row{{kBeegfs, "B4", "file per process, many small files"}, many_small_files, one_chunk_row},
    Row{{kBeegfs, "B1", "shared or file per process"}, always, every_target},

    Row{{kCeph, "C0", "not shared, or tiny"}, unstriped_by_default, keep},
    Row{{kCeph, "C1", "shared"}, always, ceph_stripes},

    Row{{kGpfs, "G1", "blocks go round all disks, no choice"}, always, keep_surely},
    Row{{kNfs, "N1", "no stripes to choose"}, always, keep_surely},
    Row{{kDaos, "D1", "no rule for stripes here"}, always, keep},
    Row{{kOther, "O1", "no stripes to choose"}, always, keep_surely},
});

constexpr auto kRowNames = [] {
  std::array<PriorRow, kRows.size()> names{};
  for (std::size_t i = 0; i < kRows.size(); ++i) names[i] = kRows[i].row;
  return names;
}();

// ---- hints

// What collective buffering is given on a file system.
struct Traits {
  FileSystem file_system;
  bool aggregators;     // their number and buffers follow the stripes (or blocks)
  bool no_sieving;      // whole blocks are written by aggregators: reading before writing only costs
  bool align_to_block;  // striping_unit is for alignment alone
};
constexpr auto kTraits = std::to_array<Traits>({
    Traits{kLustre, true, true, false},
    Traits{kBeegfs, true, true, false},
    Traits{kCeph, true, false, false},
    Traits{kGpfs, true, true, true},
    Traits{kNfs, false, false, false},
    Traits{kDaos, false, false, false},
    Traits{kOther, false, false, false},
});

constexpr const Traits& traits(FileSystem file_system) {
  for (const Traits& known : kTraits) {
    if (known.file_system == file_system) return known;
  }
  return kTraits.back();
}

void add_number(Prior& answer, std::string_view key, std::uint64_t number) {
  answer.add(key, FixedString<24>().add(number));
}

// L8, with the largest divisor of the count taken here, for MPI libraries whose driver does not; L9.
void add_aggregators(const Facts& f, std::uint64_t count, std::uint64_t unit, Prior& answer) {
  std::uint64_t aggregators = std::min(count, f.ranks);
  while (count % aggregators != 0) --aggregators;
  const bool tiny_calls =
      f.s.call_bytes != 0 && unit != 0 && (f.s.call_bytes < f.ranks * (64 * kKiB) || f.s.call_bytes < unit);
  if (tiny_calls) aggregators = std::min(aggregators, divide_up(f.s.call_bytes, unit));
  add_number(answer, "cb_nodes", aggregators);
  // ROMIO takes one aggregator a node at most unless told otherwise.
  if (aggregators > f.nodes) {
    answer.add("cb_config_list", FixedString<24>("*:").add(divide_up(aggregators, f.nodes)));
  }
}

// What somebody chose, as ROMIO's driver for DAOS reads it (ad_daos_hints.c). Object classes S1 to S32 have
// that many targets, SX has all (daos_obj_class.h).
void add_daos(const Layout& layout, Prior& answer) {
  constexpr std::uint32_t kWidestBelowAll = 32;
  if (layout.size != 0) add_number(answer, "romio_daos_chunk_size", layout.size);
  if (layout.count == 0) return;
  if (layout.count >= 2 * kWidestBelowAll) {
    answer.add("romio_daos_obj_class", "SX");
  } else {
    answer.add("romio_daos_obj_class", FixedString<24>("S").add(power_of_two_floor(layout.count)));
  }
}

void add_hints(const Facts& f, Prior& answer) {
  const Traits& here = traits(f.s.file_system);
  const Layout& layout = answer.layout;
  if (f.s.file_system == kDaos) add_daos(layout, answer);
  if (layout.count != 0 && layout.size != 0) {
    // Always both: ROMIO takes a striping_unit alone for "all targets".
    answer.add("striping_factor",
               layout.count == kAllTargets ? FixedString<24>("-1") : FixedString<24>().add(layout.count));
    add_number(answer, "striping_unit", layout.size);
  }
  // The rest only where the calls are known to be collective: nobody is forced into it.
  if (!f.collective() || !f.shared()) return;

  const std::uint64_t unit = layout.size != 0 ? layout.size : f.s.folder_stripe_size;
  // L10: large pieces that do not interleave are left to the library's own choice.
  const bool interleaved = f.s.interleaved || f.s.spatiality == Spatiality::kStrided;
  const bool small_pieces = here.aggregators && f.s.request != 0 && f.s.request < unit;
  if ((interleaved || small_pieces) && !f.s.reads_only) {
    answer.add("romio_cb_write", "enable");
    if (here.no_sieving) answer.add("romio_ds_write", "disable");
  }
  if (!here.aggregators) return;

  const std::uint64_t count = layout.count == kAllTargets ? f.s.targets : layout.count;
  if (count != 0) add_aggregators(f, count, unit, answer);
  if (unit != 0) {
    if (here.align_to_block && layout.count == 0) add_number(answer, "striping_unit", unit);
    if (unit <= kLargestBuffer) add_number(answer, "cb_buffer_size", divide_up(kUsualBuffer, unit) * unit);
  }
}

// ---- the reason

template <std::size_t N>
void add_bytes(FixedString<N>& text, std::uint64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits{" bytes", " KiB", " MiB", " GiB", " TiB"};
  std::size_t unit = 0;
  while (unit + 1 < kUnits.size() && (bytes >= 10 * 1024 || (bytes >= 1024 && bytes % 1024 == 0))) {
    bytes /= 1024;
    ++unit;
  }
  text.add(bytes).add(kUnits[unit]);
}

void add_reason(const Facts& f, const PriorRow& row, const Choice& choice, Prior& answer) {
  auto& text = answer.reason;
  text.add(row.name);
  if (!choice.limited_by.empty()) text.add("+").add(choice.limited_by);
  text.add(": ").add(row.meaning).add("; ").add(f.ranks).add(f.ranks == 1 ? " rank" : " ranks");
  text.add(" on ").add(f.nodes).add(f.nodes == 1 ? " node" : " nodes");
  if (f.file_per_process()) text.add(", ").add(f.files).add(f.files == 1 ? " file" : " files");
  if (f.s.bytes != 0) {
    text.add(", ");
    add_bytes(text, f.s.bytes);
  } else {
    text.add(", size not known");
  }
  if (f.s.targets != 0) text.add(", ").add(f.s.targets).add(f.s.targets == 1 ? " target" : " targets");
  const Layout& layout = answer.layout;
  if (layout.count == 0) {
    text.add(": the folder's default is kept");
    return;
  }
  text.add(": ");
  if (layout.count == kAllTargets) {
    text.add("a stripe on every target");
  } else {
    text.add(layout.count).add(layout.count == 1 ? " stripe" : " stripes");
  }
  if (layout.size != 0) {
    text.add(" of ");
    add_bytes(text, layout.size);
  }
}

}  // namespace

void Prior::add(std::string_view key, std::string_view value) {
  if (hint_count < hints.size()) hints[hint_count++] = {.key = key, .value = value};
}

std::string_view Prior::find(std::string_view key) const {
  for (std::uint32_t i = 0; i < hint_count; ++i) {
    if (hints[i].key == key) return hints[i].value;
  }
  return {};
}

Prior prior(const Situation& situation) { return prior(situation, Layout{}); }

Prior prior(const Situation& situation, const Layout& chosen) {
  const Facts facts(situation);
  Prior answer;
  for (const Row& row : kRows) {
    if (row.row.file_system != situation.file_system || !row.applies(facts)) continue;
    Choice choice;
    row.choose(facts, choice);
    answer.layout = chosen;
    if (chosen.count == 0) answer.layout.count = static_cast<std::uint32_t>(choice.count);
    if (chosen.size == 0) answer.layout.size = choice.size;
    answer.confident = choice.confident;
    add_reason(facts, row.row, choice, answer);
    break;
  }
  add_hints(facts, answer);
  return answer;
}

std::span<const PriorRow> prior_rows() { return kRowNames; }

}  // namespace toto::hints
