// SPDX-License-Identifier: BSD-3-Clause
#include "hints/policy.h"

#include <array>
#include <atomic>
#include <cstring>
#include <ctime>

#include "core/config.h"
#include "core/log.h"
#include "core/path.h"
#include "core/read_file.h"
#include "core/sys.h"
#include "hints/past.h"
#include "hints/prior.h"
#include "hints/rules.h"
#include "hints/tuning.h"

namespace toto::policy {
namespace {

constinit hints::Rules rules;
constinit std::atomic<int> state{0};  // 0 not started, 1 being started, 2 ready

// Stripes of a file where neither the user nor the site chose any: Lustre's default (lustre.org, "Lustre
// Operations Manual", lov.*.stripecount) and CephFS's (docs.ceph.com, "File layouts").
constexpr std::uint32_t kUntunedStripes = 1;

// Targets of a device, asked once.
struct Targets {
  std::atomic<std::uint64_t> device{0};  // key + 1
  std::atomic<std::uint32_t> count{0};
};
constinit std::array<Targets, 16> targets_seen{};

std::uint32_t targets_of(const layout::Backend& backend, std::uint64_t device, const char* folder) {
  for (Targets& one : targets_seen) {
    if (one.device.load(std::memory_order_acquire) == device + 1)
      return one.count.load(std::memory_order_relaxed);
  }
  const std::uint32_t count = backend.targets(folder);
  for (Targets& one : targets_seen) {
    if (one.device.load(std::memory_order_relaxed) != 0) continue;
    one.count.store(count, std::memory_order_relaxed);
    std::uint64_t none = 0;
    if (one.device.compare_exchange_strong(none, device + 1)) break;
  }
  return count;
}

void load_rules() {
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

}  // namespace

void start() {
  int none = 0;
  if (state.load(std::memory_order_acquire) == 2) return;
  if (state.compare_exchange_strong(none, 1)) {
    load_rules();
    state.store(2, std::memory_order_release);
    return;
  }
  // Another thread reads the rules: worth a moment, but not for ever (this may be a signal handler in that
  // thread).
  for (int i = 0; i < 50 && state.load(std::memory_order_acquire) != 2; ++i) {
    const timespec millisecond{.tv_sec = 0, .tv_nsec = 1'000'000};
    ::syscall(SYS_nanosleep, &millisecond, nullptr);
  }
}

bool idle() { return !config::settings().tuning && config::settings().hints.empty(); }

const layout::Backend* decide(const Request& request, Outcome& outcome) {
  start();
  const bool ready = state.load(std::memory_order_acquire) == 2;
  const std::string_view file_system =
      request.place.file_system != nullptr ? request.place.file_system->name : std::string_view("other");
  outcome.file_system = file_system;
  const layout::Backend* backend = layout::by_name(file_system);

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
  if (backend != nullptr && !request.exists && request.writes) {
    const path::Path folder(path::folder(request.path));
    situation.targets = targets_of(*backend, request.place.device, folder.c_str());
    layout::FolderDefault fallback;
    if (backend->folder_default(folder.c_str(), fallback) == 0) {
      situation.folder_is_composite = fallback.composite;
      situation.folder_stripe_size = fallback.layout.size;
      if (fallback.composite) untuned = 0;
      if (fallback.layout.count != 0) untuned = fallback.layout.count;
    }
  }

  hints::tuning::Question question{.family = family,
                                   .situation = situation,
                                   .file_system = file_system,
                                   .device = request.place.device,
                                   .untuned = untuned == kAllTargets ? situation.targets : untuned};
  const bool tunes = config::settings().tuning && request.by_all && situation.targets != 0;
  if (!usage && tunes) usage = hints::tuning::recall(question);
  if (usage) hints::past::apply(*usage, situation);

  hints::Sources sources;
  sources.path = request.path;
  sources.situation = situation;
  sources.rules = ready ? &rules : nullptr;
  sources.mode =
      config::settings().hints_mode == "override" ? hints::RuleMode::kOverride : hints::RuleMode::kFill;
  sources.program = request.program;
  sources.library = request.library;
  sources.use_prior = config::settings().tuning;
  sources.can_set_layout = backend != nullptr && !request.exists && request.writes;
  hints::tuning::Answer tuned;
  if (tunes) {
    const hints::Prior prior = hints::prior(situation);
    question.situation = situation;
    question.seen = usage.has_value();
    question.prior = &prior;
    tuned = hints::tuning::choose(question);
    sources.tuned_count = tuned.count;
    sources.tuned_untuned = tuned.untuned;
    sources.tuned_reason = tuned.sentence;
  }
  hints::decide(sources, outcome);

  if (!request.writes) return nullptr;
  if (request.exists) {
    outcome.layout_status = LayoutStatus::kExisting;
    const path::Path path(request.path);
    if (backend != nullptr && backend->read(path.c_str(), outcome.obtained) != 0) outcome.obtained = Layout{};
    return nullptr;
  }
  if (backend == nullptr) {
    outcome.layout_status = LayoutStatus::kNoControl;
    return nullptr;
  }
  const bool any = outcome.asked.count != 0 || outcome.asked.size != 0 || !outcome.asked.pool.empty();
  return any ? backend : nullptr;
}

layout::Created make(const layout::Backend& backend, const char* path, mode_t mode, Outcome& outcome,
                     mode_t* late_mode) {
  const layout::Created created = layout::create(backend, path, mode, outcome, late_mode);
  struct statx about;
  if (created == layout::Created::kYes &&
      sys::statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW | AT_STATX_DONT_SYNC, STATX_INO, &about) == 0) {
    outcome.inode = about.stx_ino;
  }
  if (created == layout::Created::kExists) outcome.layout_status = LayoutStatus::kExisting;
  if (created == layout::Created::kRefused && outcome.error != 0) {  // error 0: nothing was asked
    outcome.layout_status = LayoutStatus::kRefused;
    log::warn(log::Line("no layout could be set on ")
                  .add(path::folder(path))
                  .add(" (")
                  .add(outcome.file_system)
                  .add(": ")
                  .add(strerrordesc_np(outcome.error))
                  .add("): new files there are created as without TOTO"));
  }
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
