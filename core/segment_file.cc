// SPDX-License-Identifier: BSD-3-Clause
#include "core/segment_file.h"

#include <dirent.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "core/config.h"
#include "core/sys.h"

namespace toto::segment {
namespace {

// The start of a small file under /proc.
std::string_view read_start(const char* name, std::array<char, 512>& buffer) {
  const sys::Fd fd(sys::open(name, O_RDONLY | O_CLOEXEC));
  if (!fd.ok()) return {};
  const ssize_t length = sys::read(fd.get(), buffer.data(), buffer.size());
  return {buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))};
}

struct Stat {
  char state = 0;  // 'Z' zombie, ...; 0: no such process
  std::int32_t parent = 0;
  std::uint64_t born = 0;  // clock ticks since boot
};

Stat stat_of(std::int32_t pid) {
  std::array<char, 512> buffer;
  const FixedString<40> name = FixedString<40>("/proc/").add(pid).add("/stat");
  std::string_view text = read_start(name.c_str(), buffer);
  Stat out;
  // The command's name is in brackets and may hold anything: fields are counted from the last bracket.
  const std::size_t bracket = text.rfind(')');
  if (bracket == std::string_view::npos) return out;
  text.remove_prefix(std::min(bracket + 2, text.size()));
  constexpr int kState = 3, kParent = 4, kBorn = 22;
  for (int field = kState; field <= kBorn && !text.empty(); ++field) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (field == kState) out.state = word.empty() ? '\0' : word[0];
    if (field == kParent) std::from_chars(word.data(), word.data() + word.size(), out.parent);
    if (field == kBorn) std::from_chars(word.data(), word.data() + word.size(), out.born);
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return out;
}

constexpr std::uint64_t kTicksPerSecond = 100;  // USER_HZ, the same on every Linux that we run on

}  // namespace

bool is_alive(std::int32_t pid, std::uint64_t born) {
  if (::syscall(SYS_kill, pid, 0) != 0 && errno == ESRCH) return false;
  const Stat now = stat_of(pid);
  if (now.state == 0 || now.state == 'Z' || now.state == 'X') return false;
  if (born == 0) return true;
  // The same number may be another process by now. Two seconds: born_now() is the kernel's clock a little
  // later.
  const std::uint64_t apart = now.born > born ? now.born - born : born - now.born;
  return apart <= 2 * kTicksPerSecond;
}

std::uint64_t birth_of(std::int32_t pid) { return stat_of(pid).born; }

std::int32_t parent_of(std::int32_t pid) { return stat_of(pid).parent; }

std::uint64_t born_now() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * kTicksPerSecond +
         static_cast<std::uint64_t>(now.tv_nsec) / (1'000'000'000 / kTicksPerSecond);
}

bool has_living_members(const Head& head, const Member* except) {
  const std::int32_t me = sys::getpid();
  for (const Member& member : head.members) {
    const std::int32_t pid = member.pid.load();
    if (pid != 0 && &member != except && pid != me && is_alive(pid, member.born.load())) return true;
  }
  return false;
}

std::string_view folder() {
  const std::string_view chosen = config::settings().segment_dir;
  return !chosen.empty() ? chosen : std::string_view("/dev/shm");
}

FixedString<40> boot_id() {
  std::array<char, 512> buffer;
  const std::string_view text = read_start("/proc/sys/kernel/random/boot_id", buffer);
  return text.substr(0, text.find('\n'));
}

bool is_sound(const Head& head) {
  constexpr std::uint32_t kPage = 4096;
  return head.magic == kMagic && head.format == kFormat && head.area_bytes >= sizeof(Area) &&
         head.area_bytes % kPage == 0;
}

int check(int fd) {
  struct statx about;
  if (sys::statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &about) != 0) return errno;
  if (about.stx_nlink == 0) return ENOENT;
  if (!S_ISREG(about.stx_mode) || about.stx_uid != ::geteuid() || (about.stx_mode & 077) != 0) return EACCES;
  return about.stx_size < kHeadBytes ? EPROTO : 0;
}

Mapping::~Mapping() { close(); }

void Mapping::close() {
  if (memory_ != nullptr) ::munmap(memory_, bytes_);
  memory_ = nullptr;
}

int Mapping::open(const char* path) {
  const sys::Fd fd(sys::open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  if (!fd.ok()) return errno;
  if (const int error = check(fd.get()); error != 0) return error;
  struct statx about;
  if (sys::statx(fd.get(), "", AT_EMPTY_PATH, STATX_SIZE, &about) != 0) return errno;
  const std::size_t bytes = about.stx_size;
  const long at = ::syscall(SYS_mmap, nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0L);
  if (at == -1) return errno;
  memory_ = reinterpret_cast<void*>(at);
  bytes_ = bytes;
  return is_sound(head()) ? 0 : EPROTO;
}

bool Mapping::same_boot() const { return head().boot.view() == boot_id().view(); }

std::uint32_t Mapping::count() const {
  const std::size_t whole = bytes_ > kAreasAt ? (bytes_ - kAreasAt) / head().area_bytes : 0;
  return static_cast<std::uint32_t>(std::min<std::size_t>(whole, head().areas.load()));
}

Area* Mapping::area(std::uint32_t index) const {
  const std::size_t at = kAreasAt + static_cast<std::size_t>(index) * head().area_bytes;
  auto* area = reinterpret_cast<Area*>(static_cast<char*>(memory_) + at);
  const bool whole = area->ready.load(std::memory_order_acquire) == Area::kVersion &&
                     area->size == head().area_bytes && area->used.load() <= area->size;
  return whole ? area : nullptr;
}

void for_each_segment(void (*visit)(const Path& path, void* context), void* context) {
  const Path where(folder());
  const sys::Fd fd(sys::open(where.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.ok()) return;
  const FixedString<40> prefix = FixedString<40>("toto-").add(::geteuid()).add('-');
  // By the system call: opendir() would take the program's allocator.
  struct Entry {
    std::uint64_t inode;
    std::int64_t next;
    std::uint16_t length;
    unsigned char type;
    char name[1];
  };
  alignas(Entry) std::array<char, 1024> buffer;
  for (;;) {
    const long got = ::syscall(SYS_getdents64, fd.get(), buffer.data(), buffer.size());
    if (got <= 0) return;
    for (long at = 0; at < got;) {
      const auto* entry = reinterpret_cast<const Entry*>(buffer.data() + at);
      at += entry->length;
      const std::string_view name(static_cast<const char*>(entry->name));
      if (!name.starts_with(prefix.view())) continue;
      visit(Path(where).add('/').add(name), context);
    }
  }
}

}  // namespace toto::segment
