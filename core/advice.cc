// SPDX-License-Identifier: BSD-3-Clause
#include "core/advice.h"

#include <algorithm>

namespace toto {
namespace {

bool comes_before(const Advice& a, const Advice& b) {
  if (a.severity != b.severity) return a.severity < b.severity;
  if (a.ns != b.ns) return a.ns > b.ns;
  if (a.family.view() != b.family.view()) return a.family.view() < b.family.view();
  return a.rule < b.rule;
}

}  // namespace

void AdviceList::add(const Advice& advice) {
  Advice* const end = list_.data() + count_;
  Advice* const at =
      std::find_if(list_.data(), end, [&](const Advice& listed) { return comes_before(advice, listed); });
  if (count_ == kMost) {
    ++omitted_;
    if (at == end) return;
    std::copy_backward(at, end - 1, end);
  } else {
    std::copy_backward(at, end, end + 1);
    ++count_;
  }
  *at = advice;
}

}  // namespace toto
