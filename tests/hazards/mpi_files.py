# SPDX-License-Identifier: BSD-3-Clause
"""Uses of MPI-IO that peers stumble over: the same results, every rank's calls counted, the MPI library's own files neither
counted nor left behind. usage: mpi_files.py BED RANKS"""
import json
import sys

import harness
import stripes

bed, ranks = harness.Bed(sys.argv[1]), int(sys.argv[2])
check = harness.Check()
with harness.folder() as work:
    runs, found = [], []
    for how in ("bare", "ours"):
        here = work / how
        here.mkdir()
        toto = {"TOTO_PFS_PATHS": here, "TOTO_REPORT": work / "report.json"} if how == "ours" else None
        runs.append(bed.run(ranks, bed.program("mpi_files"), toto=toto,
                            env={"MPI_FILES_FOLDER": str(here), "MPI_FILES_TRUTH": str(work / f"{how}.truth")}))
        found.append(stripes.listing(here))
    check.equal(0, runs[0].code, f"the bare run's exit code ({runs[0].err})")
    check.same_run(*runs, "with the library")
    check.bare(*found, "files and contents")
    report, truth = harness.report(work / "report.json"), json.loads((work / "ours.truth").read_text())
    mpiio = harness.layer(report, "mpiio")
    for counter in ("opens", "creates", "closes", "writes", "bytes_written", "independent", "collective", "nonblocking", "split"):
        check.truth(truth[counter], mpiio[counter], counter)
    known = {"odd", "even", "first", "second", "by_one", "by_half", "deleted", *(f"of_rank_{i}" for i in range(ranks))}
    names = {one["path"].rpartition("/")[2] for one in report["files"]}
    check.truth(set(), known - names, "files that are not in the report")
    check.truth(set(), names - known - {"missing", "folder", "in_finalize"}, "files in the report that the program did not use")
    check.equal([], report["warnings"], "warnings")
check.end()
