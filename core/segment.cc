// SPDX-License-Identifier: BSD-3-Clause
#include "core/segment.h"

#include <sys/mman.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>

#include "core/config.h"
#include "core/job.h"
#include "core/job_id.h"
#include "core/keep.h"
#include "core/log.h"
#include "core/own_signals.h"
#include "core/segment_name.h"
#include "core/sys.h"

namespace toto::segment {
namespace {

struct Own {
  Head* head = nullptr;
  Member* member = nullptr;
  Area* area = nullptr;
  std::uint32_t index = 0;
  std::uint32_t backed = 0;  // bytes of the area; told to forked children by the fork itself
  std::int32_t holder = 0;   // who is made a member with us, to stay when we are gone
  std::uint64_t inode = 0;   // of the segment: another may have its name by now
  bool full = false;         // the file system gave no more: not asked again at every call
  Path path;
};
constinit Own own{};

constexpr std::uint32_t kChunk = 64 * 1024;  // what is asked of the file system at a time
// How long somebody else may take to close it; he may have lost the processor.
constexpr int kTries = 1000;
constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 1'000'000};
// Not libc's, which is a cancellation point: calls that are none lead here.
void rest() { ::syscall(SYS_nanosleep, &kPause, nullptr); }
constexpr std::int64_t kStaleAfter = 24 * 3600;  // seconds; a crash can be looked into for a day

constexpr std::uint32_t kNoArea = 0xffff'ffff;  // of a member that has not counted anything

std::uint64_t area_at(std::uint32_t index, std::uint32_t area_bytes) {
  return kAreasAt + static_cast<std::uint64_t>(index) * area_bytes;
}

// 0 or an errno. Never punches, never shrinks: others' bytes are safe.
int reserve(int fd, std::uint64_t at, std::uint64_t bytes) {
  // A file system in memory gives up for any signal that is pending, such as a profiler's.
  constexpr int kMostSignals = 1000;
  const sys::NoSignalOfOurs quiet;
  for (int i = 0; i < kMostSignals; ++i) {
    if (::syscall(SYS_fallocate, fd, 0, at, bytes) == 0) return 0;
    if (errno != EINTR) break;
  }
  return errno;
}

std::uint32_t area_bytes_wanted(std::size_t bytes) {
  return static_cast<std::uint32_t>((bytes + kChunk - 1) / kChunk * kChunk);
}

// ---- entering ----

void make_absolute(std::string_view path, FixedString<1023>& out) {
  std::array<char, 1024> cwd;
  const ssize_t length = path.empty() || path.starts_with('/') ? 0 : sys::getcwd(cwd.data(), cwd.size());
  if (length > 0) out.add({cwd.data(), static_cast<std::size_t>(length)}).add('/');
  out.add(path);
}

int create(const FixedString<96>& job, std::uint32_t area_bytes) {
  // Without a name until it is whole: nobody sees half a segment, and a crash leaves nothing behind.
  const sys::Fd fd(sys::open(Path(folder()).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (!fd.ok()) return errno;
  if (const int error = reserve(fd.get(), 0, kHeadBytes); error != 0) return error;
  const long at = ::syscall(SYS_mmap, nullptr, kHeadBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0L);
  if (at == -1) return errno;
  Head* head = new (reinterpret_cast<void*>(at)) Head;
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  head->created_wall_ns = now.tv_sec * 1'000'000'000 + now.tv_nsec;
  head->nonce = digest({reinterpret_cast<const char*>(&now), sizeof now},
                       static_cast<std::uint64_t>(sys::getpid()) + 1) |
                1U;
  head->format = kFormat;
  head->area_bytes = area_bytes;
  head->job = job;
  head->host = host_name();
  head->boot = boot_id();
  make_absolute(config::settings().report, head->report);
  make_absolute(config::settings().logs_folder, head->logs_folder);
  if (own.holder != 0) {
    head->members[0].pid = own.holder;
    head->members[0].born = birth_of(own.holder);
    head->members[0].area = kNoArea;
  }
  head->magic = kMagic;
  ::munmap(head, kHeadBytes);
  const FixedString<40> name = FixedString<40>("/proc/self/fd/").add(fd.get());
  return sys::linkat(AT_FDCWD, name.c_str(), AT_FDCWD, own.path.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

// Full: the room of a dead one. nullptr: no room, we are not a member. A birth of 0 is "not told yet".
Member* enlist(Head& head, std::int32_t pid, std::uint64_t born) {
  for (const bool also_dead : {false, true}) {
    for (Member& member : head.members) {
      std::int32_t there = member.pid.load();
      if (there != 0 && (!also_dead || is_alive(there, member.born.load()))) continue;
      member.born.store(0);
      if (!member.pid.compare_exchange_strong(there, pid)) continue;
      member.born.store(born);
      return &member;
    }
  }
  return nullptr;
}

// Another program was here under our number: we were that (exec), or it is dead.
void forget_former_selves(Head& head) {
  const std::int32_t me = sys::getpid();
  for (Member& member : head.members) {
    std::int32_t before = me;
    if (member.pid.load() == me) member.pid.compare_exchange_strong(before, 0);
  }
}

// A child that is about to be forked is a member already, under its parent's number turned negative, so that
// a parent which ends at once knows that somebody comes after it.
constinit thread_local Member* promised = nullptr;

bool has_children() {
  siginfo_t info{};
  return ::syscall(SYS_waitid, P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT, nullptr) == 0 || errno != ECHILD;
}

void wait_for_forked_children(Head& head) {
  const std::int32_t promise = -sys::getpid();
  int tries = 0;  // for all of them together
  for (Member& member : head.members) {
    if (member.pid.load() != promise) continue;
    for (; tries < kTries && member.pid.load() == promise && has_children(); ++tries) rest();
    std::int32_t unkept = promise;  // the fork failed
    member.pid.compare_exchange_strong(unkept, 0);
  }
}

bool has_members(const Head& head, std::uint32_t area) {
  for (const Member& member : head.members) {
    if (member.pid.load() != 0 && member.area.load() == area && &member != own.member) return true;
  }
  return false;
}

Area* map_area(int fd, std::uint32_t index, bool fresh) {
  const std::uint32_t bytes = own.head->area_bytes;
  const std::uint64_t at = area_at(index, bytes);
  struct statx about;
  if (sys::statx(fd, "", AT_EMPTY_PATH, STATX_SIZE, &about) != 0 || about.stx_size < at + bytes)
    return nullptr;
  const long memory = ::syscall(SYS_mmap, nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE,
                                MAP_SHARED, fd, at);
  if (memory == -1) return nullptr;
  auto* area = reinterpret_cast<Area*>(memory);
  if (!fresh && area->ready.load(std::memory_order_acquire) != Area::kVersion) {
    ::munmap(area, bytes);
    return nullptr;
  }
  own.index = index;
  own.member->area.store(index);
  own.backed = fresh ? kChunk : (area->used.load() + kChunk - 1) / kChunk * kChunk;
  return fresh ? Area::make(area, bytes) : area;
}

// Its start, and its last page: then the file is as long as its areas, and nobody ever has to shorten it.
bool reserve_area(int fd, std::uint32_t index) {
  constexpr std::uint32_t kLast = 4096;
  const std::uint32_t bytes = own.head->area_bytes;
  const std::uint64_t at = area_at(index, bytes);
  return reserve(fd, at, kChunk) == 0 && reserve(fd, at + bytes - kLast, kLast) == 0;
}

std::uint64_t inode_of(int fd) {
  struct statx about;
  return sys::statx(fd, "", AT_EMPTY_PATH, STATX_INO, &about) == 0 ? about.stx_ino : 0;
}

Area* take_area(int fd) {
  Head& head = *own.head;
  const std::uint32_t made = std::min<std::uint32_t>(head.areas.load(), kMostAreas);
  for (std::uint32_t i = 0; i < made; ++i) {
    if (has_members(head, i)) continue;
    Area* area = map_area(fd, i, false);
    if (area == nullptr) continue;
    std::int32_t before = area->taken_by.load();
    const bool free = area->reporter.load() == 0 && area->world.load() == 0 && !has_members(head, i);
    if (free && area->taken_by.compare_exchange_strong(before, sys::getpid())) {
      area->who.describe_self();  // by another program, perhaps, and a rank
      area->world = job.world.load();
      return area;
    }
    ::munmap(area, head.area_bytes);
  }
  // First a member of the new area, then it is there: nobody takes it over while it is made. And first memory
  // behind its start: who reads it must not find a hole that a full file system cannot fill (SIGBUS).
  std::uint32_t next = head.areas.load();
  do {
    if (next >= kMostAreas) return map_area(fd, 0, false);
    own.member->area.store(next);
    if (!reserve_area(fd, next)) return nullptr;
  } while (!head.areas.compare_exchange_strong(next, next + 1));
  return map_area(fd, next, true);
}

void drop_out() {
  if (own.member != nullptr) own.member->pid.store(0);
  if (own.head != nullptr) ::munmap(own.head, kHeadBytes);
  own.member = nullptr;
  own.head = nullptr;
}

// Somebody closes it just now. One who died over that has told nobody, and it is open again.
bool is_being_closed(Head& head) {
  std::int32_t closer = head.closer.load();
  if (closer == 0) return false;
  return is_alive(closer, 0) || !head.closer.compare_exchange_strong(closer, 0);
}

// One leaves at a time, and is a member until it knows whether it is the last: else two that leave together
// would each leave it to the other, or recovery would take the segment from the last one's hands.
bool lock(Head& head) {
  for (int i = 0; i < kTries; ++i) {
    std::int32_t nobody = 0;
    if (head.closer.compare_exchange_strong(nobody, sys::getpid())) return true;
    if (is_being_closed(head)) rest();
  }
  return false;
}

// It may be of our making, and no area found room in it: then nobody has anything there.
void drop_out_of_empty() {
  Head& head = *own.head;
  if (!lock(head)) return;
  if (head.areas.load() == 0 && !has_living_members(head, own.member)) {
    sys::unlinkat(AT_FDCWD, own.path.c_str());
  } else {
    head.closer.store(0);
  }
}

// 0 or an errno; EAGAIN: it is being closed just now.
int enter_existing(Area*& area) {
  const sys::Fd fd(sys::open(own.path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  if (!fd.ok()) return errno;
  if (const int error = check(fd.get()); error != 0) return error == ENOENT ? EAGAIN : error;
  const long at = ::syscall(SYS_mmap, nullptr, kHeadBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0L);
  if (at == -1) return errno;
  own.head = reinterpret_cast<Head*>(at);
  own.inode = inode_of(fd.get());
  int error = 0;
  if (!is_sound(*own.head)) {
    error = EPROTO;
  } else {
    forget_former_selves(*own.head);
    own.member = enlist(*own.head, sys::getpid(), birth_of(sys::getpid()));
    // First a member, then the look: who closes does it the other way round.
    if (own.member == nullptr) {
      error = ENOSPC;
    } else if (is_being_closed(*own.head) || check(fd.get()) != 0) {
      error = EAGAIN;
    } else if ((area = take_area(fd.get())) == nullptr) {
      error = ENOSPC;
      drop_out_of_empty();
    }
  }
  if (error != 0) drop_out();
  return error;
}

void remove_stale(const Path& path, void*) {
  Mapping mapping;
  if (mapping.open(path.c_str()) != 0) return;
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  const std::int64_t age = now.tv_sec - mapping.head().created_wall_ns / 1'000'000'000;
  if (age > kStaleAfter && !(mapping.same_boot() && has_living_members(mapping.head(), nullptr))) {
    sys::unlinkat(AT_FDCWD, path.c_str());
  }
}

// Whether we are a member under our number without having entered: another program was that (exec), or one
// that we started made us one. Where others are, it ends here; else the segment is ours to enter and to
// close.
void look_for_ourselves(const Path& path, void*) {
  Mapping mapping;
  if (!own.path.empty() || mapping.open(path.c_str()) != 0 || !mapping.same_boot()) return;
  const std::int32_t me = sys::getpid();
  for (Member& member : mapping.head().members) {
    if (member.pid.load() != me || !is_alive(me, member.born.load()) || !lock(mapping.head())) continue;
    if (has_living_members(mapping.head(), &member)) {
      member.pid = 0;
    } else {
      own.path = path;
    }
    mapping.head().closer = 0;
  }
}

// 0 or an errno.
int enter_segment(std::size_t bytes, Area*& area) {
  FixedString<96> job = job_id();
  if (own.path.empty()) {  // else is_awaited() has found it
    const Chosen chosen = choose();
    job = chosen.job;
    own.path = chosen.path;
    own.holder = chosen.holder;
  }
  if (own.path.truncated()) return ENAMETOOLONG;
  int error = EAGAIN;
  for (int i = 0; i < kTries && error == EAGAIN; ++i) {
    if (i > 0) rest();
    error = enter_existing(area);
    if (error != ENOENT) continue;
    for_each_segment(remove_stale, nullptr);
    error = create(job, area_bytes_wanted(bytes));
    if (error == 0 || error == EEXIST) error = EAGAIN;  // it is there: enter it
  }
  return error;
}

}  // namespace

Area* enter(std::size_t bytes) {
  const sys::KeepErrno keep;
  if (config::wants_report()) {
    Area* area = nullptr;
    const int error = enter_segment(bytes, area);
    own.area = area;
    if (error == 0) return area;
    log::warn(log::Line("the node segment \"")
                  .add(own.path)
                  .add("\" cannot be used (")
                  .add(strerrordesc_np(error))
                  .add("): this process counts by itself, and a crash loses its counts"));
    own.path.clear();
  }
  void* memory = keep_shared_memory(bytes);
  return memory != nullptr ? Area::make(memory, bytes) : nullptr;
}

bool back(Area& area, std::uint32_t bytes) {
  if (own.area != &area || bytes <= own.backed) return bytes <= area.size;
  if (own.full) return false;
  const sys::KeepErrno keep;
  const sys::Fd fd(sys::open(own.path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  const std::uint32_t until = std::min((bytes + kChunk - 1) / kChunk * kChunk, area.size);
  // Chunk by chunk: where there is no room, the file system takes back all of the range that was reserved
  // before and not touched yet.
  own.full = !fd.ok() || check(fd.get()) != 0 || inode_of(fd.get()) != own.inode;
  while (!own.full && own.backed < until) {
    own.full = reserve(fd.get(), area_at(own.index, area.size) + own.backed, kChunk) != 0;
    if (!own.full) own.backed += kChunk;
  }
  return !own.full;
}

void before_fork() {
  if (own.head == nullptr) return;
  promised = enlist(*own.head, -sys::getpid(), born_now());
  if (promised != nullptr) promised->area.store(own.index);
}

void after_fork() {
  if (own.head == nullptr) return;
  own.member = promised;
  std::int32_t promise = -sys::getppid();
  const std::int32_t me = sys::getpid();
  if (own.member != nullptr && own.member->pid.compare_exchange_strong(promise, me)) return;
  own.member = enlist(*own.head, me, born_now());
  if (own.member != nullptr) own.member->area.store(own.index);
}

bool leave(Mapping& all) {
  if (own.head == nullptr || own.member == nullptr) return false;
  const sys::KeepErrno keep;
  Head& head = *own.head;
  wait_for_forked_children(head);
  const bool mine = lock(head);
  // The mapping may fail where no descriptor is free: the segment can be recovered.
  const bool last = mine && !has_living_members(head, own.member) && all.open(own.path.c_str()) == 0 &&
                    all.head().nonce == head.nonce;
  if (last) {
    // Out of the way of a job of the same name, and still there for recovery, should the report fail.
    Path aside(own.path);
    aside.add('.').add(sys::getpid());
    if (!aside.truncated() && sys::renameat(AT_FDCWD, own.path.c_str(), AT_FDCWD, aside.c_str()) == 0)
      own.path = aside;
  }
  own.full = true;  // no room is reserved any more, in whatever has that name now
  own.member->pid.store(0);
  if (mine && !last) head.closer.store(0);
  return last && !head.to_recover.load();
}

void remove() {
  const sys::KeepErrno keep;
  sys::unlinkat(AT_FDCWD, own.path.c_str());
}

void leave_to_recovery() {
  if (own.head != nullptr) own.head->to_recover.store(true);
}

bool is_awaited() {
  if (own.head != nullptr) return false;
  const sys::KeepErrno keep;
  for_each_segment(look_for_ourselves, nullptr);
  return !own.path.empty();
}

void* table(bool make) {
  static constinit std::atomic<void*> mapped{nullptr};
  static constinit std::atomic<bool> refused{false};  // not asked for again
  void* there = mapped.load(std::memory_order_acquire);
  if (there != nullptr || own.head == nullptr || refused.load(std::memory_order_relaxed)) return there;
  if (!own.head->has_table.load() && !make) return nullptr;
  const sys::KeepErrno keep;
  const sys::Fd fd(sys::open(own.path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  if (!fd.ok() || check(fd.get()) != 0 || inode_of(fd.get()) != own.inode) return nullptr;
  // Reserved by each that comes first: who reads it must not find a hole (SIGBUS).
  if (!own.head->has_table.load()) {
    if (reserve(fd.get(), kHeadBytes, kTableBytes) != 0) {
      refused.store(true, std::memory_order_relaxed);
      return nullptr;
    }
    own.head->has_table.store(true);
  }
  const long at = ::syscall(SYS_mmap, nullptr, kTableBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(),
                            static_cast<long>(kHeadBytes));
  if (at == -1) return nullptr;
  auto* memory = reinterpret_cast<void*>(at);
  if (mapped.compare_exchange_strong(there, memory)) return memory;
  ::munmap(memory, kTableBytes);
  return there;
}

bool counts_here(std::int32_t pid) {
  if (own.head == nullptr) return false;
  return std::any_of(own.head->members.begin(), own.head->members.end(), [pid](const Member& member) {
    return member.pid.load() == pid && member.area.load() != kNoArea && is_alive(pid, member.born.load());
  });
}

std::uint32_t areas() { return own.head != nullptr ? own.head->areas.load() : 0; }
void keep_sketch(const Sketch& sketch) {
  if (own.head != nullptr) own.head->last_round = sketch;
}
std::uint64_t nonce() { return own.head != nullptr ? own.head->nonce : 0; }
const Path& path() { return own.path; }

}  // namespace toto::segment
