// SPDX-License-Identifier: BSD-3-Clause
// The parts of a function's type, so that a wrapper takes its signature from the header that declares it.
#pragma once

#include <cstddef>
#include <tuple>

#define TOTO_EXPORT __attribute__((visibility("default")))

namespace toto {

template <class F>
struct Signature;
template <class R, class... A>
struct Signature<R(A...)> {
  using Result = R;
  using Arguments = std::tuple<A...>;
  static constexpr bool kNothrow = false;
};
template <class R, class... A>
struct Signature<R(A...) noexcept> : Signature<R(A...)> {
  static constexpr bool kNothrow = true;
};

template <class F>
using ResultOf = typename Signature<F>::Result;
template <class F, std::size_t I>
using ArgumentOf = std::tuple_element_t<I, typename Signature<F>::Arguments>;

}  // namespace toto

// TOTO_PARAMETERS(n, F): "ArgumentOf<F, 0> a0, ..."; TOTO_NAMES(n): "a0, ..."
#define TOTO_PARAMETERS(count, F) TOTO_PARAMETERS_(count, F)
#define TOTO_PARAMETERS_(count, F) TOTO_PARAMETERS_##count(F)
#define TOTO_PARAMETERS_1(F) toto::ArgumentOf<F, 0> a0
#define TOTO_PARAMETERS_2(F) TOTO_PARAMETERS_1(F), toto::ArgumentOf<F, 1> a1
#define TOTO_PARAMETERS_3(F) TOTO_PARAMETERS_2(F), toto::ArgumentOf<F, 2> a2
#define TOTO_PARAMETERS_4(F) TOTO_PARAMETERS_3(F), toto::ArgumentOf<F, 3> a3
#define TOTO_PARAMETERS_5(F) TOTO_PARAMETERS_4(F), toto::ArgumentOf<F, 4> a4
#define TOTO_PARAMETERS_6(F) TOTO_PARAMETERS_5(F), toto::ArgumentOf<F, 5> a5
#define TOTO_PARAMETERS_7(F) TOTO_PARAMETERS_6(F), toto::ArgumentOf<F, 6> a6
#define TOTO_PARAMETERS_8(F) TOTO_PARAMETERS_7(F), toto::ArgumentOf<F, 7> a7
#define TOTO_PARAMETERS_9(F) TOTO_PARAMETERS_8(F), toto::ArgumentOf<F, 8> a8
#define TOTO_NAMES(count) TOTO_NAMES_(count)
#define TOTO_NAMES_(count) TOTO_NAMES_##count
#define TOTO_NAMES_1 a0
#define TOTO_NAMES_2 TOTO_NAMES_1, a1
#define TOTO_NAMES_3 TOTO_NAMES_2, a2
#define TOTO_NAMES_4 TOTO_NAMES_3, a3
#define TOTO_NAMES_5 TOTO_NAMES_4, a4
#define TOTO_NAMES_6 TOTO_NAMES_5, a5
#define TOTO_NAMES_7 TOTO_NAMES_6, a6
#define TOTO_NAMES_8 TOTO_NAMES_7, a7
#define TOTO_NAMES_9 TOTO_NAMES_8, a8
