# SPDX-License-Identifier: BSD-3-Clause
"""A second tool at MPI's profiling interface, before us and after us: it sees what it would see without us, and both count
all. usage: company_mpi.py BED OTHER"""
import json
import sys

import harness
import stripes

bed, other = harness.Bed(sys.argv[1]), sys.argv[2]
check = harness.Check()
with harness.folder() as work:
    runs, found = [], []
    for how, libraries in (("alone", [other]), ("behind us", [bed.library, other]), ("before us", [other, bed.library])):
        here = work / how
        here.mkdir()
        toto = {"TOTO_PFS_PATHS": here, "TOTO_REPORT": work / f"{how}.json"} if how != "alone" else {}
        runs.append(bed.run(2, bed.program("mpi_files"), toto=toto, library=":".join(libraries),
                            env={"MPI_FILES_FOLDER": str(here), "MPI_FILES_TRUTH": str(work / f"{how}.truth")}))
        found.append(stripes.listing(here))
        check.equal(0, runs[-1].code, f"{how}: exit code ({runs[-1].err})")
        if how == "alone":
            check.that("other tool: " in runs[0].err, "the other tool by itself", runs[0].err)
            continue
        check.same_run(runs[0], runs[-1], how)
        check.bare(found[0], found[-1], f"{how}: files and contents")
        truth = json.loads((work / f"{how}.truth").read_text())
        mpiio = harness.layer(harness.report(work / f"{how}.json"), "mpiio")
        for counter in ("opens", "closes", "writes", "bytes_written"):
            check.truth(truth[counter], mpiio[counter], f"{how}: {counter}")
check.end()
