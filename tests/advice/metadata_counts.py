# SPDX-License-Identifier: BSD-3-Clause
"""Creations, stats, renames and removals, in more files than there is room for, are counted one by one.
usage: metadata_counts.py"""
import harness

FOLDERS, FILES = 10, 300
check = harness.Check()

with harness.folder() as work:
    (work / "data").mkdir()
    done = harness.run_alone(harness.BUILT["programs"]["metadata"], work / "data", FOLDERS, FILES,
                             toto={"TOTO_PFS_PATHS": work / "data", "TOTO_REPORT": work / "r.json"})
    check.equal((0, ""), (done.code, done.err), "exit code and messages")
    report = harness.report(work / "r.json")
    posix = harness.layer(report, "posix")
    again = FOLDERS * len(range(0, FILES, 3))
    expected = {
        "mkdirs": FOLDERS,
        "creates": FOLDERS * FILES,
        "opens": FOLDERS * FILES + again,
        "closes": FOLDERS * FILES + again,
        "stats": FOLDERS * FILES + FOLDERS * len(range(0, FILES, 2)) + again,
        "renames": FOLDERS,
        "unlinks": FOLDERS * FILES,
        "reads": 0, "writes": 0, "errors": 0,
    }
    check.equal(expected, {name: posix[name] for name in expected}, "counts")
    check.that(report["files_omitted"] == 0 and len(report["files"]) < FOLDERS * FILES, "some files were folded")
    # They do not stay.
    check.equal([], report["advice"], "advice")
check.end()
