// SPDX-License-Identifier: BSD-3-Clause
#include "core/log.h"

#include <atomic>

#include "core/own_signals.h"
#include "core/path.h"
#include "core/start_up.h"
#include "core/sys.h"

extern char** environ;

namespace toto::log {
namespace {

constinit std::atomic<Level> current_level{Level::kWarning};
enum class Voice : std::uint8_t { kUnknown, kSpeaks, kQuiet };
constinit std::atomic<Voice> voice{Voice::kUnknown};
TOTO_SET_AT_START(folder) constinit FixedString<512> folder;
TOTO_SET_AT_START(use_stdout) constinit bool use_stdout = false;
constinit std::array<Warning, kKept> kept;
constinit std::array<std::atomic<std::uint64_t>, kKept> hashes{};  // 0: free; claimed before `kept` is filled
constinit std::atomic<std::size_t> kept_count{0};

constinit std::array<std::atomic<bool>, 3> is_the_programs{};  // by descriptor

void write_to(int fd, std::string_view text) {
  if (!is_the_programs[static_cast<std::size_t>(fd)].load(std::memory_order_relaxed))
    sys::write_all(fd, text);
}

// Opened for each message: a descriptor kept for life would become the program's own file when the program
// closes all numbers and opens again. A run without messages leaves no log file.
sys::Fd open_log() {
  FixedString<640> name(folder.view());
  name.add("/toto.").add(sys::getpid()).add(".log");
  return sys::Fd(sys::open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644));
}

void write_line(std::string_view level_name, std::string_view text) {
  const sys::KeepErrno keep;
  const sys::NoSignalOfOurs quiet;
  Line line("toto: ");
  line.add(level_name).add(text).add('\n');
  if (line.truncated()) {
    line.resize_down(line.size() - 1);
    line.add('\n');
  }
  if (!folder.empty()) {
    const sys::Fd log = open_log();
    if (log.ok()) {
      sys::write_all(log.get(), line);
      return;
    }
  }
  write_to(use_stdout ? STDOUT_FILENO : STDERR_FILENO, line);
}

Voice voice_by_environment() {
  constexpr std::array<std::string_view, 4> kRankNames{
      "OMPI_COMM_WORLD_RANK=", "PMIX_RANK=", "PMI_RANK=", "SLURM_PROCID="};
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

// True when this text is new. When the table is full, further texts are only counted, with the last.
bool note(std::string_view text) {
  const std::uint64_t key = path::hash(text);
  for (std::size_t i = 0; i < kKept; ++i) {
    std::uint64_t seen = 0;
    if (hashes[i].compare_exchange_strong(seen, key)) {
      const bool last = i + 1 == kKept;
      kept[i].text = last ? std::string_view("further warnings, only counted") : text;
      kept[i].count = 1;
      kept_count.store(i + 1, std::memory_order_release);
      return true;
    }
    if (seen == key || i + 1 == kKept) {
      std::atomic_ref<std::uint64_t>(kept[i].count).fetch_add(1, std::memory_order_relaxed);
      return false;
    }
  }
  return false;
}

}  // namespace

void say(std::string_view text) {
  const sys::KeepErrno keep;
  const sys::NoSignalOfOurs quiet;
  write_to(STDERR_FILENO, text);
}

void note_open_as(int fd) {
  if (fd > 0 && fd < 3) is_the_programs[static_cast<std::size_t>(fd)].store(true, std::memory_order_relaxed);
}

TOTO_AT_START void set_level(Level level) {
  // Mostly as it is: its page is then not written.
  if (current_level.load() != level) current_level = level;
}
void set_rank(int rank) { voice = rank == 0 ? Voice::kSpeaks : Voice::kQuiet; }

TOTO_AT_START void set_target(std::string_view log_folder, bool to_stdout) {
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
