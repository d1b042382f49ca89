# SPDX-License-Identifier: BSD-3-Clause
"""Nothing of type MPI_DATATYPE_NULL written and read: the MPI library's own answer, whatever it is.
usage: null_datatype.py BED"""
import sys

import harness

bed = harness.Bed(sys.argv[1])
check = harness.Check()

with harness.folder() as work:
    def run(name, toto):
        (work / name).mkdir()
        done = bed.run(2, bed.program("mpi_calls"), "null_datatype", work / name / "file", toto=toto)
        return done, harness.entries(work / name)

    bare, bare_files = run("bare", None)
    check.that(bare.out.startswith("open: 0\nwrite: "), "the bare run comes past the first call", bare.out + bare.err)
    for name, toto in (("unwatched", {}), ("watched", {"TOTO_PFS_PATHS": work}),
                       ("reported", {"TOTO_PFS_PATHS": work, "TOTO_REPORT": work / "report.json"})):
        ours, files = run(name, toto)
        check.equal((bare.code, bare.out), (ours.code, ours.out), f"{name}: exit code and error classes ({ours.err})")
        check.equal(bare_files, files, f"{name}: files")
check.end()
