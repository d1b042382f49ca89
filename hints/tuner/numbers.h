// SPDX-License-Identifier: BSD-3-Clause
// The little mathematics that the tuner needs, without libm: the preloaded library needs libc alone. Same
// operations everywhere, so that the same measurements give the same decisions.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace toto::tuner {

inline constexpr double kLn2 = 0.693147180559945309417;

// Natural logarithm of a positive, normal number; relative error below 1e-12.
[[nodiscard]] constexpr double ln(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  auto exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1023;
  double m = std::bit_cast<double>((bits & 0x000f'ffff'ffff'ffffU) | 0x3ff0'0000'0000'0000U);  // in [1, 2)
  if (m > 1.41421356237309505) {
    m /= 2;
    ++exponent;
  }
  // ln(m) = 2 atanh((m - 1) / (m + 1)), whose argument is below 0.1716 here.
  const double z = (m - 1) / (m + 1), square = z * z;
  double sum = 0, power = z;
  for (int k = 1; k < 18; k += 2) {
    sum += power / k;
    power *= square;
  }
  return exponent * kLn2 + 2 * sum;
}

// e to the x, for |x| < 700.
[[nodiscard]] constexpr double exp(double x) {
  const double scaled = x / kLn2;
  const int whole = static_cast<int>(scaled >= 0 ? scaled + 0.5 : scaled - 0.5);
  const double rest = x - whole * kLn2;
  double sum = 1, term = 1;
  for (int k = 1; k < 16; ++k) {
    term *= rest / k;
    sum += term;
  }
  return sum * std::bit_cast<double>(static_cast<std::uint64_t>(whole + 1023) << 52);
}

// Square root of a number that is not negative, by Newton's steps.
[[nodiscard]] constexpr double root(double x) {
  if (!(x > 0)) return 0;
  double r = exp(ln(x) / 2);
  for (int i = 0; i < 3; ++i) r = (r + x / r) / 2;
  return r;
}

// Of up to 16 numbers; 0 where there are none.
[[nodiscard]] constexpr double median(std::span<const double> numbers) {
  std::array<double, 16> sorted{};
  const std::size_t n = std::min(numbers.size(), sorted.size());
  if (n == 0) return 0;
  std::copy_n(numbers.begin(), n, sorted.begin());
  std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(n));
  return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

}  // namespace toto::tuner
