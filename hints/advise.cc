// SPDX-License-Identifier: BSD-3-Clause
#include "hints/advise.h"

#include <algorithm>

#include "core/human.h"
#include "hints/classify.h"
#include "hints/measure.h"

namespace toto::hints {
namespace {

// ---- thresholds
//
// Those without a source are ours: far above what programs do that are in order, far below what a support
// desk gets to see.

constexpr std::uint64_t kKiB = 1024, kMiB = 1024 * kKiB;
constexpr std::uint64_t kSecond = 1'000'000'000;

// What took a smaller part of the job's time, for each rank that was concerned, is not worth a word: percent.
constexpr std::uint64_t kWorthSaying = 1;
constexpr std::uint64_t kMediumPercent = 5;
constexpr std::uint64_t kHighPercent = 20;

// Calls of a kind that make a hot loop. A call to a network file system takes about a millisecond where
// nothing is cached: a second in all.
constexpr std::uint64_t kHot = 1000;
// Opens of one file by one rank. A file that is opened once a time step is opened less often in most jobs.
constexpr std::uint64_t kHotOpens = 100;
// Syncs wait for the disks, some ten milliseconds each: a second in all.
constexpr std::uint64_t kHotSyncs = 100;

// A buffer of stdio (glibc's BUFSIZ is 8 KiB, a page or a block of the file system is what it takes): who
// flushes less each time has no use of it.
constexpr std::uint64_t kStdioBuffer = 4 * kKiB;
// Smallest stripe of Lustre and BeeGFS: less is no work for several targets, nor for several aggregators.
constexpr std::uint64_t kSmallestStripe = 64 * kKiB;
// Lustre's default stripe. Requests below it share stripes, and so locks, with those beside them.
constexpr std::uint64_t kUsualStripe = kMiB;

// Files in one folder: the limit in computing centres' advice for GPFS ("avoid >1000 small files in a single
// directory").
constexpr std::uint64_t kManyFiles = 1000;
// NERSC's "small file": under 1 MB.
constexpr std::uint64_t kSmallFile = kMiB;

// A temporary file of less, in fewer calls than kHot, is better left where it is.
constexpr std::uint64_t kLargeScratch = 64 * kMiB;

// Ranks from which reading the same file is a load: less than a node has.
constexpr std::uint64_t kManyReaders = 8;
constexpr std::uint64_t kMuchReading = 64 * kMiB;

// Data sieving that reads a tenth of what is written reads more than the blocks at the edges.
constexpr std::uint64_t kSievedReads = 100;

// One rank against the mean, of which it is a part: never so among three ranks or two.
constexpr std::uint64_t kSlowTimes = 3;
constexpr std::uint64_t kSlowExcess = kSecond;

// ---- what rules work with

using Remedy = decltype(Advice::remedy);

struct Case {
  const Summary& summary;
  const FamilySummary& family;

