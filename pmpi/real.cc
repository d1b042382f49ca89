// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/real.h"

namespace toto::pmpi::real {

bool available() {
  bool all = true;
#define TOTO_X(name) all = all && name##Symbol::get() != nullptr;
  TOTO_REAL_FUNCTIONS(TOTO_X)
#undef TOTO_X
  return all;
}

}  // namespace toto::pmpi::real
