# SPDX-License-Identifier: BSD-3-Clause
"""The serial programs of these tests with the library, under valgrind: it finds nothing that it does not find without. Run by
`./dev valgrind`. usage: under_valgrind.py"""
import harness

check = harness.Check()
PROGRAMS = ("change_hands", "data_calls_plain", "old_names", "one_name_again", "process_creation", "rare_calls_plain")
FOUND = 99
WORDS = ("valgrind", "-q", f"--error-exitcode={FOUND}", "--leak-check=no", "--trace-children=no")

for name in PROGRAMS:
    program = harness.BUILT["programs"].get(name)
    if not check.that(program, f"{name} is built"):
        continue
    before = harness.Check()
    harness.against_truth(before, program, before=WORDS, timeout=300)
    check.equal(0, before.failures, f"{name}: under valgrind")
    print(f"{name}: {before.passed} checks hold")
check.end()