  [[nodiscard]] const Totals& posix() const { return layer(family, Layer::kPosix); }
  [[nodiscard]] const Totals& stdio() const { return layer(family, Layer::kStdio); }
  [[nodiscard]] const Totals& mpiio() const { return layer(family, Layer::kMpiIo); }
  [[nodiscard]] std::uint64_t ranks() const { return std::max<std::uint64_t>(family.ranks, 1); }
  [[nodiscard]] bool by_mpiio() const {
    return data_calls(mpiio()) + posix()[Counter::mpi_reads] + posix()[Counter::mpi_writes] > 0;
  }
  [[nodiscard]] bool is_shared() const {
    const Sharing sharing = sharing_of(family);
    return sharing == Sharing::kShared || sharing == Sharing::kSubsetShared;
  }
};

struct Finding {
  std::array<Advice::Count, 4> counts{};
  std::uint64_t ns = 0;        // over all ranks
  std::uint64_t ranks = 1;     // that this is spread over
  bool whatever_cost = false;  // to be said however little time it took: others pay for it
  Remedy remedy;
};

Remedy& add_ranks(Remedy& text, std::uint64_t ranks) {
  return text.add(ranks).add(ranks == 1 ? " process" : " processes");
}

// Three quarters and more.
bool most(std::uint64_t part, std::uint64_t whole) { return whole != 0 && part >= whole - whole / 4; }

// ---- rules: false where there is nothing to say

bool open_in_loop(const Case& in, Finding& out) {
  const Totals& t = opened_by(in.family);
  const std::uint64_t opens = t[Counter::opens], files = in.family.sum_files;
  if (files == 0 || opens < kHot || opens < kHotOpens * files) return false;
  // C++'s streams are opened by stdio and write by themselves.
  const Totals& data = calls_of_program(in.family);
  out.counts = {Advice::Count{"opens", opens},
                {"closes", t[Counter::closes]},
                {"reads", data[Counter::reads]},
                {"writes", data[Counter::writes]}};
  out.ns = t[Counter::open_ticks];
  out.remedy.add("Opened ").add(opens).add(" times by ");
  add_ranks(out.remedy, in.ranks()).add(", ").add(opens / files).add(" times a file, to move ");
  out.remedy.add(human_bytes(data_bytes(data) / opens)).add(" each time. ");
  out.remedy.add("Open the file once, before the loop, and close it behind it.");
  return true;
}

bool flush_per_line(const Case& in, Finding& out) {
  const Totals& t = in.stdio();
  const std::uint64_t flushes = t[Counter::flushes];
  if (flushes < kHot || t[Counter::bytes_written] >= flushes * kStdioBuffer) return false;
  out.counts = {Advice::Count{"flushes", flushes},
                {"writes", t[Counter::writes]},
                {"bytes_written", t[Counter::bytes_written]}};
  out.ns = t[Counter::sync_ticks];
  out.remedy.add(flushes).add(" flushes, one for ").add(human_bytes(t[Counter::bytes_written] / flushes));
  out.remedy.add(
      " each: every one is a request of its own to the file system. Leave out fflush; the buffer is written "
      "when "
      "it is full and at the close.");
  return true;
}

bool write_per_line(const Case& in, Finding& out) {
  const Totals& t = in.posix();
  const std::uint64_t writes = t[Counter::writes];
  const std::uint64_t tiny = no_larger(t.write_sizes, kTinyWrite);
  // Opened for each write: that is the rule above.
  if (in.by_mpiio() || tiny < kHot || !most(tiny, writes) || writes < 4 * most_of(in.family, Counter::opens))
    return false;
  if (!most(t[Counter::writes_consecutive], writes)) return false;
  out.counts = {Advice::Count{"writes", tiny}, {"bytes_written", t[Counter::bytes_written]}};
  out.ns = t[Counter::write_ticks];
  out.remedy.add(tiny)
      .add(" writes one after the other of ")
      .add(human_bytes(t[Counter::bytes_written] / writes));
  out.remedy.add(
      " each, as a flush behind each line makes them. Write '\\n' instead of std::endl, do without "
      "flush=True or "
      "unbuffered streams, or gather lines in a buffer of 1 MiB.");
  return true;
}

bool sync_per_write(const Case& in, Finding& out) {
  const std::uint64_t syncs = most_of(in.family, Counter::syncs);
  const Totals& program = calls_of_program(in.family);
  const std::uint64_t written = program[Counter::bytes_written];
  if (syncs < kHotSyncs || written == 0 || written >= syncs * kSmallestStripe) return false;
  out.counts = {
      Advice::Count{"syncs", syncs}, {"writes", program[Counter::writes]}, {"bytes_written", written}};
  out.ns = most_of(in.family, Counter::sync_ticks);
  out.remedy.add(syncs).add(" syncs, one for ").add(human_bytes(written / syncs));
  out.remedy.add(
      " each: every one waits until the disks have it. Sync once at the end of a checkpoint, not behind "
      "every "
      "write.");
  return true;
}

std::uint64_t files_of(const FamilySummary& family) {
  return std::max(most_of(family, Counter::creates), family.files());
}
std::uint64_t bytes_of(const FamilySummary& family) {
  return most_of(family, Counter::bytes_written) + most_of(family, Counter::bytes_read);
}
// Files that stay, all in one folder, and each of them small.
bool has_small_files(const FamilySummary& family) {
  return family.folder() != 0 && bytes_of(family) < files_of(family) * kSmallFile &&
         most_of(family, Counter::unlinks) * 2 < files_of(family);
}

bool many_small_files(const Case& in, Finding& out) {
  if (!has_small_files(in.family)) return false;
  std::uint64_t files = 0, created = 0, bytes = 0;
  for (std::size_t i = 0; i < in.summary.count; ++i) {
    const FamilySummary& other = in.summary.families[i];
    if (!has_small_files(other) || other.folder() != in.family.folder()) continue;
    // Said once a folder.
    if (other.name_view() < in.family.name_view()) return false;
    files += files_of(other);
    created += most_of(other, Counter::creates);
    bytes += bytes_of(other);
    out.ns += most_of(other, Counter::meta_ticks);
    out.ranks = std::max(out.ranks, other.ranks);
  }
  if (files <= kManyFiles) return false;
  out.counts = {Advice::Count{"files", files}, {"creates", created}, {"bytes", bytes}};
  out.whatever_cost = true;
  out.remedy.add(files).add(" files of ").add(human_bytes(bytes / files)).add(" on average in one folder");
  out.remedy.add(created > 0 ? ", most of them new. " : ", read one by one. ");
  out.remedy.add(
      "Keep such records in one file (HDF5, SQLite, a tar or zip archive), or spread them over subfolders of "
      "at "
      "most 1000.");
  return true;
}

bool random_small(const Case& in, Finding& out) {
  const Totals& t = offsets_of(in.family);
  const std::uint64_t reads = no_larger(t.read_sizes, kSmallestStripe);
  const std::uint64_t writes = no_larger(t.write_sizes, kSmallestStripe);
  if (in.by_mpiio() || reads + writes < kHot || !most(reads + writes, data_calls(t))) return false;
  if (spatiality_of(in.family) != Spatiality::kRandom) return false;
  out.counts = {Advice::Count{"accesses", reads + writes},
                {"reads", reads},
                {"writes", writes},
                {"bytes", data_bytes(t)}};
  out.ns = data_ns(t);
  out.remedy.add(reads + writes).add(" accesses of ").add(human_bytes(request_of(t)));
  out.remedy.add(" at random places of files of up to ").add(human_bytes(t[Counter::end_offset]));
  out.remedy.add(
      ": each waits for the network. Read the file in large pieces into memory, access it in the order of "
      "its "
      "offsets, or copy it to node-local storage or /dev/shm first.");
  return true;
}

bool scratch_on_network(const Case& in, Finding& out) {
  const Sharing sharing = sharing_of(in.family);
  if (sharing != Sharing::kSerial && sharing != Sharing::kFilePerProcess) return false;
  const Totals& t = calls_of_program(in.family);
  const std::uint64_t written = t[Counter::bytes_written], read = t[Counter::bytes_read];
  const std::uint64_t unlinks = most_of(in.family, Counter::unlinks);
  const std::uint64_t created = most_of(in.family, Counter::creates);
  if (created == 0 || unlinks < created || written == 0 || read * 2 < written) return false;
  if (data_calls(t) < kHot && written + read < kLargeScratch) return false;
  out.counts = {Advice::Count{"creates", created},
                {"unlinks", unlinks},
                {"bytes_written", written},
                {"bytes_read", read}};
  out.ns = data_ns(t) + t[Counter::meta_ticks];
  out.remedy.add("Written, read back and removed by the same process: ").add(created).add(" files, ");
  out.remedy.add(human_bytes(written)).add(" in all, ").add(human_bytes(written / created));
  out.remedy.add(
      " each. Put them on node-local storage ($TMPDIR) or, where they fit, the RAM disk /dev/shm.");
  return true;
}

bool small_collective(const Case& in, Finding& out) {
  const Totals& t = in.mpiio();
  const std::uint64_t collective = t[Counter::collective], members = in.family.mpi_ranks;
  if (members < 2 || collective < kHot || !most(collective, data_calls(t))) return false;
  const std::uint64_t calls = std::max<std::uint64_t>(collective / members, 1);
  if (calls < kHotOpens || data_bytes(t) >= calls * kSmallestStripe) return false;
  out.counts = {Advice::Count{"collective", collective}, {"bytes", data_bytes(t)}};
  out.ns = data_ns(t);
  out.remedy.add(calls).add(" collective calls by ").add(members).add(" ranks moved ");
  out.remedy.add(human_bytes(data_bytes(t) / calls))
      .add(
          " each, of all ranks together: less than one request, and all wait for it. Let the rank that has "
          "the data "
          "write it by an independent call (MPI_File_write_at), or gather several steps in one collective "
          "call.");
  return true;
}

// What the MPI library reads of a file that the program only writes, to change pieces of it.
bool is_sieved(const Case& in) {
  const Totals& posix = in.posix();
  return in.mpiio()[Counter::writes] > 0 && in.mpiio()[Counter::reads] == 0 &&
         posix[Counter::mpi_reads] >= kSievedReads &&
         posix[Counter::mpi_bytes_read] * 10 >= posix[Counter::mpi_bytes_written];
}

bool small_independent(const Case& in, Finding& out) {
  const Totals& mpiio = in.mpiio();
  const bool mpi = data_calls(mpiio) > 0;
  // One call of MPI-IO with a view may be many requests: these are what the file system sees.
  const Totals& t = offsets_of(in.family);
  const std::uint64_t requests = data_calls(t);
  if (mpi && !most(mpiio[Counter::independent], data_calls(mpiio))) return false;
  if (requests < kHot || request_of(t) >= kUsualStripe || !in.is_shared() || is_sieved(in)) return false;
  // Readers of a file without writers disturb nobody where they read by themselves.
  const Spatiality where = spatiality_of(in.family);
  const bool interleaved = where == Spatiality::kStrided || (mpi && where == Spatiality::kRandom);
  if (!interleaved || (in.family.writers < 2 && !mpi)) return false;
  out.counts = {Advice::Count{"independent", mpi ? mpiio[Counter::independent] : requests},
                {"requests", requests},
                {"writers", in.family.writers},
                {"bytes", data_bytes(t)}};
  out.ns = data_ns(mpi ? mpiio : t);
  out.remedy.add(requests).add(" requests of ").add(human_bytes(request_of(t))).add(" by ");
  add_ranks(out.remedy, in.ranks()).add(", interleaved in a shared file, from independent calls. ");
  out.remedy.add(
      mpi ? "Use the collective calls (MPI_File_write_at_all, or write_all with a file view): they "
            "make large requests of them."
          : "Use MPI-IO's or HDF5's collective calls, which make large requests of them, or let each "
            "process write one contiguous part.");
  return true;
}

bool sieving_writes(const Case& in, Finding& out) {
  if (!is_sieved(in)) return false;
  const Totals& posix = in.posix();
  const std::uint64_t asked = in.mpiio()[Counter::bytes_written], written = posix[Counter::mpi_bytes_written];
  const std::uint64_t read = posix[Counter::mpi_bytes_read];
  out.counts = {Advice::Count{"mpi_reads", posix[Counter::mpi_reads]},
                {"mpi_bytes_read", read},
                {"mpi_bytes_written", written},
                {"bytes_written", asked}};
  // The reads, and the part of the writes that puts back what was there.
  const double too_much = written > asked ? 1 - static_cast<double>(asked) / static_cast<double>(written) : 0;
  out.ns = posix[Counter::read_ticks] +
           static_cast<std::uint64_t>(too_much * static_cast<double>(posix[Counter::write_ticks]));
  out.remedy.add("The program only writes (").add(human_bytes(asked)).add("), but the MPI library read ");
  out.remedy.add(human_bytes(read)).add(" in ").add(posix[Counter::mpi_reads]).add(" calls and wrote ");
  out.remedy.add(human_bytes(written))
      .add(
          " to change pieces of it (data sieving). Set the hint romio_ds_write=disable, or write "
          "collectively.");
  return true;
}

bool all_read_one(const Case& in, Finding& out) {
  const Totals& t = offsets_of(in.family);
  const std::uint64_t files = in.family.files(), ranks = in.family.ranks;
  if (ranks < kManyReaders || in.family.writers != 0 || sharing_of(in.family) != Sharing::kShared)
    return false;
  // Each rank reads all of it, not its part.
  const std::uint64_t all = files * t[Counter::end_offset];
  if (all == 0 || t[Counter::bytes_read] / ranks * 10 < all * 8) return false;
  if (t[Counter::reads] < kHot && t[Counter::bytes_read] < kMuchReading) return false;
  out.counts = {
      Advice::Count{"ranks", ranks}, {"reads", t[Counter::reads]}, {"bytes_read", t[Counter::bytes_read]}};
  out.ns = t[Counter::read_ticks] + t[Counter::open_ticks];
  out.remedy.add("Each of ").add(ranks).add(" ranks reads the same ").add(human_bytes(all));
  out.remedy.add(", ")
      .add(human_bytes(t[Counter::bytes_read]))
      .add(
          " in all. Read it on one rank and send it to the others (MPI_Bcast), or copy it to each node's "
          "local storage "
          "once.");
  return true;
}

bool unaligned_shared(const Case& in, Finding& out) {
  const Totals& t = offsets_of(in.family);
  const std::uint64_t calls = data_calls(t), writes = t[Counter::writes];
  // Smaller ones share stripes wherever they start; the rule on interleaved accesses speaks of them.
  if (in.family.writers < 2 || !in.is_shared() || writes < kHotSyncs || !most(writes, calls)) return false;
  if (request_of(t) < kUsualStripe) return false;
  // Where each rank has a contiguous part, only the parts' ends are shared.
  if (spatiality_of(in.family) == Spatiality::kContiguous) return false;
  const bool stripes = in.family.stripe_size != 0;
  const std::uint64_t unaligned = t[stripes ? Counter::unaligned_stripe : Counter::unaligned_block];
  if (unaligned * 2 < calls) return false;
  out.counts = {Advice::Count{stripes ? "unaligned_stripe" : "unaligned_block", unaligned},
                {"writes", writes},
                {"writers", in.family.writers}};
  out.ns = t[Counter::write_ticks];
  out.remedy.add(unaligned).add(" of ").add(calls).add(" accesses to a file with ").add(in.family.writers);
  out.remedy.add(" writers start inside a ").add(stripes ? "stripe of " : "block of ");
  out.remedy.add(human_bytes(stripes ? in.family.stripe_size : 4 * kKiB));
  out.remedy.add(
      ", so that two writers want the same lock. Start each rank's part at a multiple of it (HDF5: "
      "H5Pset_alignment), a header in a block of its own.");
  return true;
}

bool slow_rank(const Case& in, Finding& out) {
  const std::uint64_t ranks = in.family.ranks;
  if (ranks == 0) return false;
  std::uint64_t all = 0;
  for (const Totals& t : in.family.layers) all = std::max(all, data_ns(t) + t[Counter::meta_ticks]);
  const std::uint64_t mean = all / ranks, slowest = in.family.slowest_ns;
  if (slowest < kSlowTimes * mean || slowest < mean + kSlowExcess) return false;
  // One that moved more has a reason.
  const std::uint64_t mean_bytes = in.family.bytes() / ranks;
  if (in.family.most_bytes > 2 * mean_bytes) return false;
  out.counts = {Advice::Count{"rank", in.family.slowest_rank}, {"ranks", ranks}};
  out.ns = slowest - mean;
  out.ranks = 1;  // the others wait for it
  out.remedy.add("Rank ").add(in.family.slowest_rank).add(" needed ").add(human_seconds(slowest));
  out.remedy.add(", ").add(ranks).add(" ranks ").add(human_seconds(mean));
  out.remedy.add(
      " on average, and it moved no more than others. Look at its node (network, other jobs, swapping) and, "
      "where "
      "the next run has another slow one, at the target that its part lies on.");
  return true;
}

struct Rule {
  std::string_view name;
  bool (*find)(const Case& in, Finding& out);
};

constexpr std::array kRules = {
    Rule{"open-in-loop", open_in_loop},
    Rule{"flush-per-line", flush_per_line},
    Rule{"write-per-line", write_per_line},
    Rule{"sync-per-write", sync_per_write},
    Rule{"many-small-files", many_small_files},
    Rule{"random-small", random_small},
    Rule{"scratch-on-network", scratch_on_network},
    Rule{"small-collective", small_collective},
    Rule{"small-independent", small_independent},
    Rule{"sieving-writes", sieving_writes},
    Rule{"all-read-one", all_read_one},
    Rule{"unaligned-shared", unaligned_shared},
    Rule{"slow-rank", slow_rank},
};

constexpr auto kRuleNames = [] {
  std::array<std::string_view, kRules.size()> names;
  for (std::size_t i = 0; i < kRules.size(); ++i) names[i] = kRules[i].name;
  return names;
}();

// A part of the job's time that each of the ranks gave for it, in percent.
std::uint64_t percent(const Finding& found, std::uint64_t job_ns) {
  const double each =
      static_cast<double>(found.ns) / static_cast<double>(std::max<std::uint64_t>(found.ranks, 1));
  return static_cast<std::uint64_t>(100 * each / static_cast<double>(std::max<std::uint64_t>(job_ns, 1)));
}

Severity severity(std::uint64_t percent) {
  if (percent >= kHighPercent) return Severity::kHigh;
  return percent >= kMediumPercent ? Severity::kMedium : Severity::kLow;
}

}  // namespace

void advise(const Summary& summary, std::uint64_t job_ns, AdviceList& out) {
  // Families that were folded into one have no name, and their numbers belong to different files: left out.
  for (std::size_t i = 0; i < summary.count; ++i) {
    const FamilySummary& family = summary.families[i];
    for (const Rule& rule : kRules) {
      Finding found;
      found.ranks = std::max<std::uint64_t>(family.ranks, 1);
      if (!rule.find(Case{summary, family}, found)) continue;
      const std::uint64_t part = percent(found, job_ns);
      if (part < kWorthSaying && !found.whatever_cost) continue;
      out.add({.rule = rule.name,
               .severity = severity(part),
               .family = family.name_view(),
               .counts = found.counts,
               .ns = found.ns,
               .remedy = found.remedy});
    }
  }
}

std::span<const std::string_view> advice_rules() { return kRuleNames; }

}  // namespace toto::hints
