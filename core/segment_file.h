// SPDX-License-Identifier: BSD-3-Clause
// The node segment as a file: a head, a table, then the areas (core/area.h) of the job's processes on this
// node. What the table is for is its users' business (hints/waves.h); it has memory once somebody wants it.
//
// Name: <folder>/toto-<uid>-<job>-<machine>-<launch>, digests of 8 digits each, mode 0600, nobody else's.
// Members are the living processes; who finds no other member alive closes the segment, for good, and removes
// it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "core/area.h"
#include "core/fixed_string.h"
#include "core/sketch.h"

namespace toto::segment {

inline constexpr std::array<char, 8> kMagic{'T', 'O', 'T', 'O', 's', 'e', 'g', '\0'};
inline constexpr std::uint32_t kFormat = 4;
inline constexpr std::size_t kHeadBytes = 64 * 1024;  // a multiple of every page size in use
inline constexpr std::size_t kTableBytes = 128 * 1024;
inline constexpr std::size_t kAreasAt = kHeadBytes + kTableBytes;
inline constexpr std::size_t kMembers = 2048;
inline constexpr std::size_t kMostAreas = 4096;

using Path = FixedString<255>;

struct Member {
  std::atomic<std::int32_t> pid{0};  // 0: free
  std::atomic<std::uint32_t> area{0};
  std::atomic<std::uint64_t> born{0};  // as /proc/<pid>/stat counts it
};

struct Head {
  std::array<char, 8> magic{};
  std::uint32_t format = 0;
  std::uint32_t area_bytes = 0;
  std::uint64_t nonce = 0;  // tells two segments of one name apart
  std::int64_t created_wall_ns = 0;
  FixedString<96> job;
  FixedString<64> host;
  FixedString<40> boot;                   // the kernel's boot_id: clocks of another boot say nothing
  FixedString<1023> report, logs_folder;  // where the report goes: absolute paths, or empty
  std::atomic<std::int32_t> closer{0};    // pid of who leaves or closes it just now: nobody enters meanwhile
  std::atomic<std::uint32_t> areas{0};
  std::atomic<bool> has_table{false};   // there is memory behind it
  std::atomic<bool> to_recover{false};  // its report failed: left to `toto report --recover`
  Sketch last_round;                    // the job as its leaders knew it last; nodes 0: no round yet
  std::array<Member, kMembers> members;
};
static_assert(sizeof(Head) <= kHeadBytes);

// Whether the process still runs (a zombie does not). A birth of 0: of whatever age.
[[nodiscard]] bool is_alive(std::int32_t pid, std::uint64_t born);
// As /proc/<pid>/stat has it; 0 where that cannot be read.
[[nodiscard]] std::uint64_t birth_of(std::int32_t pid);
// The same of a process that was forked just now, without a look into /proc.
[[nodiscard]] std::uint64_t born_now();
[[nodiscard]] std::int32_t parent_of(std::int32_t pid);  // 0: unknown
// Any member but `except` lives.
[[nodiscard]] bool has_living_members(const Head& head, const Member* except);

[[nodiscard]] std::string_view folder();  // TOTO_SEGMENT_DIR, else /dev/shm
[[nodiscard]] FixedString<40> boot_id();

// Of this version, and makes sense.
[[nodiscard]] bool is_sound(const Head& head);

// 0, or why the open file is no segment of ours: ENOENT (closed), EACCES (not ours, or open to others),
// EPROTO (another format).
int check(int fd);

// A whole segment, mapped for reading and for its flags. Used by a node's leader, by the last process, and by
// `toto report --recover`.
class Mapping {
 public:
  Mapping() = default;
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  // 0 or an errno.
  int open(const char* path);
  void close();
  [[nodiscard]] Head& head() const { return *static_cast<Head*>(memory_); }
  [[nodiscard]] bool same_boot() const;
  // Areas that are complete as far as their heads go, in the order of their making.
  template <class Visit>
  void for_each_area(Visit visit) const {
    for (std::uint32_t i = 0; i < count(); ++i) {
      if (Area* one = area(i)) visit(*one);
    }
  }

 private:
  [[nodiscard]] std::uint32_t count() const;
  [[nodiscard]] Area* area(std::uint32_t index) const;

  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

// Calls `visit(path)` for every segment of this user in the folder.
void for_each_segment(void (*visit)(const Path& path, void* context), void* context);

}  // namespace toto::segment
