# SPDX-License-Identifier: BSD-3-Clause
"""MPI_File_get_amode tells what was asked, though the file was made beforehand with its layout; on stripefs.
usage: amode_kept.py BED"""
import sys

import harness
import stripes

bed = harness.Bed(sys.argv[1])
check = harness.Check()

with harness.stripefs("lustre", 8) as mounted:
    def run(name, toto):
        (mounted / name).mkdir()
        return bed.run(2, bed.program("mpi_calls"), "amode", mounted / name / "file", toto=toto)

    bare = run("bare", None)
    check.equal(0, bare.code, f"the bare run's exit code ({bare.err})")
    check.equal(5, bare.out.count("amode is what was asked: 1\n"), f"the bare run's modes ({bare.out})")
    ours = run("ours", {"TOTO_HINTS": "*:striping_factor=2:striping_unit=1048576"})
    check.equal((bare.code, bare.out), (ours.code, ours.out), f"exit code and modes ({ours.err})")
    check.equal(stripes.listing(mounted / "bare"), stripes.listing(mounted / "ours"), "files, their modes and contents")
    for i in range(4):
        check.equal((2, 1048576), stripes.lustre_layout(mounted / "ours" / f"file.{i}"), f"layout of file.{i}")
check.end()
