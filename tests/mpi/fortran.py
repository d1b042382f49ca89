# SPDX-License-Identifier: BSD-3-Clause
"""Fortran programs are seen once a call, whichever names their interface calls below.
usage: fortran.py BED RANKS"""
import sys

import harness

bed, ranks = harness.Bed(sys.argv[1]), int(sys.argv[2])
check = harness.Check()
for interface in ("mpif_h", "use_mpi", "use_mpi_f08"):
    with harness.folder() as work:
        program = bed.program(f"fortran_{interface}")
        (work / "data").mkdir()
        bare = bed.run(ranks, program, work / "data" / "bare")
        ours = bed.run(ranks, program, work / "data" / "ours",
                       toto={"TOTO_PFS_PATHS": work / "data", "TOTO_REPORT": work / "report.json"})
        check.equal(0, bare.code, f"{interface}: the bare run's exit code ({bare.out} {bare.err})")
        check.same_run(bare, ours, interface)
        check.equal((work / "data" / "bare").read_bytes(), (work / "data" / "ours").read_bytes(), "contents")
        mpiio = harness.layer(harness.report(work / "report.json"), "mpiio")
        expected = {"opens": ranks, "creates": 1, "closes": ranks, "views": ranks, "writes": ranks, "reads": ranks,
                    "bytes_written": 400 * ranks, "bytes_read": 400 * ranks, "collective": ranks,
                    "independent": ranks}
        for counter, value in expected.items():
            check.equal(value, mpiio[counter], f"{interface}: mpiio.{counter}")
check.end()
