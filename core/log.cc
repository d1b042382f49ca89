// SPDX-License-Identifier: BSD-3-Clause
#include "core/log.h"

#include <sys/mman.h>

#include <atomic>

#include "core/path.h"
#include "core/sys.h"

extern char** environ;

namespace toto::log {
namespace {

constinit std::atomic<Level> current_level{Level::kWarning};
enum class Voice : std::uint8_t { kUnknown, kSpeaks, kQuiet };
constinit std::atomic<Voice> voice{Voice::kUnknown};
constinit FixedString<512> folder;
constinit bool use_stdout = false;
constinit std::atomic<int> file{-1};
constinit std::array<Warning, kKept> kept;
constinit std::array<std::atomic<std::uint64_t>, kKept> hashes{};  // 0: free; claimed before `kept` is filled
constinit std::atomic<std::size_t> kept_count{0};

// The log file is opened by the first message, so that a run without messages leaves none.
int target() {
  if (folder.empty()) return use_stdout ? STDOUT_FILENO : STDERR_FILENO;
  int fd = file.load(std::memory_order_acquire);
  if (fd >= 0) return fd;
  FixedString<640> name(folder.view());
  name.add("/toto.").add(sys::getpid()).add(".log");
  fd = sys::open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) return STDERR_FILENO;
  // The program's own files get the low numbers that they would have without us.
  const int high = static_cast<int>(::syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 200));
  if (high >= 0) {
    sys::close(fd);
    fd = high;
  }
  file.store(fd, std::memory_order_release);
  return fd;
}

void write_line(std::string_view level_name, std::string_view text) {
  const sys::KeepErrno keep;
  Line line("toto: ");
  line.add(level_name).add(text).add('\n');
  if (line.truncated()) {
    line.resize_down(line.size() - 1);
    line.add('\n');
  }
  sys::write_all(target(), line);
}

Voice voice_by_environment() {
  constexpr std::array<std::string_view, 4> kRankNames{"OMPI_COMM_WORLD_RANK=", "PMIX_RANK=", "PMI_RANK=",
                                                       "SLURM_PROCID="};
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    for (const std::string_view rank : kRankNames) {
      if (text.starts_with(rank) && text.substr(rank.size()) != "0") return Voice::kQuiet;
    }
  }
  return Voice::kSpeaks;
}

bool speaks() {
  Voice now = voice.load(std::memory_order_relaxed);
  if (now == Voice::kUnknown) {
    now = voice_by_environment();
    voice.store(now, std::memory_order_relaxed);
  }
  return now == Voice::kSpeaks;
}

// True when this text is new. A text beyond the table's size is written each time, and counted with the last.
bool note(std::string_view text) {
  const std::uint64_t key = path::hash(text);
  for (std::size_t i = 0; i < kKept; ++i) {
    std::uint64_t seen = 0;
    if (hashes[i].compare_exchange_strong(seen, key)) {
      kept[i].text = text;
      kept[i].count = 1;
      kept_count.store(i + 1, std::memory_order_release);
      return true;
    }
    if (seen == key || i + 1 == kKept) {
      std::atomic_ref<std::uint64_t>(kept[i].count).fetch_add(1, std::memory_order_relaxed);
      return seen != key;
    }
  }
  return true;
}

}  // namespace

void set_level(Level level) { current_level = level; }
Level level() { return current_level; }
void set_rank(int rank) { voice = rank == 0 ? Voice::kSpeaks : Voice::kQuiet; }

void set_target(std::string_view log_folder, bool to_stdout) {
  folder = log_folder;
  use_stdout = to_stdout;
}

void error(std::string_view text) {
  if (note(text) && current_level.load() >= Level::kError) write_line("error: ", text);
}
void warn(std::string_view text) {
  if (note(text) && current_level.load() >= Level::kWarning && speaks()) write_line("warning: ", text);
}
void info(std::string_view text) {
  if (current_level.load() >= Level::kInfo) write_line("", text);
}
void debug(std::string_view text) {
  if (current_level.load() >= Level::kDebug) write_line("debug: ", text);
}

std::span<const Warning> warnings() { return {kept.data(), kept_count.load(std::memory_order_acquire)}; }

void forget_warnings() {
  kept_count = 0;
  for (auto& hash : hashes) hash = 0;
}

}  // namespace toto::log
