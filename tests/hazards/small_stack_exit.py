# SPDX-License-Identifier: BSD-3-Clause
"""A thread with the smallest stack ends the program: its exit code stays, and the report is written on whatever stack
there is. usage: small_stack_exit.py"""
import harness

program = harness.BUILT["programs"]["small_stack_exit"]
check = harness.Check()

with harness.folder() as work:
    for label, toto in (("bare", None), ("report", {}), ("summary", {"TOTO_SUMMARY": "1"}),
                        ("logs", {"TOTO_LOGS_FOLDER": work})):
        (work / label).mkdir()
        if toto is not None:
            toto = {"TOTO_PFS_PATHS": work, "TOTO_REPORT": work / f"{label}.json", **toto}
        done = harness.run_alone(program, work / label, toto=toto)
        check.equal(7, done.code, f"{label}: exit code ({done.err})")
        check.equal([f"file.{i}" for i in sorted(range(20), key=str)], harness.entries(work / label), f"{label}: files")
        if toto is not None and check.that((work / f"{label}.json").exists(), f"{label}: a report"):
            check.equal(20, len(harness.report(work / f"{label}.json")["files"]), f"{label}: files in the report")
            check.equal([], done.warnings, f"{label}: warnings")
check.end()
