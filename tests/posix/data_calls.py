# SPDX-License-Identifier: BSD-3-Clause
"""Every POSIX and stdio call is counted to the byte, however the program was built.
usage: data_calls.py PROGRAM"""
import json
import sys

import harness

program = harness.BUILT["programs"][sys.argv[1]]
check = harness.Check()


def contents(path):
    return {entry.name: entry.read_bytes() for entry in path.iterdir()
            if entry.is_file() and not entry.name.startswith("temporary.")}


with harness.folder() as work:
    for name in ("bare", "ours"):
        (work / name).mkdir()
    bare = harness.run_alone(program, work / "bare", work / "bare.truth")
    check.equal(0, bare.code, f"the bare run's exit code ({bare.err})")
    ours = harness.run_alone(program, work / "ours", work / "ours.truth",
                             toto={"TOTO_PFS_PATHS": work / "ours", "TOTO_REPORT": work / "report.json"})
    check.same_run(bare, ours, "with the library")
    check.equal(contents(work / "bare"), contents(work / "ours"), "files and their contents")
    truth = json.loads((work / "ours.truth").read_text())
    report = harness.report(work / "report.json")
    for layer in ("posix", "stdio"):
        got = harness.layer(report, layer)
        for counter, expected in truth[layer].items():
            if counter != "end":
                check.equal(expected, got[counter], f"{layer}.{counter}")
    check.equal([], report["warnings"], "warnings")
check.end()
