// SPDX-License-Identifier: BSD-3-Clause
// The measured calls of POSIX and stdio.
#include "bench/micro/files.h"

int main(int argc, char** argv) {
  using namespace toto::bench;
  check(argc > 1, "usage: calls_posix FOLDER [threads N] [--benchmark_... | count CALLS]");
  std::vector<Measured> all;
  for (const auto& list : {data_calls, stream_calls, metadata_calls}) {
    for (Measured& call : list(argv[1])) all.push_back(std::move(call));
  }
  return run(argc, argv, all);
}
