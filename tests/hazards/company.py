# SPDX-License-Identifier: BSD-3-Clause
"""With another allocator, and in programs that the compiler has filled with checks of its own: all is counted.
usage: company.py [SANITIZED PROGRAM]..."""
import glob
import sys

import harness

check = harness.Check()
PROGRAM = harness.BUILT["programs"]["rare_calls_plain"]
ours = harness.any_library()
jemalloc = glob.glob("/usr/lib/*/libjemalloc.so.2")
if jemalloc:
    for libraries in ((ours, jemalloc[0]), (jemalloc[0], ours)):
        for program in (PROGRAM, harness.BUILT["programs"]["process_creation"], harness.BUILT["programs"]["small_stacks"]):
            harness.against_truth(check, program, library=":".join(libraries))
else:
    print("left out: jemalloc is not here")
for program in sys.argv[1:]:
    harness.against_truth(check, program, env=lambda _: {"ASAN_OPTIONS": "detect_leaks=0"}, timeout=240)
check.end()
