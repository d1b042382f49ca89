// SPDX-License-Identifier: BSD-3-Clause
// Handlers of stdio calls. A stream is known by its descriptor; what stdio itself reads and writes below is
// done inside libc and never seen here, so that nothing is counted twice.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "posix/handlers.h"

namespace toto::posix {

// The stream's descriptor, or -1: as fileno(3), but errno stays as it is where a stream has none (fmemopen).
inline int descriptor_of(FILE* stream) {
#if defined(__GLIBC__)
  constexpr int kHasFile = 0x2000;  // _IO_IS_FILEBUF: only then is the member set
  return (stream->_flags & kHasFile) != 0 ? stream->_fileno : -1;
#else
  const sys::KeepErrno keep;
  return ::fileno(stream);
#endif
}
inline Description* find_stream(FILE* stream) {
  return stream != nullptr ? find(descriptor_of(stream)) : nullptr;
}

// Counts are taken from the result by `bytes_of(result)`; -1: an error.
template <Access kind, class Call, class BytesOf>
inline auto around_stream(FILE* stream, Call call, BytesOf bytes_of) {
  Description* open = find_stream(stream);
  if (open == nullptr) [[likely]]
    return call();
  const std::uint64_t started = clock::ticks();
  const auto result = call();
  const std::uint64_t ended = clock::ticks();
  record_data_call<kind>(*open, Layer::kStdio, kAtPosition, bytes_of(result), started, ended);
  return result;
}

// fread, fwrite and kin: argument `stream_at` is the stream, `size_at` the size of an item. Whole items
// count.
template <Access kind, int stream_at, int size_at>
struct StreamItems {
  template <class Next, class... A>
  static size_t call(Next next, A... a) {
    Description* open = find_stream(std::get<stream_at>(std::tie(a...)));
    if (open == nullptr) [[likely]]
      return next(a...);
    if (clock::has_counter()) [[likely]]
      return watched<clock::By::kCounter, Next, A...>(a..., *open, next);
    return watched<clock::By::kSystem, Next, A...>(a..., *open, next);
  }

 private:
  // As Data::watched.
  template <clock::By by, class Next, class... A>
  [[gnu::noinline]] static size_t watched(A... a, Description& open, Next next) {
    const std::uint64_t started = clock::ticks_by<by>();
    const size_t items = next(a...);
    const std::uint64_t ended = clock::ticks_by<by>();
    const auto bytes = static_cast<ssize_t>(items * std::get<size_at>(std::tie(a...)));
    record_data<kind>(open, Layer::kStdio, kAtPosition, bytes, started, ended);
    return items;
  }
};

template <int stream_at>
struct StreamLine {
  template <class Next, class... A>
  static char* call(Next next, A... a) {
    // nullptr at the end of the file is no error: 0 bytes.
    return around_stream<Access::kRead>(
        std::get<stream_at>(std::tie(a...)), [&] { return next(a...); },
        [](const char* line) { return line != nullptr ? static_cast<ssize_t>(std::strlen(line)) : 0; });
  }
};

struct StreamText {
  template <class Next>
  static int call(Next next, const char* text, FILE* stream) {
    return around_stream<Access::kWrite>(
        stream, [&] { return next(text, stream); },
        [&](int result) { return result >= 0 ? static_cast<ssize_t>(std::strlen(text)) : -1; });
  }
};

template <Access kind, int stream_at>
struct StreamCharacter {
  template <class Next, class... A>
  static int call(Next next, A... a) {
    return around(std::get<stream_at>(std::tie(a...)), [&] { return next(a...); });
  }

  template <class Call>
  static int around(FILE* stream, Call call) {
    Description* open = find_stream(stream);
    if (open == nullptr) [[likely]]
      return call();
    const int result = call();
    Shard& shard = registry::shard(*open->file, Layer::kStdio);
    if (shard.owner != 0) {
      note<Owned>(*open, shard.counters, result);
    } else {
      note<Shared>(*open, shard.counters, result);
    }
    return result;
  }

