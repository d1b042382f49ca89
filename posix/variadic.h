// SPDX-License-Identifier: BSD-3-Clause
// The wrapped calls with optional arguments (TOTO_VARIADIC in posix/calls.def).
#pragma once

namespace toto::posix {
class Later;
void resolve_variadic(const Later& later);
}  // namespace toto::posix
