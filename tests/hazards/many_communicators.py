# SPDX-License-Identifier: BSD-3-Clause
"""A program that comes near to the number of communicators that its MPI library has opens a file by each: we use up
none of them. usage: many_communicators.py BED"""
import sys

import harness

bed = harness.Bed(sys.argv[1])
check = harness.Check()
COUNT = 1300

with harness.folder() as work:
    def run(name, toto):
        return bed.run(2, bed.program("mpi_calls"), "communicators", work / name, COUNT, toto=toto)

    bare = run("bare", None)
    check.equal((0, f"opened: {COUNT}\n"), (bare.code, bare.out), f"the bare run ({bare.err})")
    ours = run("ours", {"TOTO_PFS_PATHS": work, "TOTO_REPORT": work / "report.json"})
    check.equal((bare.code, bare.out), (ours.code, ours.out), f"exit code and files opened ({ours.err})")
    opens = harness.layer(harness.report(work / "report.json"), "mpiio")
    check.that(opens, "the opens were counted")
check.end()
