# SPDX-License-Identifier: BSD-3-Clause
"""Another preload library is called before us or after us as it would be without us, and both count all.
usage: other_preload.py LIBRARY"""
import sys

import harness

other = sys.argv[1]
program = harness.BUILT["programs"]["two_writes"]
check = harness.Check()

with harness.folder() as work:
    def run(name, *libraries):
        folder = work / name
        folder.mkdir()
        done = harness.run_alone(program, folder / "file", toto={"TOTO_PFS_PATHS": folder, "TOTO_REPORT": work / f"{name}.json"},
                                 library=":".join(libraries))
        check.equal(b"abcdefgh", (folder / "file").read_bytes(), f"{name}: what was written")
        return done

    alone = run("alone", other)
    check.equal((0, "other: 2 writes, 2 fwrites, 1 opens\n"), (alone.code, alone.err), "the other library by itself")
    for name, libraries in (("behind us", (harness.any_library(), other)), ("before us", (other, harness.any_library()))):
        check.same_run(alone, run(name, *libraries), name)
    counted = harness.layer(harness.report(work / "behind us.json"), "posix")
    check.equal((2, 4), (counted["writes"], counted["bytes_written"]), "behind us: writes that we counted")
    check.equal(2, harness.layer(harness.report(work / "behind us.json"), "stdio")["writes"], "behind us: fwrites")
check.end()
