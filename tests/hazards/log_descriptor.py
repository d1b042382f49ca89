# SPDX-License-Identifier: BSD-3-Clause
"""A program that closes descriptors that are not its own gets their numbers for its files: these then hold its bytes
only, no line of the log; on stripefs, whose refusals make for warnings before and after. usage: log_descriptor.py"""
import os

import harness
import stripes

program = harness.BUILT["programs"]["log_descriptor"]
check = harness.Check()

with harness.stripefs("lustre", 8) as mounted, harness.folder() as work:
    def run(name, toto):
        for folder in ("", "data", "one", "two"):
            (mounted / name / folder).mkdir()
        return harness.run_alone(program, "data", "one/file", "two/file", toto=toto, cwd=mounted / name)

    logs = work / "logs"
    logs.mkdir()
    bare = run("bare", None)
    check.equal(0, bare.code, f"the bare run's exit code ({bare.err})")
    os.setxattr(mounted, "stripefs.fail", b"setlayout=EACCES")
    ours = run("ours", {"TOTO_HINTS": "*:striping_factor=2:striping_unit=1048576", "TOTO_LOGS_FOLDER": logs,
                        "TOTO_SUMMARY": "0"})
    os.setxattr(mounted, "stripefs.fail", b"")
    check.equal((bare.code, bare.out), (ours.code, ours.out), f"exit code and output ({ours.err})")
    check.equal(stripes.listing(mounted / "bare"), stripes.listing(mounted / "ours"), "files, their modes and contents")
    logged = "".join(path.read_text() for path in logs.iterdir() if path.suffix != ".json")
    for folder in ("one", "two"):
        check.that(f"{mounted}/ours/{folder}" in logged, f"the log tells the refusal in {folder}", logged)
check.end()
