# SPDX-License-Identifier: BSD-3-Clause
"""A program that holds a POSIX lock on a file keeps it when it opens the file by MPI: nobody else closes that file; on
stripefs as BeeGFS, whose layouts are read from open files only. usage: locks_kept.py BED"""
import sys

import harness

bed = harness.Bed(sys.argv[1])
check = harness.Check()

with harness.stripefs("beegfs", 8) as mounted:
    bare, ours = (bed.run(1, bed.program("mpi_calls"), "locks", mounted / name, toto=toto)
                  for name, toto in (("bare", None), ("ours", {"TOTO_HINTS": "*:striping_factor=2"})))
    check.equal(0, bare.code, f"the bare run's exit code ({bare.err})")
    check.that("locked while it is open: 1\n" in bare.out, "the lock outlives MPI's own open", bare.out)
    check.equal((bare.code, bare.out), (ours.code, ours.out), f"exit code and locks ({ours.err})")
check.end()
