// SPDX-License-Identifier: BSD-3-Clause
#include "core/segment_name.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>

#include "core/config.h"
#include "core/job_id.h"
#include "core/sys.h"

namespace toto::segment {

std::uint64_t digest(std::string_view text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01b3U;  // FNV-1a
  return hash;
}

namespace {

void add_hex(Path& path, std::uint64_t hash) {
  path.add('-');
  for (int shift = 28; shift >= 0; shift -= 4) path.add("0123456789abcdef"[(hash >> shift) & 15U]);
}

std::uint64_t digest_of(std::span<const std::string_view> parts) {
  std::uint64_t hash = digest("");
  for (const std::string_view part : parts) hash = digest(part, digest("/", hash));
  return hash;
}

// In two digests: the machine's, and the launch's, which recovery finds on the segments of all machines.
Path path_of(std::string_view job) {
  const Settings& settings = config::settings();
  Path path(folder());
  path.add("/toto-").add(::geteuid()).add('-').add(job);
  if (const int node = pretended_node(); node >= 0) path.add("-node").add(node);
  // A folder that several machines or containers share: their processes cannot see each other alive.
  std::array<char, 64> space{};
  const ssize_t length = sys::readlinkat(AT_FDCWD, "/proc/self/ns/pid", space.data(), space.size());
  const FixedString<64> host = host_name();
  const std::array<std::string_view, 2> machine{
      std::string_view(space.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))), host.view()};
  add_hex(path, digest_of(machine));
  // Reports that go to different places are different jobs to us; so are several launches in one scheduler's
  // job.
  const char* name_space = std::getenv("PMIX_NAMESPACE");
  const std::array<std::string_view, 4> launch{settings.report, settings.logs_folder, job,
                                               name_space != nullptr ? name_space : ""};
  add_hex(path, digest_of(launch));
  return path;
}

bool is_there(const Path& path) {
  struct statx about;
  return sys::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_TYPE, &about) == 0;
}

// Whether a file under /proc holds `text`, which is short.
bool file_holds(const char* name, std::string_view text) {
  const sys::Fd fd(sys::open(name, O_RDONLY | O_CLOEXEC));
  std::array<char, 2560> buffer;  // on the stack of a thread that may have 16 KiB
  std::size_t there = 0;
  while (fd.ok() && text.size() < buffer.size() / 2) {
    const ssize_t got = sys::read(fd.get(), buffer.data() + there, buffer.size() - there);
    if (got <= 0) return false;
    there += static_cast<std::size_t>(got);
    if (std::string_view(buffer.data(), there).find(text) != std::string_view::npos) return true;
    const std::size_t rest = std::min(there, text.size());  // it may go on in the next part
    std::copy_n(buffer.data() + there - rest, rest, buffer.data());
    there = rest;
  }
  return false;
}

// That process has us too, and reports to the same place.
bool is_of_our_job(std::int32_t pid) {
  const FixedString<40> folder = FixedString<40>("/proc/").add(pid);
  if (!file_holds(FixedString<48>(folder).add("/maps").c_str(), "/libtoto_pmpi.so")) return false;
  for (const char* name :
       {"TOTO_JOB_ID", "TOTO_REPORT", "TOTO_LOGS_FOLDER", "TOTO_SEGMENT_DIR", "TOTO_CONFIG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr) continue;
    const auto entry = FixedString<1100>(name).add('=').add(value);
    const std::string_view with_end(entry.c_str(), entry.size() + 1);
    if (!file_holds(FixedString<48>(folder).add("/environ").c_str(), with_end)) return false;
  }
  return true;
}

constexpr int kGenerations = 8;

// The process that started all this, where no launcher did: of a pool of workers, which come and go, the one
// that stays. 0: none.
std::int32_t find_holder() {
  if (local_rank() >= 0 || std::getenv("PMI_RANK") != nullptr || std::getenv("PMIX_NAMESPACE") != nullptr)
    return 0;
  std::int32_t holder = 0, ancestor = sys::getppid();
  for (int i = 0; i < kGenerations && ancestor > 1; ++i) {
    if (is_of_our_job(ancestor)) holder = ancestor;
    ancestor = parent_of(ancestor);
  }
  return holder;
}

}  // namespace

Chosen choose() {
  Chosen chosen{.job = job_id(), .path = {}};
  chosen.path = path_of(chosen.job);
  const bool named_by_us = !config::settings().job_id.empty();
  if (is_there(chosen.path) || (job_has_name() && !named_by_us)) return chosen;
  std::int32_t ancestor = sys::getppid();
  for (int i = 0; !named_by_us && i < kGenerations && ancestor > 1; ++i) {
    const FixedString<96> name = process_job(ancestor);
    const Path path = path_of(name);
    if (is_there(path)) {
      chosen.job = name;
      chosen.path = path;
      return chosen;
    }
    ancestor = parent_of(ancestor);
  }
  chosen.holder = find_holder();
  if (chosen.holder == 0 || named_by_us) return chosen;
  chosen.job = process_job(chosen.holder);
  chosen.path = path_of(chosen.job);
  return chosen;
}

}  // namespace toto::segment
