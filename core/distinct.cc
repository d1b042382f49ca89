// SPDX-License-Identifier: BSD-3-Clause
#include "core/distinct.h"

#include <algorithm>

namespace toto {
namespace {

// The finalizer of MurmurHash3: one to one, so that distinct hashes stay distinct, and every bit of the
// result depends on every bit of the hash, which FNV-1a's high bits do not for names that differ at their
// end.
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51'afd7'ed55'8ccd;
  x = (x ^ (x >> 33)) * 0xc4ce'b9fe'1a85'ec53;
  return x ^ (x >> 33);
}

}  // namespace

void Distinct::add(std::uint64_t hash) { insert(mix(hash)); }

void Distinct::insert(std::uint64_t mixed) {
  const auto end = least_.begin() + static_cast<std::ptrdiff_t>(kept_);
  const auto at = std::lower_bound(least_.begin(), end, mixed);
  if (at != end && *at == mixed) return;
  if (kept_ == kKept) {
    beyond_ = 1;
    if (at == end) return;
    std::copy_backward(at, end - 1, end);
  } else {
    std::copy_backward(at, end, end + 1);
    ++kept_;
  }
  *at = mixed;
}

void Distinct::merge(const Distinct& other) {
  for (std::size_t i = 0; i < other.kept_; ++i) insert(other.least_[i]);
  beyond_ |= other.beyond_;
}

std::uint64_t Distinct::count() const {
  if (exact()) return kept_;
  constexpr double kAll = 18446744073709551616.0;  // 2^64
  const double largest = static_cast<double>(least_.back()) / kAll;
  return static_cast<std::uint64_t>(static_cast<double>(kKept - 1) / largest);
}

}  // namespace toto
