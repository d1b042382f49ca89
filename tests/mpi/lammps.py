# SPDX-License-Identifier: BSD-3-Clause
"""An unmodified program of the distribution: what the report says that LAMMPS wrote by MPI-IO is the size of its dumps, to
the byte, and they are shared files of one family. usage: lammps.py BED RANKS"""
import os
import shutil
import sys

import harness

bed, ranks = harness.Bed(sys.argv[1]), int(sys.argv[2])
check = harness.Check()
program = shutil.which("lmp")
if program is None:
    harness.skip("lmp is not installed (package lammps)")
script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "demo", "melt.lmp")
STEPS = 3
with harness.folder() as folder:
    report_path = os.path.join(folder, "report.json")
    data = os.path.join(folder, "data")
    os.mkdir(data)
    done = bed.run(ranks, program, "-log", "none", "-in", script, "-var", "n", "12", "-var", "steps", str(STEPS), "-var", "out", data,
                   toto={"TOTO_PFS_PATHS": data, "TOTO_REPORT": report_path, "TOTO_ANALYSIS_PERIOD": "50"})
    check.equal(0, done.code, f"exit code ({done.err})")
    report = harness.report(report_path)
    sizes = {name: os.path.getsize(os.path.join(data, name)) for name in os.listdir(data)}
    check.equal(STEPS + 1, len(sizes), "dumps")
    check.equal(sum(sizes.values()), harness.layer(report, "mpiio")["bytes_written"], "bytes written by MPI-IO")
    check.equal(ranks, report["job"]["ranks"], "ranks")
    families = [family for family in report["families"] if family["name"].endswith("dump.#.mpiio.bin")]
    check.equal(1, len(families), "families of the dumps")
    check.equal("shared" if ranks > 1 else "serial", families[0]["sharing"], "how they are used")
    check.equal(STEPS + 1, families[0]["files"], "files of the family")
check.end()
