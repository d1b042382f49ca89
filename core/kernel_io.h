// SPDX-License-Identifier: BSD-3-Clause
// What the kernel itself counted for a process (/proc/<pid>/io), to hold our own counts against: it knows of
// every byte that went through a read or write call, of whatever kind and to wherever.
#pragma once

#include <atomic>
#include <cstdint>

namespace toto {

struct Area;

// X(name in the report, name in /proc/<pid>/io). Bytes. Source: proc(5), /proc/pid/io.
#define TOTO_KERNEL_IO(X)             \
  X(bytes_read, "rchar")              \
  X(bytes_written, "wchar")           \
  X(storage_bytes_read, "read_bytes") \
  X(storage_bytes_written, "write_bytes")

struct KernelIo {
  std::uint64_t processes = 0;  // whose counts these are
#define TOTO_X(name, from) std::uint64_t name = 0;
  TOTO_KERNEL_IO(TOTO_X)
#undef TOTO_X

  void merge(const KernelIo& other);
};

// The same in an area, where several processes may add theirs one after the other.
struct KernelIoCells {
  std::atomic<std::uint64_t> processes{0};
#define TOTO_X(name, from) std::atomic<std::uint64_t> name = 0;
  TOTO_KERNEL_IO(TOTO_X)
#undef TOTO_X

  [[nodiscard]] KernelIo load() const;
};

namespace kernel_io {
// Adds what this process did since the last time (or since its start) to its area. Three system calls: when
// a report is near.
void note(Area& area);
// In a forked child, whose counts start at 0.
void forget();
}  // namespace kernel_io

}  // namespace toto
