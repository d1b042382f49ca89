// SPDX-License-Identifier: BSD-3-Clause
#include "core/kernel_io.h"

#include <array>
#include <charconv>
#include <string_view>

#include "core/area.h"
#include "core/sys.h"

namespace toto {
namespace {

constinit KernelIo noted{};  // of this process

// "key: number" in a line of its own; 0 where it is not.
std::uint64_t value_of(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (!line.starts_with(key) || !line.substr(key.size()).starts_with(": ")) continue;
    std::uint64_t value = 0;
    std::from_chars(line.data() + key.size() + 2, line.data() + line.size(), value);
    return value;
  }
  return 0;
}

}  // namespace

void KernelIo::merge(const KernelIo& other) {
  processes += other.processes;
#define TOTO_X(name, from) name += other.name;
  TOTO_KERNEL_IO(TOTO_X)
#undef TOTO_X
}

KernelIo KernelIoCells::load() const {
  KernelIo out;
  out.processes = processes.load(std::memory_order_relaxed);
#define TOTO_X(name, from) out.name = (name).load(std::memory_order_relaxed);
  TOTO_KERNEL_IO(TOTO_X)
#undef TOTO_X
  return out;
}

namespace kernel_io {

void note(Area& area) {
  const sys::KeepErrno keep;
  std::array<char, 512> buffer;
  const sys::Fd fd(sys::open("/proc/self/io", O_RDONLY | O_CLOEXEC));
  const ssize_t length = fd.ok() ? sys::read(fd.get(), buffer.data(), buffer.size()) : -1;
  if (length <= 0) return;  // a kernel without it, or a process that may not look at itself
  const std::string_view text(buffer.data(), static_cast<std::size_t>(length));
  KernelIo now;
  now.processes = 1;
#define TOTO_X(name, from) now.name = value_of(text, from);
  TOTO_KERNEL_IO(TOTO_X)
#undef TOTO_X
  area.kernel_io.processes.fetch_add(now.processes - noted.processes, std::memory_order_relaxed);
#define TOTO_X(name, from) area.kernel_io.name.fetch_add(now.name - noted.name, std::memory_order_relaxed);
  TOTO_KERNEL_IO(TOTO_X)
#undef TOTO_X
  noted = now;
}

void forget() { noted = KernelIo{}; }

}  // namespace kernel_io
}  // namespace toto
