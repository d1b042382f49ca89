// SPDX-License-Identifier: BSD-3-Clause
// The wrapped calls with optional arguments (TOTO_VARIADIC in posix/calls.def).
#pragma once

namespace toto::posix {
void resolve_variadic();
}
