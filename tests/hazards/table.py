#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The table of hazards, from the results of a test run.
usage: table.py RESULTS.xml... (CTest's --output-junit; of a test that is in several the last counts)

A hazard is held when each of its tests passes: what a program did with us is what it did without us, and what the
report says of it is true. The numbers are checks that hold, of all; a hazard whose tests did not run fails."""
import fnmatch
import re
import sys
import xml.etree.ElementTree

# (hazard, the tests that show it, as patterns)
HAZARDS = [
    ("fortified and renamed entry points", ["posix.data_calls.*", "posix.rare_calls.*"]),
    ("optional arguments", ["hazards.optional_arguments", "hazards.creation_names"]),
    ("descriptors that change hands", ["hazards.change_hands", "hazards.log_descriptor"]),
    ("process creation", ["hazards.process_creation", "posix.fork_child"]),
    ("before and after life", ["hazards.before_and_after"]),
    ("signals, jumps, cancellation", ["hazards.signals"]),
    ("ways to end", ["hazards.endings.*", "hazards.small_stack_exit"]),
    ("transparency", ["hazards.transparency", "hazards.errno_kept", "hazards.report_on_stdout", "hazards.amode_kept.*",
                      "hazards.locks_kept.*"]),
    ("runtimes", ["hazards.runtimes"]),
    ("what cannot be seen", ["hazards.unseen", "hazards.static_program"]),
    ("sizes", ["hazards.sizes"]),
    ("threads and small stacks", ["hazards.small_stacks"]),
    ("the stat family", ["hazards.old_names"]),
    ("memory", ["hazards.one_name_again", "advice.metadata*"]),
    ("settings", ["hazards.settings*"]),
    ("many processes, one job", ["hazards.endings.serial"]),
    ("MPI", ["hazards.null_datatype.*", "hazards.throwing_handler.*", "hazards.many_communicators.*", "hazards.wrong_mpi.*",
             "hazards.mpi_files.*"]),
    ("company", ["hazards.other_preload.*", "hazards.symbols.*", "hazards.company*"]),
    ("a dead mount", ["hazards.dead_mount"]),
    ("limits", ["hazards.limits", "hazards.home_vanishes.*"]),
    ("clocks that are set", ["hazards.clock_steps"]),
]


def tally(output, kind):
    pairs = re.findall(rf"^tally {kind} (\d+) of (\d+)$", output, re.M)
    return [sum(int(pair[i]) for pair in pairs) for i in (0, 1)] if pairs else None


def main():
    tests = {}
    for case in (case for name in sys.argv[1:] for case in xml.etree.ElementTree.parse(name).iter("testcase")):
        tests[case.get("name")] = (case.get("status"), case.findtext("system-out") or "")
    passed = failed = 0
    print(f"\n{'hazard':<36} {'tests':>5}  {'bare = with us':>14}  {'counters = truth':>16}")
    for hazard, patterns in HAZARDS:
        found = {name: result for name, result in tests.items()
                 if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)}
        missing = [pattern for pattern in patterns if not fnmatch.filter(tests, pattern)]
        skipped = [name for name, (status, _) in found.items() if status == "notrun"]
        broken = [name for name, (status, _) in found.items() if status not in ("run", "notrun")]
        cells = []
        for kind in ("bare", "truth"):
            numbers = [t for t in (tally(output, kind) for _, output in found.values()) if t]
            cells.append(f"{sum(n[0] for n in numbers)} of {sum(n[1] for n in numbers)}" if numbers else "-")
        # Some tests of a hazard may need what is not here; all of them may not.
        held = not broken and not missing and len(found) > len(skipped)
        passed, failed = passed + held, failed + (not held)
        words = [f"failed: {' '.join(broken)}"] * bool(broken) + [f"not there: {' '.join(missing)}"] * bool(missing) \
            + [f"skipped: {' '.join(skipped)}"] * bool(skipped)
        print(f"{hazard:<36} {len(found) - len(skipped):>5}  {cells[0]:>14}  {cells[1]:>16}  {'; '.join(words)}".rstrip())
    print(f"figure hazards.passed {passed}\nfigure hazards.failed {failed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
