// SPDX-License-Identifier: BSD-3-Clause
#include "hints/policy.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include "core/config.h"
#include "core/keep.h"
#include "core/log.h"
#include "core/mounts.h"
#include "core/path.h"
#include "core/read_file.h"
#include "core/sys.h"
#include "hints/folders.h"
#include "hints/past.h"
#include "hints/prior.h"
#include "hints/rules.h"
#include "hints/targets.h"
#include "hints/tuning.h"

namespace toto::policy {
namespace {

// Rules that are read once, when they are first needed.
struct Source {
  hints::Rules rules;
  std::atomic<int> state{0};  // 0 not read, 1 being read, 2 ready

  // nullptr: being read, by a thread that takes long.
  const hints::Rules* get(void (*load)(hints::Rules&)) {
    int none = 0;
    if (state.load(std::memory_order_acquire) == 2) return &rules;
    if (state.compare_exchange_strong(none, 1)) {
      load(rules);
      state.store(2, std::memory_order_release);
      return &rules;
    }
    // Another thread reads them: worth a moment, but not for ever (this may be a signal handler in that
    // thread).
    for (int i = 0; i < 50 && state.load(std::memory_order_acquire) != 2; ++i) {
      const timespec millisecond{.tv_sec = 0, .tv_nsec = 1'000'000};
      ::syscall(SYS_nanosleep, &millisecond, nullptr);
    }
    return state.load(std::memory_order_acquire) == 2 ? &rules : nullptr;
  }
};
constinit Source user;              // TOTO_HINTS
constinit Source cray_environment;  // MPICH_MPIIO_HINTS
constinit Source romio_file;        // ROMIO_HINTS or /etc/romio-hints

// Stripes of a file where neither the user nor the site chose any: Lustre's default (lustre.org, "Lustre
// Operations Manual", lov.*.stripecount) and CephFS's (docs.ceph.com, "File layouts").
constexpr std::uint32_t kUntunedStripes = 1;

// What is asked of a device once; its targets once more where that is dear.
struct Device {
  std::atomic<std::uint64_t> key{0};      // + 1
  std::atomic<bool> taken{false};         // first this, then what it knows, then its key
  std::atomic<std::uint32_t> targets{0};  // 0: not known
  std::atomic<bool> counted{false};       // the dear way, whatever came of it
  std::atomic<int> permission{0};         // 0, or the errno that speaks against a layout
  std::atomic<std::uint64_t> id{0};       // statfs's f_fsid
};
constinit std::array<Device, 16> devices{};

Device* find_device(std::uint64_t key) {
  for (Device& one : devices) {
    if (one.key.load(std::memory_order_acquire) == key + 1) return &one;
  }
  return nullptr;
}

// `for_many`: one process asks for many, so that it may be dear.
std::uint32_t ask_targets(const layout::Backend& backend, const char* folder, bool for_many) {
  return for_many ? backend.count_targets(folder) : backend.targets(folder);
}

struct Asked {
  std::uint32_t targets = 0;
  int permission = 0;
  std::uint64_t id = 0;  // f_fsid
};
std::uint64_t ask_id(const char* folder) {
  struct statfs about;
  return sys::statfs(folder, &about) == 0 ? std::bit_cast<std::uint64_t>(about.f_fsid) : 0;
}
Asked ask(const layout::Backend& backend, std::uint64_t key, const char* folder, bool for_many) {
  if (Device* known = find_device(key)) {
    std::uint32_t targets = known->targets.load(std::memory_order_relaxed);
    if (targets == 0 && for_many && !known->counted.exchange(true)) {
      targets = ask_targets(backend, folder, true);
      known->targets.store(targets, std::memory_order_relaxed);
    }
    return {.targets = targets,
            .permission = known->permission.load(std::memory_order_relaxed),
            .id = known->id.load(std::memory_order_relaxed)};
  }
  const int permission = backend.permission(folder);
  // Another folder of this device may answer.
  if (permission == layout::kCannotAsk) return {.targets = 0, .permission = EACCES};
  const Asked asked{
      .targets = ask_targets(backend, folder, for_many), .permission = permission, .id = ask_id(folder)};
  for (Device& one : devices) {
    bool taken = false;
    if (one.key.load(std::memory_order_relaxed) != 0 || !one.taken.compare_exchange_strong(taken, true))
      continue;
    one.targets.store(asked.targets, std::memory_order_relaxed);
    one.counted.store(for_many, std::memory_order_relaxed);
    one.permission.store(asked.permission, std::memory_order_relaxed);
    one.id.store(asked.id, std::memory_order_relaxed);
    one.key.store(key + 1, std::memory_order_release);
    break;
  }
  return asked;
}

// A file with a stripe on each target tells their number.
void learn_targets(std::uint64_t key, const Outcome& outcome) {
  Device* known = find_device(key);
  if (known == nullptr || outcome.asked.count != kAllTargets || !outcome.asked.pool.empty() ||
      outcome.layout_status != LayoutStatus::kVerified) {
    return;
  }
  std::uint32_t none = 0;
  known->targets.compare_exchange_strong(none, outcome.obtained.count);
}

void warn_of_refusal(std::string_view path, const Outcome& outcome) {
  // No descriptor left: the program's own open says so, or needs none of what we did.
  if (outcome.error == EMFILE || outcome.error == ENFILE) return;
  log::warn(log::Line("no layout could be set on ")
                .add(path::folder(path))
                .add(" (")
                .add(outcome.file_system)
                .add(": ")
                .add(strerrordesc_np(outcome.error))
                .add("): new files there are created as without TOTO"));
}

// Of the settings for BeeGFS's folders made beforehand, what cannot be meant.
void check_striping_folders() {
  const Settings& settings = config::settings();
  const std::string_view prefix = settings.beegfs_prefix;
  if (!prefix.empty() && prefix.front() != '/') {
    log::warn(log::Line("TOTO_BEEGFS_STRIPING_PREFIX=\"")
                  .add(prefix.substr(0, 200))
                  .add("\" is no absolute path: no folders made beforehand are used"));
  }
  if (!settings.beegfs_suffix.empty() && !settings.beegfs_sufix.empty() &&
      settings.beegfs_suffix != settings.beegfs_sufix) {
    log::warn(log::Line("TOTO_BEEGFS_STRIPING_SUFFIX=\"")
                  .add(settings.beegfs_suffix.substr(0, 100))
                  .add("\" and TOTO_BEEGFS_STRIPING_SUFIX=\"")
                  .add(settings.beegfs_sufix.substr(0, 100))
                  .add("\" differ: the former is used"));
  }
}

void load_user(hints::Rules& rules) {
  check_striping_folders();
  std::string_view text = config::settings().hints;
  if (text.starts_with('@')) {
    const std::string_view name = text.substr(1);
    if (const int error = read_file(name, text); error != 0) {
      log::warn(log::Line("TOTO_HINTS: the file \"")
                    .add(name)
                    .add("\" cannot be read (")
                    .add(strerrordesc_np(error))
                    .add("): there are no rules of the user"));
      return;
    }
  }
  if (!text.empty()) rules.parse("TOTO_HINTS", text, log::warn);
}

void load_cray_environment(hints::Rules& rules) {
  const char* text = std::getenv("MPICH_MPIIO_HINTS");
  if (text != nullptr && *text != '\0') rules.parse("MPICH_MPIIO_HINTS", keep_text(text), log::warn);
}

// As ROMIO itself (adio/common/system_hints.c): the file of the system also where the user's cannot be read.
void load_romio_file(hints::Rules& rules) {
  const char* name = std::getenv("ROMIO_HINTS");
  std::string_view text;
  if (name == nullptr || read_file(name, text) != 0) {
    if (read_file("/etc/romio-hints", text) != 0) return;
  }
  rules.parse_romio_file(text);
}

}  // namespace

void add_sources_of(hints::MpiIo library, hints::Sources& sources) {
  if (!hints::is_romio(library)) return;
  sources.romio_file = romio_file.get(load_romio_file);
  if (library != hints::MpiIo::kOmpiRomio)
    sources.cray_environment = cray_environment.get(load_cray_environment);
}

bool idle() { return !config::settings().tuning && config::settings().hints.empty(); }

std::uint64_t block_size(const char* folder) {
  struct statfs about;
  if (sys::statfs(folder, &about) != 0 || about.f_bsize <= 0) return 0;
  return static_cast<std::uint64_t>(about.f_bsize);
}

namespace {
const layout::Backend* choose(const Request& request, Outcome& outcome) {
  const std::string_view file_system =
      request.place.file_system != nullptr ? request.place.file_system->name : std::string_view("other");
  outcome.file_system = file_system;
  const layout::Backend* backend = layout::by_name(file_system);

  int permission = 0;
  hints::Situation situation;
  situation.file_system = hints::file_system(file_system);
  situation.sharing = request.sharing;
  situation.ranks = request.ranks;
  situation.nodes = request.nodes;
  situation.files = request.files;
  situation.reads_only = !request.writes;
  const path::Family family = path::family(request.path);
  auto usage = hints::past::of(family);
  std::uint32_t untuned = kUntunedStripes;
  std::uint64_t place_number = 0;
  if (backend != nullptr && !request.exists && request.writes) {
    const path::Path folder(path::folder(request.path));
    const bool for_many = request.library != hints::MpiIo::kUnknown && request.ranks > 1;
    const Asked asked = ask(*backend, request.place.device, folder.c_str(), for_many);
    situation.targets = asked.targets;
    if (config::settings().monitor_targets && backend->capabilities().target_list)
      situation.targets -= hints::targets::avoidable(request.place.device, asked.targets);
    permission = request.place.append_only ? EPERM : asked.permission;
    if (permission == 0) permission = folders::refusal_of(request.place.device, folder);
    layout::FolderDefault fallback;
    if (folders::default_of(*backend, request.place.device, folder, fallback) == 0) {
      situation.folder_is_composite = fallback.composite;
      situation.folder_stripe_size = fallback.layout.size;
      if (fallback.composite) untuned = 0;
      if (fallback.layout.count != 0) untuned = fallback.layout.count;
    }
    place_number = folders::place_of(asked.id, fallback.layout.pool);
  }

  // GPFS has no stripes, but blocks, of one size for the whole file system: what pieces are to be aligned to.
  if (situation.file_system == hints::FileSystem::kGpfs && request.library != hints::MpiIo::kUnknown) {
    const path::Path folder(path::folder(request.path));
    situation.folder_stripe_size = block_size(folder.c_str());
  }
  hints::tuning::Question question{.family = family,
                                   .situation = situation,
                                   .file_system = file_system,
                                   .device = request.place.device,
                                   .place = place_number,
                                   .untuned = untuned == kAllTargets ? situation.targets : untuned};
  const bool tunes_any = config::settings().tuning && situation.targets != 0;
  const bool tunes = tunes_any && request.by_all;
  if (!usage && tunes) usage = hints::tuning::recall(question);
  if (usage) hints::past::apply(*usage, situation);

  hints::Sources sources;
  sources.path = request.path;
  sources.situation = situation;
  sources.rules = user.get(load_user);
  sources.mode =
      config::settings().hints_mode == "override" ? hints::RuleMode::kOverride : hints::RuleMode::kFill;
  sources.program = request.program;
  sources.library = request.library;
  add_sources_of(request.library, sources);
  sources.use_prior = config::settings().tuning;
  sources.can_set_layout = backend != nullptr && !request.exists && request.writes;
  hints::tuning::Answer tuned;
  if (tunes) {
    const hints::Prior prior = hints::prior(situation);
    question.situation = situation;
    question.seen = usage.has_value();
    question.prior = &prior;
    tuned = hints::tuning::choose(question);
  }
  if (tunes_any && request.own != nullptr) {
    question.situation = situation;
    tuned = hints::own_files::choose(question, *request.own);
  }
  sources.tuned_count = tuned.count;
  sources.tuned_untuned = tuned.untuned;
  sources.tuned_reason = tuned.sentence;
  hints::decide(sources, outcome);

  if (!outcome.asked.components.empty() && (backend == nullptr || !backend->capabilities().components)) {
    outcome.asked.components.clear();
    outcome.layout_origin = Origin::kNone;
    outcome.reason.add(" (no components on this file system: left out)");
  }

  if (!request.writes) return nullptr;
  if (request.exists) {
    outcome.layout_status = LayoutStatus::kExisting;
    const path::Path path(request.path);
    if (backend != nullptr && backend->look(path.c_str(), outcome.obtained) != 0) outcome.obtained = Layout{};
    return nullptr;
  }
  if (backend == nullptr) {
    outcome.layout_status = LayoutStatus::kNoControl;
    return nullptr;
  }
  const bool any = outcome.asked.count != 0 || outcome.asked.size != 0 || !outcome.asked.pool.empty() ||
                   !outcome.asked.components.empty();
  if (any && permission != 0) {
    outcome.layout_status = LayoutStatus::kRefused;
    outcome.error = permission;
    warn_of_refusal(request.path, outcome);
    return nullptr;
  }
  return any ? backend : nullptr;
}

// Whether the file lies on the targets that were asked for.
void check_targets(const layout::Backend& backend, const char* path, layout::Created created,
                   Outcome& outcome) {
  const TargetList& list = *std::exchange(outcome.asked.only, nullptr);
  if (created != layout::Created::kYes) return;
  std::array<std::uint32_t, kMostTargets> targets{};
  Layout layout;
  const std::uint32_t count = backend.read_targets(path, layout, targets);
  const bool as_asked =
      count == list.count && std::equal(targets.begin(), targets.begin() + count, list.target.begin());
  outcome.reason.add(as_asked ? "; avoids slow targets" : "; slow targets could not be avoided");
}

layout::Created make_file(const layout::Backend& backend, const Request& request, const char* path,
                          mode_t mode, Outcome& outcome, mode_t* late_mode) {
  // Nothing is made for a call that cannot succeed: others might find it before it is taken away again.
  if (const sys::Fd room(sys::open("/", O_PATH | O_CLOEXEC)); !room.ok()) {
    outcome.error = errno;
    outcome.layout_status = LayoutStatus::kRefused;
    return layout::Created::kRefused;
  }
  if (config::settings().monitor_targets && backend.capabilities().target_list && outcome.asked.pool.empty())
    outcome.asked.only = hints::targets::others(request.place.device, outcome.asked.count);
  const layout::Created created = layout::create(backend, path, mode, outcome, late_mode);
  if (outcome.asked.only != nullptr) check_targets(backend, path, created, outcome);
  struct statx about;
  if (created == layout::Created::kYes &&
      sys::statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW | AT_STATX_DONT_SYNC, STATX_INO, &about) == 0) {
    outcome.inode = about.stx_ino;
    learn_targets(mounts::device_key(about.stx_dev_major, about.stx_dev_minor), outcome);
  }
  if (created == layout::Created::kExists) outcome.layout_status = LayoutStatus::kExisting;
  if (created == layout::Created::kRefused && outcome.error != 0) {  // error 0: nothing was asked
    outcome.layout_status = LayoutStatus::kRefused;
    // Not where there is another way, which may take another layout.
    if (!backend.create_renames())
      folders::note_refusal(request.place.device, path::folder(request.path), outcome.error);
    warn_of_refusal(path, outcome);
  }
  return created;
}

}  // namespace

const layout::Backend* decide(const Request& request, Outcome& outcome) {
  const layout::Backend* const backend = choose(request, outcome);
  if (request.own != nullptr) hints::own_files::asked(*request.own, backend != nullptr, outcome);
  return backend;
}

layout::Created make(const layout::Backend& backend, const Request& request, mode_t mode, Outcome& outcome,
                     mode_t* late_mode) {
  const path::Path path(request.path);
  const layout::Created created = make_file(backend, request, path.c_str(), mode, outcome, late_mode);
  if (request.own != nullptr) hints::own_files::made(*request.own, created == layout::Created::kYes, outcome);
  return created;
}

void unmake(const char* path, std::uint64_t inode) {
  const sys::KeepErrno keep;
  struct statx about;
  if (sys::statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_SIZE | STATX_TYPE | STATX_INO, &about) != 0)
    return;
  if (S_ISREG(about.stx_mode) && about.stx_size == 0 && about.stx_ino == inode) sys::unlinkat(AT_FDCWD, path);
}

}  // namespace toto::policy
