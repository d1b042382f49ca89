// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/open.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "core/clock.h"
#include "core/config.h"
#include "core/heap.h"
#include "core/job.h"
#include "core/log.h"
#include "core/path.h"
#include "core/places.h"
#include "core/registry.h"
#include "core/summary.h"
#include "core/sys.h"
#include "hints/classify.h"
#include "hints/display.h"
#include "hints/layout/backend.h"
#include "hints/own_files.h"
#include "hints/past.h"
#include "hints/policy.h"
#include "hints/tuning.h"
#include "pmpi/communicator.h"
#include "pmpi/decision.h"
#include "pmpi/files.h"
#include "pmpi/info.h"
#include "pmpi/library.h"
#include "pmpi/life.h"
#include "pmpi/real.h"
#include "pmpi/reduce.h"

namespace toto::pmpi {
namespace {

using NextGetInfo = Symbol<"PMPI_File_get_info", decltype(::PMPI_File_get_info)>;

bool creates(int amode) {
  const bool writes = ((amode & MPI_MODE_WRONLY) != 0) != ((amode & MPI_MODE_RDWR) != 0);
  return (amode & MPI_MODE_CREATE) != 0 && (amode & MPI_MODE_RDONLY) == 0 && writes;
}

// The file's own name, without ROMIO's "driver:"; false: too long, or a scratch file of the MPI library.
bool name_of(const char* name, path::Path& out, bool& only_lexical) {
  std::string_view text(name);
  only_lexical = path::is_only_lexical(text);
  if (hints::is_romio(library::mpi_io())) {
    text.remove_prefix(path::romio_prefix(text).size());
  }
  return path::absolute(AT_FDCWD, text, out) && !path::is_mpi_scratch(out);
}

struct Opening {
  path::Path name;
  bool only_lexical = false;  // may name another file than MPI will open: nothing is created by it
  int amode = 0;
  std::uint32_t ranks = 1;
  Outcome outcome;  // on the rank that decides
  bool decided = false;
  hints::own_files::Ticket own = 0;  // of one rank alone
  Decision decision;
};

// OMPIO's Lustre part creates a file with striping hints before it opens it, so that MPI_MODE_EXCL finds it
// there and fails: a file that we did not make ourselves gets none of these.
bool would_break_exclusive(const Opening& opening, std::string_view key) {
  if ((opening.amode & MPI_MODE_EXCL) == 0 || opening.decision.made) return false;
  if (!hints::is_ompio(library::mpi_io())) return false;
  return hints::canonical(key) == "striping_factor" || hints::canonical(key) == "striping_unit";
}

void keep_layout(const Outcome& from, Outcome& to) {
  to.asked = from.asked;
  to.obtained = from.obtained;
  to.layout_origin = from.layout_origin;
  to.layout_status = from.layout_status;
  to.error = from.error;
  to.reason = from.reason;
}

void add_hints(Opening& opening) {
  for (Hint& hint : opening.outcome.all_hints()) {
    // What is in ROMIO's own file ROMIO reads itself.
    if (hint.status != HintStatus::kRequested || hint.origin == Origin::kRomioFile) continue;
    if (would_break_exclusive(opening, hint.key)) {
      hint.status = HintStatus::kIgnored;
    } else if (!opening.decision.add(hint.key, hint.value)) {
      log::warn("more hints than one message holds: the last ones are left out");
      break;
    }
  }
}

// The process's mask of permissions, without setting it, where the kernel (4.7) tells it.
mode_t mask_of_process() {
  std::array<char, 1024> buffer;
  const sys::Fd fd(sys::open("/proc/self/status", O_RDONLY | O_CLOEXEC));
  const ssize_t bytes = fd.ok() ? sys::read(fd.get(), buffer.data(), buffer.size()) : 0;
  const std::string_view text(buffer.data(), bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
  constexpr std::string_view kLine = "\nUmask:\t";
  unsigned mask = 0;
  if (const std::size_t at = text.find(kLine); at != std::string_view::npos) {
    const char* digits = text.data() + at + kLine.size();
    if (std::from_chars(digits, text.data() + text.size(), mask, 8).ec == std::errc()) return mask;
  }
  const mode_t found = ::umask(022);  // as the MPI libraries do
  ::umask(found);
  return found;
}

// What both MPI-IO implementations ask for (ROMIO's ad_*_open.c, OMPIO's fs_ufs_file_open.c): the mask takes
// bits of 0666 away, and gives others. The latter show where the kernel does not apply the mask itself, in a
// folder with a default access list.
mode_t mode_of_new_files() { return 0666 ^ mask_of_process(); }

// On the deciding rank: looks, decides, creates.
void decide(MPI_Info info, Opening& opening) {
  const sys::KeepErrno keep;
  Decision& decision = opening.decision;
  const places::Place place = places::of_folder(opening.name);
  if (place.device == 0 || (places::has_list() && !place.watched)) return;
  if (!registry::start()) return;
  decision.recorded = true;
  if (place.file_system != nullptr) {
    decision.file_system = static_cast<std::uint8_t>(place.file_system - kKnownFileSystems.data() + 1);
  }
  struct statx about;
  const bool exists = sys::statx(AT_FDCWD, opening.name.c_str(), AT_SYMLINK_NOFOLLOW | AT_STATX_DONT_SYNC,
                                 STATX_TYPE, &about) == 0;
  decision.created = !exists && creates(opening.amode) && !opening.only_lexical;
  if (policy::idle()) return;
  opening.decided = true;
  const auto program = Heap<InfoText>::make(info);
  policy::Request request;
  request.path = opening.name;
  request.place = place;
  request.exists = !decision.created;
  request.writes = (opening.amode & MPI_MODE_RDONLY) == 0;
  request.library = library::mpi_io();
  request.ranks = opening.ranks;
  const auto world = static_cast<std::uint32_t>(std::max(1, job.ranks.load()));
  const auto nodes = static_cast<std::uint32_t>(std::max(1, job.nodes.load()));
  // 64 bits: a hundred thousand ranks on ten thousand nodes.
  const std::uint64_t share = (std::uint64_t{opening.ranks} * nodes + world - 1) / world;
  request.nodes = std::min(nodes, static_cast<std::uint32_t>(share));
  request.sharing = opening.ranks > 1 ? hints::Sharing::kShared : hints::Sharing::kUnknown;
  if (program) request.program = program->hints();
  request.by_all = opening.ranks > 1 && opening.ranks == world;
  if (opening.ranks == 1 && decision.created) request.own = &opening.own;
  const layout::Backend* backend = policy::decide(request, opening.outcome);
  if (backend != nullptr && decision.created) {
    const layout::Created created = policy::make(*backend, request, mode_of_new_files(), opening.outcome);
    decision.made = created == layout::Created::kYes;
    decision.created = created != layout::Created::kExists;
  }
  // A file that we made keeps what was set and read back, however often it is opened again.
  if (const Outcome* before = registry::find_or_add(opening.name)->outcome(); exists && before != nullptr) {
    if (before->layout_status != LayoutStatus::kNone) keep_layout(*before, opening.outcome);
  }
  decision.stripe_size = opening.outcome.obtained.size;
  add_hints(opening);
}

void show(MPI_Info used, const Opening& opening) {
  const auto text = Heap<hints::DisplayText>::make();
  const auto info = Heap<InfoText>::make(used);
  if (!text || !info) return;
  hints::display(opening.name, std::max(0, job.rank.load()), library::mpi_io(), info->hints(),
                 opening.outcome, *text);
  log::say(text->view());
}

// Compares the hints with what the MPI library says it uses, where it tells the truth, and shows them where
// that is wanted.
void look_at_hints(MPI_File file, Opening& opening) {
  auto* get_info = NextGetInfo::get();
  const bool truth = opening.decided && hints::tells_the_truth(library::mpi_io());
  const bool display = config::settings().hints_display;
  MPI_Info used{};
  if (!(truth || display) || get_info == nullptr || get_info(file, &used) != MPI_SUCCESS) return;
  if (truth) verify_hints(used, opening.outcome);
  if (display) show(used, opening);
  real::Info_free(&used);
}

// The slot of a file that was opened; nullptr when it is of no interest, or cannot be recorded on this rank.
File* record_open(const Opening& opening, bool decides, std::uint64_t started) {
  if (!opening.decision.recorded || opening.name.empty() || !registry::start()) return nullptr;
  File& file = *registry::find_or_add(opening.name);
  file.ranks = opening.ranks;
  file.file_system = opening.decision.file_system;
  const std::uint64_t size = opening.decision.stripe_size;
  if (size != 0 && (size & (size - 1)) == 0) file.stripe_size = static_cast<std::uint32_t>(size);
  Counters& counters = registry::shard(file, Layer::kMpiIo).counters;
  Shared::add(counters[Counter::opens], 1);
  if (decides && opening.decision.created) Shared::add(counters[Counter::creates], 1);
  const std::uint64_t took = clock::ticks() - started;
  Shared::add(counters[Counter::meta_ticks], took);
  Shared::add(counters[Counter::open_ticks], took);
  first<Shared>(counters[Counter::first_open], started);
  if (decides && opening.decided) registry::keep_outcome(file, opening.outcome);
  return &file;
}

// The stripes of a new file that all ranks write together, after it was opened; 0: not known.
std::uint32_t stripes_of(const Opening& opening) {
  const auto world = static_cast<std::uint32_t>(std::max(1, job.ranks.load()));
  if (!opening.decided || !opening.decision.created || opening.ranks < 2 || opening.ranks != world) return 0;
  if (opening.outcome.obtained.count != 0) return opening.outcome.obtained.count;
  const layout::Backend* backend = layout::by_name(opening.outcome.file_system);
  Layout layout;
  // (No lock of the program's can be on it yet.)
  return backend != nullptr && backend->read(opening.name.c_str(), layout) == 0 ? layout.count : 0;
}

// What the file reached, for the stripes of the next one of its family: bytes over the time that the slowest
// rank spent in I/O calls, as it may compute between them; from its open to its close where calls return
// before their work is done.
void tune(const Opened& open, std::string_view family_name, const FamilySummary& family,
          const hints::Usage& usage) {
  if (open.stripes == 0) return;
  const Totals& mpiio = family.layers[static_cast<std::size_t>(Layer::kMpiIo)];
  if (mpiio[Counter::bytes_read] > mpiio[Counter::bytes_written] / 8) return;
  const std::uint64_t ns = mpiio[Counter::nonblocking] == 0 ? family.slowest_ns : family.span_ns;
  hints::tuning::observe(family_name,
                         {.count = open.stripes,
                          .nodes = static_cast<std::uint32_t>(std::max(1, job.nodes.load())),
                          .bytes = mpiio[Counter::bytes_written],
                          .seconds = static_cast<double>(ns) / 1e9},
                         usage);
}

// What all ranks did with the file since it was opened, for the next decision about its family. Collective.
void learn(const Opened& open, std::uint64_t ended) {
  File* const file = open.file;
  Partner* const partner = open.partner;
  FamilySummary family;
  family.ranks = 1;
  if (file != nullptr) {
    // All ranks that opened it together opened the same one.
    family.add_file(file->path_hash, path::hash(path::folder(file->path())), file->path_hash);
    family.mpi_ranks = file->ranks;
    file->totals(family.layers);
    for (std::size_t i = 0; i < kLayers; ++i) family.layers[i].subtract(open.before[i]);
  }
  const clock::Rate rate = clock::rate();
  family.span_ns = static_cast<std::uint64_t>(static_cast<double>(ended - open.opened) * rate.ns_per_tick);
  for (Totals& layer : family.layers) {
    to_nanoseconds(layer, rate);
    if (layer[Counter::bytes_written] > 0) family.writers = 1;
  }
  const Totals& mpiio = family.layers[static_cast<std::size_t>(Layer::kMpiIo)];
  family.slowest_ns = mpiio[Counter::read_ticks] + mpiio[Counter::write_ticks] + mpiio[Counter::meta_ticks];
  if (partner != nullptr && (!reduce_family(partner->comm, family) || partner->rank != 0)) return;
  if (file == nullptr || file->folded) return;
  const path::Family name = path::family(file->path());
  const hints::Usage usage = hints::usage_of(family);
  tune(open, name, family, usage);
  hints::past::note(name, usage);
}

}  // namespace

int open_file(FileOpenFunction* next, MPI_Comm comm, const char* name, int amode, MPI_Info info,
              MPI_File* file) {
  int size = 0, inter = 1;
  if (comm == predefined::comm_null() || real::Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter != 0 ||
      real::Comm_size(comm, &size) != MPI_SUCCESS) {
    return next(comm, name, amode, info, file);
  }
  // Of interest to us only where all ranks of the job have us: or some would wait for the others' messages.
  Partner* partner = size > 1 && agreement().together ? partner_of(comm) : nullptr;
  const bool alone = size == 1;
  const bool decides = alone || (partner != nullptr && partner->rank == 0);

  const auto opening = Heap<Opening>::make();
  Decision local;
  Decision& decision = opening ? opening->decision : local;
  const bool named = opening && name_of(name, opening->name, opening->only_lexical);
  if (opening && !named) opening->name.clear();
  if (named) {
    opening->amode = amode;
    opening->ranks = static_cast<std::uint32_t>(size);
    if (decides) decide(info, *opening);
  }
  if (partner != nullptr) {
    if (real::Bcast(static_cast<void*>(&decision), static_cast<int>(sizeof(Decision)), predefined::byte(), 0,
                    partner->comm) != MPI_SUCCESS) {
      release(partner);
      return next(comm, name, amode, info, file);
    }
  } else if (!alone && named) {
    // Nobody to agree with: measured, not changed.
    decision.recorded = places::of_folder(opening->name).watched || !places::has_list();
  }

  int result;
  std::uint64_t started = 0;  // of the program's own call: what we did before it is not its time
  {
    const InfoWithHints hinted(info, decision);
    started = clock::ticks();
    result = next(comm, name, decision.made ? amode & ~MPI_MODE_EXCL : amode, hinted.get(), file);
  }
  const sys::KeepErrno keep_errno;
  if (result != MPI_SUCCESS) {
    release(partner);
    if (opening) hints::own_files::drop(opening->own);
    if (named && decides && decision.made) policy::unmake(opening->name.c_str(), opening->outcome.inode);
    return result;
  }
  if (decides && named && decision.recorded) look_at_hints(*file, *opening);
  Opened open;
  open.partner = partner;
  open.opened = started;
  open.exclusive = decision.made && (amode & MPI_MODE_EXCL) != 0;
  if (named && decision.recorded && registry::start())
    registry::find_or_add(opening->name)->totals(open.before);
  if (named && decides) open.stripes = stripes_of(*opening);
  open.file = opening ? record_open(*opening, decides, started) : nullptr;
  if (open.file != nullptr) {
    hints::own_files::begin(opening->own, *open.file);
  } else if (opening) {
    hints::own_files::drop(opening->own);
  }
  // What rank 0 decided is the same on all ranks: so is the part that each takes in the reduction at close.
  if (decision.recorded) {
    files::add(*file, open);
  } else {
    release(partner);
  }
  return result;
}

int close_file(FileCloseFunction* next, MPI_File* file) {
  OpenFile* found = files::find(*file);
  if (found == nullptr) return next(file);
  const Opened open = *found;
  File* known = open.file;
  Partner* partner = open.partner;
  files::remove(*found);  // first: the handle may be used again as soon as it is closed
  const std::uint64_t started = clock::ticks();
  const int result = next(file);
  const std::uint64_t ended = clock::ticks();
  const sys::KeepErrno keep_errno;
  if (known != nullptr) {
    Counters& counters = registry::shard(*known, Layer::kMpiIo).counters;
    Shared::add(counters[Counter::closes], 1);
    Shared::add(counters[Counter::meta_ticks], ended - started);
    Shared::add(counters[Counter::open_ticks], ended - started);
    Shared::raise(counters[Counter::last_close], ended);
    if (partner == nullptr) hints::own_files::ended(*known);
  }
  learn(open, ended);
  release(partner);
  return result;
}

}  // namespace toto::pmpi
