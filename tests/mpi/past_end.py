# SPDX-License-Identifier: BSD-3-Clause
"""Reads beyond the end of a file count what the MPI library says that it delivered; statuses are as without us.
usage: past_end.py BED RANKS"""
import json
import sys

import harness

bed, ranks = harness.Bed(sys.argv[1]), int(sys.argv[2])
check = harness.Check()
with harness.folder() as work:
    (work / "data").mkdir()
    runs = {name: bed.run(ranks, bed.program("past_end"), work / "data" / name, work / f"{name}.truth", toto=toto)
            for name, toto in (("bare", None),
                               ("ours", {"TOTO_PFS_PATHS": work / "data", "TOTO_REPORT": work / "report.json"}))}
    check.equal(0, runs["bare"].code, f"the bare run's exit code ({runs['bare'].err})")
    check.equal(runs["bare"].code, runs["ours"].code, "exit code")
    check.equal(runs["bare"].err, runs["ours"].err, "standard error")
    check.equal(sorted(runs["bare"].out.splitlines()), sorted(runs["ours"].out.splitlines()),
                "counts in the program's statuses")
    truth = json.loads((work / "ours.truth").read_text())
    mpiio = harness.layer(harness.report(work / "report.json"), "mpiio")
    for counter in ("opens", "creates", "closes", "reads", "writes", "bytes_read", "bytes_written", "independent",
                    "collective", "seeks", "syncs"):
        check.equal(truth[counter], mpiio[counter], f"mpiio.{counter}")
check.end()
