// SPDX-License-Identifier: BSD-3-Clause
// Reads the part of TOML 1.0 that a settings file needs: top-level keys (bare or quoted) with strings of all
// four forms, decimal integers and booleans; comments and blank lines. Everything else that TOML knows
// (tables, arrays, dates, floats) is told apart from errors: such a value is reported as kOther, and the rest
// is read on. Ours because a full reader brings a megabyte of the C++ library (locales, streams, exceptions)
// into every process that is preloaded; tests/unit/core/toml_test.cc holds it against a full one.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/fixed_string.h"

namespace toto::toml {

enum class Kind : std::uint8_t { kString, kInteger, kBoolean, kOther };

using Value = FixedString<4096>;

struct Entry {
  FixedString<128> key;
  Kind kind = Kind::kOther;
  Value value;  // the string itself, the digits, "true" or "false"
};

struct Error {
  int line = 0;
  std::string_view what;  // empty: no error
};

// Calls take(entry, context) for each top-level key, in order, up to an error.
using Take = void (*)(const Entry& entry, void* context);
Error parse(std::string_view text, Take take, void* context);

}  // namespace toto::toml
