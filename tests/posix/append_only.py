# SPDX-License-Identifier: BSD-3-Clause
"""In a folder to which names may only be added (chattr +a), where a file made beforehand would keep its first name, none is made
beforehand: each new file has one name. On the disk's own file system, taken for Lustre."""
import os
import shutil

import harness

program = harness.BUILT["programs"]["create"]
check = harness.Check()

if shutil.which("chattr") is None:
    harness.skip("chattr is missing")
with harness.folder() as work:
    def run(name, toto=None):
        folder = work / name
        folder.mkdir()
        if harness.run(["chattr", "+a", folder]).code != 0:
            harness.skip("the file system has no folders to which names may only be added, or this user makes none")
        try:
            return harness.run_alone(program, "few", toto=toto, cwd=folder), sorted(os.listdir(folder))
        finally:
            harness.run(["chattr", "-a", folder])

    bare, ours = run("bare"), run("ours", {"TOTO_PFS_PATHS": f"{work}=lustre", "TOTO_HINTS": "*:striping_factor=2"})
    check.equal(0, bare[0].code, f"the bare run's exit code ({bare[0].err})")
    check.equal((bare[0].code, bare[0].out, bare[1]), (ours[0].code, ours[0].out, ours[1]), f"outcomes and names ({ours[0].err})")
    check.equal(1, len(ours[0].toto_lines), f"one message: {ours[0].toto_lines}")
check.end()
