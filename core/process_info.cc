// SPDX-License-Identifier: BSD-3-Clause
#include "core/process_info.h"

#include <algorithm>

#include "core/job.h"
#include "core/sys.h"

namespace toto {

void ProcessInfo::describe_self() {
  if (const std::int32_t me = sys::getpid(); pid != me) {
    const sys::KeepErrno keep;
    if (pid == 0) {  // an area that is taken over keeps the clock that it has counted by
      zero = clock::zero();
      ns_per_tick = clock::rate().ns_per_tick;
    }
    pid = me;
    std::array<char, 256> name;
    const ssize_t length = sys::readlinkat(AT_FDCWD, "/proc/self/exe", name.data(), name.size());
    rank = -1;
    program = std::string_view(name.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
    if (const sys::Fd fd(sys::open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC)); fd.ok()) {
      const ssize_t got = sys::read(fd.get(), command.data(), command.size());
      command_bytes = static_cast<std::uint32_t>(std::max<ssize_t>(got, 0));
    }
  }
  if (job.rank.load() < 0) return;
  rank = job.rank.load();
  ranks = job.ranks.load();
  nodes = job.nodes.load();
  mpi_library = job.mpi_library;
  mpi_io = job.mpi_io;
  thread_level = job.thread_level;
}

}  // namespace toto
