# SPDX-License-Identifier: BSD-3-Clause
"""The library built for another MPI: the program runs as without it, and is told once. usage: wrong_mpi.py BED"""
import sys

import harness
import stripes

bed = harness.Bed(sys.argv[1])
check = harness.Check()
others = [built["library"] for built in harness.BUILT["mpis"].values() if built["kind"] != bed.built["kind"]]
if not others:
    harness.skip("there is one kind of MPI only")

for label, toto in (("no setting", {}), ("report", {"TOTO_REPORT": "report.json", "TOTO_PFS_PATHS": "/tmp"})):
    with harness.folder() as work:
        for name in ("bare", "ours", "calls.bare", "calls.ours"):
            (work / name).mkdir()
        scenarios = ["create:file", "exclusive:file", "self:own", "subset:part", "read_only:missing"]
        bare = bed.run(2, bed.program("layout"), *scenarios, cwd=work / "bare")
        check.equal(0, bare.code, f"{label}: the bare run's exit code ({bare.err})")
        toto = {k: str(work / v) if k == "TOTO_REPORT" else v for k, v in toto.items()}
        ours = bed.run(2, bed.program("layout"), *scenarios, cwd=work / "ours", toto=toto, library=others[0])
        check.equal((bare.code, bare.out), (ours.code, ours.out), f"{label}: exit code and output")
        check.equal(bare.err, ours.err_without_toto, f"{label}: the program's own messages")
        check.equal(1, len(ours.toto_lines), f"{label}: warnings: {ours.toto_lines}")
        check.equal(stripes.listing(work / "bare"), stripes.listing(work / "ours"), f"{label}: files and contents")
        if label == "no setting":  # every wrapped call is handed on right, with the other library's types
            left_out = {"LEAVE_OUT": ",iread_all,iread_at_all,iwrite_all,iwrite_at_all,"}
            runs = [bed.run(2, bed.program("every_call"), work / name / "file", work / "truth", work / "called",
                            toto=toto, library=others[0], env=left_out)
                    for name, toto in (("calls.bare", None), ("calls.ours", toto))]
            check.equal((0, runs[0].err), (runs[1].code, runs[1].err_without_toto), "every call by the wrong build")
check.end()
