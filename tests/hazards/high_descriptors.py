# SPDX-License-Identifier: BSD-3-Clause
"""Descriptors that the kernel does not know (DAOS's interception library gives such) are left to who made them.
usage: high_descriptors.py LIBRARY"""
import sys

import harness

other = sys.argv[1]
program = harness.BUILT["programs"]["high_descriptors"]
check = harness.Check()

with harness.folder() as work:
    def run(name, *libraries):
        folder = work / name
        (folder / "daos").mkdir(parents=True)
        done = harness.run_alone(program, folder / "daos" / "file", folder / "plain", library=":".join(libraries),
                                 toto={"TOTO_PFS_PATHS": folder, "TOTO_REPORT": work / f"{name}.json"})
        check.equal((9, 9), tuple((folder / file).stat().st_size for file in ("daos/file", "plain")),
                    f"{name}: sizes of both files")
        return done

    alone = run("alone", other)
    check.equal((0, "", 1), (alone.code, alone.err, alone.out.count("high 1")), "the other library by itself")
    ours = harness.any_library()
    for name, libraries in (("behind us", (ours, other)), ("before us", (other, ours))):
        check.same_run(alone, run(name, *libraries), name)
        file = harness.file_of(harness.report(work / f"{name}.json"), work / name / "plain")
        check.that(file is not None, f"{name}: the other file is in the report")
check.end()
