// SPDX-License-Identifier: BSD-3-Clause
// Handlers of transfers with more than one part: from file to file inside the kernel, and lists that are
// submitted at once. What was submitted counts with the size that was asked for, at submission: when it is
// done, and whether in full, is told to the program by other ways.
#pragma once

#include <aio.h>
#include <linux/aio_abi.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>
#include <limits>
#include <string_view>
#include <tuple>

#include "core/sys.h"
#include "posix/handlers.h"

namespace toto::posix {

inline constexpr int kNone = -1;

// sendfile, copy_file_range, splice: places of the two descriptors and of the pointers to their offsets; a
// null pointer, or kNone, means at the position.
template <int in_at, int in_offset_at, int out_at, int out_offset_at>
struct Between {
  template <class Next, class... A>
  static ssize_t call(Next next, A... a) {
    const auto all = std::tie(a...);
    Description* in = find(std::get<in_at>(all));
    Description* out = find(std::get<out_at>(all));
    if (in == nullptr && out == nullptr) [[likely]]
      return next(a...);
    // Asked before: the call moves them on.
    const std::uint64_t from = offset<in_offset_at>(all), to = offset<out_offset_at>(all);
    const std::uint64_t started = clock::ticks();
    const ssize_t moved = next(a...);
    const std::uint64_t ended = clock::ticks();
    if (in != nullptr) record_data_call<Access::kRead>(*in, Layer::kPosix, from, moved, started, ended);
    if (out != nullptr) record_data_call<Access::kWrite>(*out, Layer::kPosix, to, moved, started, ended);
    return moved;
  }

 private:
  template <int at, class All>
  static std::uint64_t offset(const All& all) {
    if constexpr (at != kNone) {
      if (std::get<at>(all) != nullptr) return static_cast<std::uint64_t>(*std::get<at>(all));
    }
    return kAtPosition;
  }
};

// What a list asks for: read before it is submitted, since the program may reuse its blocks as soon as they
// are done, and counted as far as it was submitted, since what is left over will be submitted again. Of a
// list longer than there is room for (it lies on the stack) the rest is counted beforehand.
class Asked {
 public:
  void add(int fd, bool write, std::int64_t offset, std::uint64_t bytes) {
    const One one{.offset = offset, .bytes = bytes, .place = place_, .fd = fd, .write = write};
    if (find(fd) == nullptr) return;
    if (count_ < list_.size()) {
      list_[count_++] = one;
    } else {
      note(one);
    }
  }
  // Of the program's list: each is told, also those that are of no interest.
  void next() { ++place_; }
  // The first `submitted` of the program's list.
  void note_first(long submitted) const {
    for (std::size_t i = 0; i < count_ && list_[i].place < submitted; ++i) note(list_[i]);
  }
  void note_all() const { note_first(std::numeric_limits<long>::max()); }

 private:
  struct One {
    std::int64_t offset;
    std::uint64_t bytes;
    long place;
    int fd;
    bool write;
  };
  void note(const One& one) const {
    Description* open = find(one.fd);
    if (open == nullptr) return;  // closed meanwhile
    const auto at = static_cast<std::uint64_t>(one.offset);
    const auto size = static_cast<ssize_t>(one.bytes);
    if (one.write) {
      record_data_call<Access::kWrite>(*open, Layer::kPosix, at, size, started_, started_);
    } else {
      record_data_call<Access::kRead>(*open, Layer::kPosix, at, size, started_, started_);
    }
  }

  std::uint64_t started_ = clock::ticks();
  long place_ = 0;
  std::size_t count_ = 0;
  std::array<One, 128> list_;  // filled as far as count_
};

struct SubmitList {
  template <class Next, class Block>
  static int call(Next next, int mode, Block* const* list, int count, sigevent* event) {
    if (!process::is_active() || list == nullptr) return next(mode, list, count, event);
    Asked asked;
    for (int i = 0; i < count; ++i) {
      const Block* block = list[i];
      if (block != nullptr && (block->aio_lio_opcode == LIO_READ || block->aio_lio_opcode == LIO_WRITE)) {
        asked.add(block->aio_fildes, block->aio_lio_opcode == LIO_WRITE, block->aio_offset,
                  block->aio_nbytes);
      }
    }
    const int result = next(mode, list, count, event);
    // With these two all were submitted, and some of them failed, or are not waited for.
    if (result == 0 || errno == EIO || errno == EINTR) asked.note_all();
    return result;
  }
};

struct SubmitSync {
  template <class Next, class Block>
  static int call(Next next, int operation, Block* block) {
    if (Description* open = block != nullptr ? find(block->aio_fildes) : nullptr; open != nullptr) {
      record_meta(*open->file, Layer::kPosix, Counter::syncs, 0, 0);
    }
    return next(operation, block);
  }
};

// libaio's, whose blocks are the kernel's (linux/aio_abi.h). Not every program that calls it lets us find
// libaio (a plug-in that was loaded privately): libaio's own function is this system call and nothing else.
struct SubmitToKernel {
  template <class Next>
  static int call(Next next, aio_context_t context, long count, iocb** blocks) {
    if (!process::is_active() || blocks == nullptr) return submit(next, context, count, blocks);
    Asked asked;
    for (long i = 0; i < count; ++i, asked.next()) {
      if (blocks[i] != nullptr) add(*blocks[i], asked);
    }
    const int result = submit(next, context, count, blocks);
    asked.note_first(result);
    return result;
  }

 private:
  template <class Next>
  static int submit(Next next, aio_context_t context, long count, iocb** blocks) {
    const sys::KeepErrno keep;
    errno = 0;
    const int result = next(context, count, blocks);
    // Where nobody has it, next() says so as functions of libc do; of libaio's own, -1 would be EPERM, which
    // the kernel does not answer.
    if (result != -1 || errno != ENOSYS) return result;
    const long submitted = ::syscall(SYS_io_submit, context, count, blocks);
    return static_cast<int>(submitted < 0 ? -errno : submitted);
  }

  static void add(const iocb& block, Asked& asked) {
    std::uint64_t bytes = block.aio_nbytes;
    bool write = false;
    switch (block.aio_lio_opcode) {
      case IOCB_CMD_PWRITE:
        write = true;
        break;
      case IOCB_CMD_PREAD:
        break;
      case IOCB_CMD_PWRITEV:
        write = true;
        [[fallthrough]];
      case IOCB_CMD_PREADV: {
        const auto* parts = reinterpret_cast<const iovec*>(static_cast<std::uintptr_t>(block.aio_buf));
        const std::uint64_t number = bytes;
        bytes = 0;
        for (std::uint64_t i = 0; i < number; ++i) bytes += parts[i].iov_len;
        break;
      }
      default:  // syncs and polls
        return;
    }
    asked.add(static_cast<int>(block.aio_fildes), write, block.aio_offset, bytes);
  }
};

}  // namespace toto::posix
