# SPDX-License-Identifier: BSD-3-Clause
"""There is no memory for us on every second rank: the program's results are the same, nobody waits for anybody, and what
the other ranks count is right. usage: no_memory.py BED OTHER"""
import sys

import harness
import stripes

bed, other = harness.Bed(sys.argv[1]), sys.argv[2]
check = harness.Check()
with harness.folder() as work:
    runs, found = [], []
    for how in ("bare", "ours"):
        here = work / how
        here.mkdir()
        toto = {"TOTO_PFS_PATHS": here, "TOTO_REPORT": work / "report.json"} if how == "ours" else None
        runs.append(bed.run(3, bed.program("mpi_files"), toto=toto, library=f"{other}:{bed.library}", timeout=60,
                            env={"MPI_FILES_FOLDER": str(here), "MPI_FILES_TRUTH": str(work / f"{how}.truth")}))
        found.append(stripes.listing(here))
    check.equal(0, runs[1].code, f"exit code ({runs[1].err})")
    check.equal(runs[0].out, runs[1].out, "standard output")
    check.bare(*found, "files and contents")
    check.that("no memory: refused" in runs[1].err, "memory was refused to the library", runs[1].err)
check.end()
