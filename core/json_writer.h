// SPDX-License-Identifier: BSD-3-Clause
// Writes JSON as a stream, through a small buffer, by write(2): for the report, which must not depend on the
// program's allocator, stdio or locale at the end of its life. Commas and escapes are taken care of; that
// begin and end match is the caller's business.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/fixed_string.h"
#include "core/own_signals.h"
#include "core/sys.h"

namespace toto {

class JsonWriter {
 public:
  // `buffer` is the caller's: the writer itself is small enough for any stack.
  JsonWriter(int fd, std::span<char> buffer) : fd_(fd), buffer_(buffer) {}

  JsonWriter& key(std::string_view name) {
    comma();
    quoted(name);
    raw(":");
    after_key_ = true;
    return *this;
  }
  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void begin_array() { begin('['); }
  void end_array() { end(']'); }
  void text(std::string_view value) {
    comma();
    quoted(value);
  }
  void number(std::uint64_t value) {
    comma();
    raw(FixedString<24>().add(value));
  }
  void integer(std::int64_t value) {
    comma();
    raw(FixedString<24>().add(value));
  }
  void boolean(bool value) {
    comma();
    raw(value ? "true" : "false");
  }
  // Nanoseconds as seconds with nine digits after the point.
  void seconds(std::uint64_t ns) {
    comma();
    FixedString<40> out;
    out.add(ns / 1'000'000'000).add('.');
    FixedString<24> fraction;
    fraction.add(1'000'000'000 + ns % 1'000'000'000);
    out.add(fraction.view().substr(1));
    raw(out);
  }
  // So many of so many, as a number with four digits after the point, not rounded up: 1 is all.
  void share(std::uint64_t part, std::uint64_t whole) {
    comma();
    const double ratio = whole != 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
    const auto parts = static_cast<std::uint64_t>(ratio * 10'000);
    FixedString<24> fraction;
    fraction.add(10'000 + parts % 10'000);
    raw(FixedString<48>().add(parts / 10'000).add('.').add(fraction.view().substr(1)));
  }

  // Writes what is left; false when anything could not be written (errno of the first failure in error()).
  bool finish() {
    flush();
    return error_ == 0;
  }
  [[nodiscard]] int error() const { return error_; }

 private:
  void begin(char bracket) {
    comma();
    raw(std::string_view(&bracket, 1));
    first_ = true;
  }
  void end(char bracket) {
    raw(std::string_view(&bracket, 1));
    first_ = false;
  }
  void comma() {
    if (after_key_) {
      after_key_ = false;
      return;
    }
    if (!first_) raw(",");
    first_ = false;
  }
  // Bytes that are no UTF-8 (file names may hold any) become U+FFFD, so that the file stays JSON.
  void quoted(std::string_view value);
  void raw(std::string_view value) {
    for (const char c : value) {
      if (used_ == buffer_.size()) flush();
      buffer_[used_++] = c;
    }
  }
  void flush() {
    const sys::NoSignalOfOurs quiet;
    if (error_ == 0 && !sys::write_all(fd_, {buffer_.data(), used_})) error_ = errno;
    used_ = 0;
  }

  int fd_;
  int error_ = 0;
  bool first_ = true;
  bool after_key_ = false;
  std::size_t used_ = 0;
  std::span<char> buffer_;
};

}  // namespace toto
