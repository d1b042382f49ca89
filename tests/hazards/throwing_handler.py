# SPDX-License-Identifier: BSD-3-Clause
"""An exception thrown by a file error handler through our MPI_File_open: the next collective open is seen by all ranks
alike. usage: throwing_handler.py BED"""
import sys

import harness

bed = harness.Bed(sys.argv[1])
check = harness.Check()

with harness.folder() as work:
    def run(name, toto):
        return bed.run(2, bed.program("throwing_handler"), work / name, toto=toto, timeout=20)

    bare = run("bare", None)
    if bare.code != 0 or bare.out != "1 caught, 2 opened\n":
        harness.skip(f"this MPI library does not let an exception through: {bare.code} {bare.out} {bare.err}")
    for name, toto in (("unwatched", {}), ("watched", {"TOTO_PFS_PATHS": work}),
                       ("reported", {"TOTO_PFS_PATHS": work, "TOTO_REPORT": work / "report.json"})):
        ours = run(name, toto)
        check.equal((bare.code, bare.out), (ours.code, ours.out), f"{name}: exit code and outcome ({ours.err})")
        check.that((work / name).exists(), f"{name}: the file")
check.end()
