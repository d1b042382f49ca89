// SPDX-License-Identifier: BSD-3-Clause
#include "ceph.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <limits>

namespace toto::stripefs::ceph {

namespace {

constexpr std::string_view kPool = "data";
constexpr std::string_view kPoolNumber = "1";

bool ParseNumber(std::string_view text, std::uint64_t* value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, *value);
  return !text.empty() && error == std::errc() && stop == end &&
         *value <= std::numeric_limits<std::uint32_t>::max();
}

bool IsValid(const Fields& fields) {
  if (fields.stripe_unit == 0 || fields.stripe_unit % kUnitGrain != 0) return false;
  if (fields.object_size < fields.stripe_unit || fields.object_size % fields.stripe_unit != 0) return false;
  // The largest object that the real thing takes: a signed 32-bit number of 64 KiB multiples, up to 2 GiB.
  if (fields.object_size > (std::uint64_t{2} << 30)) return false;
  return fields.stripe_count >= 1;
}

int SetField(std::string_view field, std::string_view value, Fields* fields) {
  if (field == "stripe_unit") return ParseNumber(value, &fields->stripe_unit) ? 0 : EINVAL;
  if (field == "object_size") return ParseNumber(value, &fields->object_size) ? 0 : EINVAL;
  if (field == "stripe_count") {
    if (value == "-1") {  // accepted by the real thing, which stores it unsigned
      fields->stripe_count = std::numeric_limits<std::uint32_t>::max();
      return 0;
    }
    return ParseNumber(value, &fields->stripe_count) ? 0 : EINVAL;
  }
  if (field == "pool" || field == "pool_name" || field == "pool_id") {
    return value == kPool || value == kPoolNumber ? 0 : EINVAL;
  }
  if (field == "pool_namespace") return value.empty() ? 0 : EINVAL;
  return ENODATA;
}

int SetWhole(std::string_view text, Fields* fields) {
  if (text.empty()) return EINVAL;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (word.empty()) continue;
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) return EINVAL;
    if (SetField(word.substr(0, equals), word.substr(equals + 1), fields) != 0) return EINVAL;
  }
  return 0;
}

}  // namespace

std::uint64_t ObjectSizeFor(std::uint64_t unit) { return (kDefaultObjectSize + unit - 1) / unit * unit; }

Fields FromLayout(const FileLayout& layout, const Placer& defaults) {
  const Component& part = layout.parts.front();
  const Wish& wish = part.wish;
  Fields fields;
  fields.stripe_unit = part.placed ? part.stripe.unit : wish.unit;
  if (fields.stripe_unit == 0) fields.stripe_unit = defaults.default_unit();
  fields.stripe_count = part.placed ? part.stripe.count : wish.count;
  if (fields.stripe_count == 0) fields.stripe_count = defaults.default_count();
  fields.object_size = part.placed ? part.stripe.object_size : wish.object_size;
  if (fields.object_size == 0) fields.object_size = ObjectSizeFor(fields.stripe_unit);
  return fields;
}

FileLayout ToLayout(const Fields& fields) {
  Wish wish;
  wish.unit = fields.stripe_unit;
  wish.count = static_cast<std::uint32_t>(fields.stripe_count);
  wish.object_size = fields.object_size;
  return PlainLayout(std::move(wish), Origin::kCeph);
}

int Set(std::string_view field, std::string_view value, Fields* fields) {
  Fields wanted = *fields;
  int error = ENODATA;
  if (field.empty()) {
    error = SetWhole(value, &wanted);
  } else if (field.front() == '.') {
    error = SetField(field.substr(1), value, &wanted);
  }
  if (error != 0) return error;
  if (!IsValid(wanted)) return EINVAL;
  *fields = wanted;
  return 0;
}

int Get(std::string_view field, const Fields& fields, std::string* value) {
  if (field.empty()) {
    *value = "stripe_unit=" + std::to_string(fields.stripe_unit) +
             " stripe_count=" + std::to_string(fields.stripe_count) +
             " object_size=" + std::to_string(fields.object_size) + " pool=" + fields.pool;
  } else if (field == ".stripe_unit") {
    *value = std::to_string(fields.stripe_unit);
  } else if (field == ".stripe_count") {
    *value = std::to_string(fields.stripe_count);
  } else if (field == ".object_size") {
    *value = std::to_string(fields.object_size);
  } else if (field == ".pool" || field == ".pool_name") {
    *value = fields.pool;
  } else if (field == ".pool_id") {
    *value = kPoolNumber;
  } else if (field == ".pool_namespace") {
    value->clear();
  } else {
    return ENODATA;
  }
  return 0;
}

}  // namespace toto::stripefs::ceph
