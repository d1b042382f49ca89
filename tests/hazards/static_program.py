# SPDX-License-Identifier: BSD-3-Clause
"""A static program runs as without us, and toto run says that nothing of it can be seen. usage: static_program.py PROGRAM"""
import sys

import harness

check = harness.Check()
program = sys.argv[1]
with harness.folder() as work:
    def run(how, words, env=None):
        (work / how).mkdir()
        return harness.run([*words, program, work / how / "file"], env=env)

    bare = run("bare", [])
    check.equal(0, bare.code, f"the bare run's exit code ({bare.err})")
    check.same_run(bare, run("ours", [], {"LD_PRELOAD": harness.any_library(), "TOTO_PFS_PATHS": str(work)}), "preloaded")
    by_command = run("command", [harness.BUILT["toto"], "run", "--pfs-paths", work, "--report", work / "report.json", "--"])
    check.bare((bare.code, bare.out), (by_command.code, by_command.out), "toto run: exit code and output")
    check.that("static" in by_command.err, "toto run says that the program is static", by_command.err)
    for how in ("bare", "ours", "command"):
        check.bare((work / "bare/file").read_bytes(), (work / how / "file").read_bytes(), f"{how}: what was written")
check.end()
