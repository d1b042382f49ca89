// SPDX-License-Identifier: BSD-3-Clause
// What the wrappers of pmpi/calls.def do around the next definition: one handler a kind of call. A call
// inside another wrapped call of the same thread (another tool's, the library's own) is forwarded and nothing
// else.
#pragma once

#include <mpi.h>

#include <tuple>
#include <type_traits>

#include "core/clock.h"
#include "core/counters.h"
#include "core/process.h"
#include "core/registry.h"
#include "pmpi/files.h"
#include "pmpi/library.h"
#include "pmpi/life.h"
#include "pmpi/open.h"
#include "pmpi/real.h"
#include "pmpi/rounds.h"

namespace toto::pmpi {

enum Direction { kRead, kWrite };
enum Kind { kIndependent, kCollective };
enum Form { kBlocking, kNonblocking, kBegin };
enum Place { kHere, kAt };
enum Pointer { kOwn, kShared };

// Whether this call is the program's, in a library that we understand.
[[nodiscard, gnu::always_inline]] inline bool is_ours_to_see() {
  return !process::inside_mpi() && agreement().usable && process::is_active();
}

// The slot of an open file that is of interest, else nullptr.
[[nodiscard, gnu::always_inline]] inline File* known_file(MPI_File handle) {
  OpenFile* open = files::find(handle);
  return open != nullptr ? open->file : nullptr;
}

[[nodiscard, gnu::always_inline]] inline std::uint64_t size_of(MPI_Datatype type) {
  if (type == predefined::byte()) return 1;
  MPI_Count size = 0;
  return real::Type_size_x(type, &size) == MPI_SUCCESS && size > 0 ? static_cast<std::uint64_t>(size) : 0;
}

// What MPI_Get_elements_x says of a status for MPI_BYTE; where mpi.h shows the status' count, without a call.
template <class Status>
[[nodiscard, gnu::always_inline]] inline bool count_of(const Status& status, MPI_Count& bytes) {
  if constexpr (requires { status.count_hi_and_cancelled; }) {  // MPICH and its kin, part of their common ABI
    bytes = (static_cast<MPI_Count>(static_cast<unsigned>(status.count_hi_and_cancelled) >> 1) << 32) |
            static_cast<unsigned>(status.count_lo);
    return true;
  } else if constexpr (requires { status._ucount; }) {  // Open MPI
    bytes = static_cast<MPI_Count>(status._ucount);
    return true;
  } else {
    return real::Get_elements_x(&status, predefined::byte(), &bytes) == MPI_SUCCESS;
  }
}

// Bytes that a read delivered. A status that makes no sense (reads past the end of a file) leaves what was
// asked.
[[nodiscard]] inline std::uint64_t bytes_of(const MPI_Status& status, std::uint64_t asked) {
  MPI_Count bytes = 0;
  if (!count_of(status, bytes)) return asked;
  return bytes >= 0 && static_cast<std::uint64_t>(bytes) <= asked ? static_cast<std::uint64_t>(bytes) : asked;
}

template <Direction direction, class How>
[[gnu::always_inline]] inline void note_bytes(Counters& counters, std::uint64_t bytes, std::uint64_t started,
                                              std::uint64_t ended) {
  constexpr bool kReads = direction == kRead;
  const std::uint64_t took = ended > started ? ended - started : 0;
  How::add(counters[kReads ? Counter::reads : Counter::writes], 1);
  How::add(counters[kReads ? Counter::bytes_read : Counter::bytes_written], bytes);
  How::add(counters[kReads ? Counter::read_ticks : Counter::write_ticks], took);
  How::add(kReads ? counters.read_sizes[size_bin(bytes)] : counters.write_sizes[size_bin(bytes)], 1);
  How::raise(counters[kReads ? Counter::largest_read : Counter::largest_write], bytes);
  How::raise(counters[kReads ? Counter::slowest_read_ticks : Counter::slowest_write_ticks], took);
  How::set(counters[Counter::last_data], ended);
  first<How>(counters[Counter::first_data], started);
}

template <Direction direction, Kind kind, Form form, Place place = kHere, Pointer pointer = kOwn>
struct FileData {
  // Inline, as it has one argument more than the wrapper: what is handed on would go through memory.
  template <class Next, class... A>
  [[gnu::always_inline]] static int call(Next next, MPI_File file, A... a) {
    if (!is_ours_to_see()) return next(file, a...);
    if constexpr (kind == kCollective) rounds::turn();
    File* known = known_file(file);
    const process::InMpi inside;
    if (known == nullptr) return next(file, a...);
    const auto arguments = std::tie(a...);
    constexpr std::size_t kBuffer = place == kAt ? 1 : 0;
    const auto count = std::get<kBuffer + 1>(arguments);
    const MPI_Datatype type = std::get<kBuffer + 2>(arguments);
    // A program that ignores the status gets ours for the call: how much was read is known only there.
    [[maybe_unused]] MPI_Status mine{};
    if constexpr (kKnownByStatus) {
      MPI_Status*& status = std::get<kBuffer + 3>(arguments);
      if (status == MPI_STATUS_IGNORE) status = &mine;
    }
    const std::uint64_t started = clock::ticks();
    const int result = next(file, a...);
    const std::uint64_t ended = clock::ticks();
    // Asked only now: the call has found its arguments good, so that nothing of ours meets an error handler.
    std::uint64_t bytes = 0;
    if (result == MPI_SUCCESS && count > 0) {
      bytes = static_cast<std::uint64_t>(count) * size_of(type);
      if constexpr (kKnownByStatus) bytes = bytes_of(*std::get<kBuffer + 3>(arguments), bytes);
    }
    note(*known, bytes, result, started, ended);
    return result;
  }