 private:
  // Ten nanoseconds a call without us: counted, no time stamps, no patterns.
  template <class How>
  static void note(Description& open, Counters& counters, int result) {
    using It = Of<kind>;
    if (result == EOF && kind == Access::kWrite) {
      How::add(counters[Counter::errors], 1);
      return;
    }
    const std::uint64_t bytes = result == EOF ? 0 : 1;
    const std::uint64_t at = open.position.load(std::memory_order_relaxed);
    How::add(counters[It::kCalls], 1);
    How::add(counters[It::kBytes], bytes);
    How::add(It::kReads ? counters.read_sizes[0] : counters.write_sizes[0], 1);
    How::add(counters[It::kConsecutive], 1);
    How::add(counters[It::kSequential], 1);
    if (bytes != 0) How::raise(counters[Counter::end_offset], at + 1);
    open.position.store(at + bytes, std::memory_order_relaxed);
    open.last_end.store(at + bytes, std::memory_order_relaxed);
  }
};

// getline and getdelim: the line's length, or -1 at the end of the file, which is no error.
template <int stream_at>
struct StreamDelimited {
  template <class Next, class... A>
  static ssize_t call(Next next, A... a) {
    return around_stream<Access::kRead>(
        std::get<stream_at>(std::tie(a...)), [&] { return next(a...); },
        [](ssize_t length) { return length >= 0 ? length : 0; });
  }
};

// putw(word, stream) and getw(stream): an int at a time, and EOF may be one.
struct StreamWord {
  template <class Next>
  static int call(Next next, int word, FILE* stream) {
    return around_stream<Access::kWrite>(
        stream, [&] { return next(word, stream); },
        [](int result) { return static_cast<ssize_t>(result == 0 ? sizeof(int) : -1); });
  }
  template <class Next>
  static int call(Next next, FILE* stream) {
    return around_stream<Access::kRead>(
        stream, [&] { return next(stream); },
        [&](int) { return static_cast<ssize_t>(::feof(stream) != 0 ? 0 : sizeof(int)); });
  }
};

// What a scan has read is how far the stream has moved.
struct StreamScan {
  template <class Next, class... A>
  static int call(Next next, FILE* stream, A... a) {
    return around_stream<Access::kRead>(
        stream, [&] { return next(stream, a...); },
        [&](int) {
          const sys::KeepErrno keep;
          const Description* open = find_stream(stream);
          const off_t now = ::ftello(stream);
          const auto before = open != nullptr ? static_cast<off_t>(open->position.load()) : now;
          return static_cast<ssize_t>(now > before ? now - before : 0);
        });
  }
};

// puts, putchar: to standard output.
struct StandardText {
  template <class Next>
  static int call(Next next, const char* text) {
    return around_stream<Access::kWrite>(
        stdout, [&] { return next(text); },
        [&](int result) { return result >= 0 ? static_cast<ssize_t>(std::strlen(text)) + 1 : -1; });
  }
};
struct StandardCharacter {
  template <class Next>
  static int call(Next next, int character) {
    return StreamCharacter<Access::kWrite, 1>::around(stdout, [&] { return next(character); });
  }
};

struct StreamFormat {
  template <class Next, class... A>
  static int call(Next next, FILE* stream, A... a) {
    return around_stream<Access::kWrite>(
        stream, [&] { return next(stream, a...); }, [](int bytes) { return static_cast<ssize_t>(bytes); });
  }
};

struct StreamOpen {
  template <class Next>
  static FILE* call(Next next, const char* path, const char* mode) {
    FILE* stream = nullptr;
    const int flags = stream_flags(mode);
    open_file(
        AT_FDCWD, path, flags, kMode,
        [&](int now) {
          // What we made is there, and may have been written to: fopen would refuse it, or cut it off.
          stream = now == flags ? next(path, mode) : on_descriptor(open_instead(path, now, kMode), mode);
          return stream != nullptr ? ::fileno(stream) : -1;
        },
        Layer::kStdio, is_plain(mode));
    return stream;
  }

 private:
  static constexpr mode_t kMode = 0666;

  // Of the letters that fopen knows, those that a descriptor's stream has as well, or needs no more.
  static bool is_plain(const char* mode) {
    return mode != nullptr && (*mode == 'r' || *mode == 'w' || *mode == 'a') &&
           std::strspn(mode + 1, "bt+xe") == std::strlen(mode + 1);
  }
  static FILE* on_descriptor(int fd, const char* mode) {
    if (fd < 0) return nullptr;
    FILE* const stream = NextFor<"fdopen", decltype(::fdopen)>::Type::get()(fd, mode);
    if (stream == nullptr) {
      const sys::KeepErrno keep;
      sys::close(fd);
    }
    return stream;
  }
};

struct StreamReopen {
  template <class Next>
  static FILE* call(Next next, const char* path, const char* mode, FILE* stream) {
    if (stream != nullptr) {
      if (const int fd = descriptor_of(stream); find(fd) != nullptr && path != nullptr) {
        bool last = false;
        if (File* file = forget(fd, &last))
          note_close(*file, Layer::kStdio, clock::ticks(), clock::ticks(), last);
      }
    }
    if (path == nullptr) return next(path, mode, stream);
    FILE* result = nullptr;
    open_file(
        AT_FDCWD, path, stream_flags(mode), 0666,
        [&](int) {
          result = next(path, mode, stream);
          return result != nullptr ? ::fileno(result) : -1;
        },
        Layer::kStdio, false);  // would cut off what we made
    return result;
  }
};

struct StreamOfDescriptor {
  template <class Next>
  static FILE* call(Next next, int fd, const char* mode) {
    FILE* stream = next(fd, mode);
    if (Description* open = find(fd); open != nullptr && stream != nullptr) {
      record_meta(*open->file, Layer::kStdio, Counter::opens, 0, 0);
    }
    return stream;
  }
};

struct StreamClose {
  template <class Next>
  static int call(Next next, FILE* stream) {
    if (find_stream(stream) == nullptr) [[likely]]
      return next(stream);
    bool last = false;
    File* file = forget(descriptor_of(stream), &last);
    const std::uint64_t started = clock::ticks();
    const int result = next(stream);
    if (file != nullptr) note_close(*file, Layer::kStdio, started, clock::ticks(), last);
    return result;
  }
};

struct StreamFlush {
  template <class Next>
  static int call(Next next, FILE* stream) {
    Description* open = find_stream(stream);
    if (open == nullptr) [[likely]]
      return next(stream);
    File& file = *open->file;
    const std::uint64_t started = clock::ticks();
    const int result = next(stream);
    record_meta(file, Layer::kStdio, Counter::flushes, started, clock::ticks());
    return result;
  }
};

struct StreamSeek {
  template <class Next, class... A>
  static auto call(Next next, FILE* stream, A... a) {
    if constexpr (std::is_void_v<decltype(next(stream, a...))>) {
      next(stream, a...);
      note(stream);
    } else {
      const auto result = next(stream, a...);
      if (result == 0) note(stream);
      return result;
    }
  }

 private:
  static void note(FILE* stream) {
    Description* open = find_stream(stream);
    if (open == nullptr) [[likely]]
      return;
    const sys::KeepErrno keep;
    if (const off_t at = ::ftello(stream); at >= 0) open->position = static_cast<std::uint64_t>(at);
    Shared::add(registry::shard(*open->file, Layer::kStdio).counters[Counter::seeks], 1);
  }
};

}  // namespace toto::posix
