// SPDX-License-Identifier: BSD-3-Clause
#include "tools/elf.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace toto::tools {
namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Dynamic = ElfW(Dyn);

constexpr std::size_t kMostSegments = 4096;
constexpr std::size_t kMostNeeded = 4096;
constexpr std::size_t kLongestName = 4096;

class File {
 public:
  explicit File(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] bool regular() const {
    struct stat info {};
    return fd_ >= 0 && ::fstat(fd_, &info) == 0 && S_ISREG(info.st_mode);
  }
  [[nodiscard]] std::size_t read(std::uint64_t offset, void* into, std::size_t size) const {
    if (offset > static_cast<std::uint64_t>(INT64_MAX) - size) return 0;
    const ssize_t got = ::pread(fd_, into, size, static_cast<off_t>(offset));
    return got > 0 ? static_cast<std::size_t>(got) : 0;
  }
  template <class T>
  [[nodiscard]] bool read(std::uint64_t offset, T& into) const {
    return read(offset, &into, sizeof(T)) == sizeof(T);
  }
  // The NUL-terminated text at an offset; empty when there is none.
  [[nodiscard]] std::string text(std::uint64_t offset) const {
    std::array<char, kLongestName> buffer{};
    const std::size_t got = read(offset, buffer.data(), buffer.size());
    const std::string_view seen(buffer.data(), got);
    const std::size_t end = seen.find('\0');
    return end == std::string_view::npos ? "" : std::string(seen.substr(0, end));
  }

 private:
  int fd_;
};

constexpr unsigned char kClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
constexpr unsigned char kOrder = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
#if defined(__x86_64__)
constexpr std::uint16_t kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr std::uint16_t kMachine = EM_AARCH64;
#elif defined(__powerpc64__)
constexpr std::uint16_t kMachine = EM_PPC64;
#elif defined(__riscv)
constexpr std::uint16_t kMachine = EM_RISCV;
#else
constexpr std::uint16_t kMachine = EM_NONE;  // not known here: any is taken for ours
#endif

// Where an address of the loaded program lies in the file.
std::optional<std::uint64_t> offset_of(const std::vector<Segment>& segments, std::uint64_t address) {
  for (const Segment& segment : segments) {
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz) {
      return segment.p_offset + (address - segment.p_vaddr);
    }
  }
  return std::nullopt;
}

std::vector<std::string> read_needed(const File& file, const std::vector<Segment>& segments,
                                     const Segment& dynamic) {
  std::vector<std::uint64_t> names;
  std::optional<std::uint64_t> strings;
  for (std::uint64_t at = 0; at + sizeof(Dynamic) <= dynamic.p_filesz && names.size() < kMostNeeded;
       at += sizeof(Dynamic)) {
    Dynamic entry{};
    if (!file.read(dynamic.p_offset + at, entry) || entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_NEEDED) names.push_back(entry.d_un.d_val);
    if (entry.d_tag == DT_STRTAB) strings = offset_of(segments, entry.d_un.d_ptr);
  }
  std::vector<std::string> needed;
  if (!strings) return needed;
  for (const std::uint64_t name : names) {
    if (std::string text = file.text(*strings + name); !text.empty()) needed.push_back(std::move(text));
  }
  return needed;
}

// The environment without what steers the loader: preloaded libraries are not the program's own.
std::vector<char*> loader_environment() {
  std::vector<char*> kept;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const bool drop = text.starts_with("LD_PRELOAD=") || text.starts_with("LD_AUDIT=") ||
                      text.starts_with("LD_DEBUG=") || text.starts_with("LD_VERBOSE=") ||
                      text.starts_with("LD_BIND_NOW=") || text.starts_with("LD_WARN=");
    if (!drop) kept.push_back(*entry);
  }
  kept.push_back(nullptr);
  return kept;
}

// Standard output of a command; nothing when it cannot be started or fails.
std::optional<std::string> output_of(const std::string& command, const std::string& first,
                                     const std::string& second) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::vector<std::string> words{command, first, second};
  std::vector<char*> argv{words[0].data(), words[1].data(), words[2].data(), nullptr};
  std::vector<char*> environment = loader_environment();
  pid_t child = -1;
  const int failed =
      ::posix_spawn(&child, command.c_str(), &actions, nullptr, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string output;
  if (failed == 0) {
    std::array<char, 8192> buffer{};
    ssize_t got = 0;
    while ((got = ::read(ends[0], buffer.data(), buffer.size())) > 0 || (got < 0 && errno == EINTR)) {
      if (got > 0) output.append(buffer.data(), static_cast<std::size_t>(got));
    }
  }
  ::close(ends[0]);
  if (failed != 0) return std::nullopt;
  int status = 0;
  pid_t ended = -1;
  while ((ended = ::waitpid(child, &status, 0)) < 0 && errno == EINTR) {
  }
  // Where SIGCHLD is ignored there is no status to be had: the output counts.
  if (ended == child && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) return std::nullopt;
  return output;
}

}  // namespace

std::optional<Elf> read_elf(const std::string& path) {
  const File file(path);
  std::array<unsigned char, EI_NIDENT> ident{};
  if (!file.regular() || !file.read(0, ident) || std::memcmp(ident.data(), ELFMAG, SELFMAG) != 0) {
    return std::nullopt;
  }
  Elf elf;
  Header header{};
  if (ident[EI_CLASS] != kClass || ident[EI_DATA] != kOrder || !file.read(0, header) ||
      (kMachine != EM_NONE && header.e_machine != kMachine)) {
    elf.foreign = true;
    return elf;
  }
  std::vector<Segment> segments;
  if (header.e_phentsize == sizeof(Segment)) {
    for (std::size_t i = 0; i < header.e_phnum && i < kMostSegments; ++i) {
      Segment segment{};
      if (!file.read(header.e_phoff + i * sizeof(Segment), segment)) break;
      segments.push_back(segment);
    }
  }
  for (const Segment& segment : segments) {
    if (segment.p_type == PT_INTERP) elf.loader = file.text(segment.p_offset);
    if (segment.p_type == PT_DYNAMIC) elf.needed = read_needed(file, segments, segment);
  }
  return elf;
}

std::vector<std::string> libraries_of(const std::string& program, const std::string& loader) {
  std::vector<std::string> libraries;
  if (!loader.starts_with('/')) return libraries;
  const std::optional<std::string> listed = output_of(loader, "--list", program);
  if (!listed) return libraries;
  // "\tlibm.so.6 => /lib/libm.so.6 (0x7f...)", "\t/lib64/ld-linux.so.2 (0x...)", "\tlibx.so => not found"
  std::string_view left(*listed);
  while (!left.empty()) {
    const std::size_t end = left.find('\n');
    std::string_view line = left.substr(0, end);
    left.remove_prefix(end == std::string_view::npos ? left.size() : end + 1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    std::string_view name = line.substr(0, std::min(line.find(" => "), line.find(" (")));
    name = name.substr(name.rfind('/') + 1);  // npos + 1 is 0: the whole name
    if (!name.empty()) libraries.emplace_back(name);
  }
  return libraries;
}

}  // namespace toto::tools