 private:
  static constexpr bool kKnownByStatus = direction == kRead && form == kBlocking;

  [[gnu::always_inline]] static void note(File& file, std::uint64_t bytes, int result, std::uint64_t started,
                                          std::uint64_t ended) {
    if (Shard* own = registry::cached_shard(file, Layer::kMpiIo); own != nullptr) [[likely]] {
      count_call<Owned>(own->counters, bytes, result, started, ended);
    } else {
      note_slowly(file, bytes, result, started, ended);
    }
  }
  // The first call of a thread on a file, and one whose shard is shared for want of room.
  [[gnu::noinline, gnu::cold]] static void note_slowly(File& file, std::uint64_t bytes, int result,
                                                       std::uint64_t started, std::uint64_t ended) {
    Shard& shard = registry::shard(file, Layer::kMpiIo);
    if (shard.owner != 0) {
      count_call<Owned>(shard.counters, bytes, result, started, ended);
    } else {
      count_call<toto::Shared>(shard.counters, bytes, result, started, ended);
    }
  }
  template <class How>
  [[gnu::always_inline]] static void count_call(Counters& counters, std::uint64_t bytes, int result,
                                                std::uint64_t started, std::uint64_t ended) {
    if (result != MPI_SUCCESS) {
      How::add(counters[Counter::errors], 1);
      return;
    }
    note_bytes<direction, How>(counters, bytes, started, ended);
    registry::note_time(Layer::kMpiIo, direction == kWrite, ended, bytes);
    How::add(counters[kind == kCollective ? Counter::collective : Counter::independent], 1);
    if constexpr (form == kNonblocking) How::add(counters[Counter::nonblocking], 1);
    if constexpr (form == kBegin) How::add(counters[Counter::split], 1);
    if constexpr (pointer == kShared) How::add(counters[Counter::shared_pointer], 1);
  }
};

// The end of a split collective: its time belongs to the call that began it.
template <Direction direction>
struct FileEnd {
  template <class Next, class... A>
  static int call(Next next, MPI_File file, A... a) {
    if (!is_ours_to_see()) return next(file, a...);
    File* known = known_file(file);
    const process::InMpi inside;
    const std::uint64_t started = clock::ticks();
    const int result = next(file, a...);
    if (known != nullptr) {
      Counters& counters = registry::shard(*known, Layer::kMpiIo).counters;
      Shared::add(counters[direction == kRead ? Counter::read_ticks : Counter::write_ticks],
                  clock::ticks() - started);
    }
    return result;
  }
};

template <Counter counter>
struct FileMeta {
  template <class Next, class... A>
  static int call(Next next, MPI_File file, A... a) {
    if (!is_ours_to_see()) return next(file, a...);
    File* known = known_file(file);
    const process::InMpi inside;
    const std::uint64_t started = clock::ticks();
    const int result = next(file, a...);
    if (known != nullptr && result == MPI_SUCCESS) {
      Counters& counters = registry::shard(*known, Layer::kMpiIo).counters;
      toto::Shared::add(counters[counter], 1);
      const std::uint64_t took = clock::ticks() - started;
      toto::Shared::add(counters[Counter::meta_ticks], took);
      if constexpr (counter == Counter::syncs) toto::Shared::add(counters[Counter::sync_ticks], took);
    }
    return result;
  }
};

struct FileOther {
  template <class Next, class... A>
  static auto call(Next next, A... a) {
    const process::InMpi inside;
    return next(a...);
  }
};

// What lies below it is the program's: not a call inside MPI to us.
struct Turn {
  template <class Next, class... A>
  static int call(Next next, A... a) {
    rounds::turn();
    return next(a...);
  }
};

struct FileOpen {
  template <class Next>
  static int call(Next next, MPI_Comm comm, const char* name, int amode, MPI_Info info, MPI_File* file) {
    if (!is_ours_to_see() || name == nullptr || file == nullptr) return next(comm, name, amode, info, file);
    const process::InMpi inside;
    return open_file(next, comm, name, amode, info, file);
  }
};

// A file that we had made was opened without MPI_MODE_EXCL: the program sees what it asked for.
struct FileGetAmode {
  template <class Next>
  static int call(Next next, MPI_File file, int* amode) {
    const bool outermost = is_ours_to_see();
    const process::InMpi inside;
    const int result = next(file, amode);
    if (outermost && result == MPI_SUCCESS) {
      if (const OpenFile* open = files::find(file); open != nullptr && open->exclusive)
        *amode |= MPI_MODE_EXCL;
    }
    return result;
  }
};

struct FileClose {
  template <class Next>
  static int call(Next next, MPI_File* file) {
    if (!is_ours_to_see() || file == nullptr) return next(file);
    rounds::turn();
    const process::InMpi inside;
    return close_file(next, file);
  }
};

struct FileDelete {
  template <class Next>
  static int call(Next next, const char* name, MPI_Info info) {
    const process::InMpi inside;
    return next(name, info);
  }
};

struct Init {
  template <class Next>
  static int call(Next next, int* argc, char*** argv) {
    return around([&] { return next(argc, argv); });
  }
  template <class Call>
  static int around(Call call) {
    if (process::inside_mpi()) return call();
    const process::InMpi inside;
    const int result = call();
    if (result == MPI_SUCCESS) after_init();
    return result;
  }
};
struct InitThread {
  template <class Next>
  static int call(Next next, int* argc, char*** argv, int required, int* provided) {
    return Init::around([&] { return next(argc, argv, required, provided); });
  }
};
struct Finalize {
  template <class Next>
  static int call(Next next) {
    if (process::inside_mpi()) return next();
    const process::InMpi inside;
    before_finalize();
    const int result = next();
    after_finalize();
    return result;
  }
};

}  // namespace toto::pmpi
