# SPDX-License-Identifier: BSD-3-Clause
"""A mount that answers no more, somewhere on the node: programs that do not touch it never notice. Every look at it would
hang for ever. usage: dead_mount.py"""
import os
import pathlib
import signal

import harness


def server_of(mount):
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if str(mount).encode() in words and b"stripefs" in words[0]:
            return int(entry.name)
    return None


check = harness.Check()
program = harness.BUILT["programs"]["two_writes"]
with harness.stripefs() as dead, harness.folder() as work:
    server = server_of(dead)
    if not check.that(server, "the server of the mount is found"):
        check.end()
    os.kill(server, signal.SIGSTOP)
    try:
        bare = harness.run_alone(program, work / "bare", timeout=30)
        for label, toto in (("no setting", {}), ("report", {"TOTO_REPORT": work / "report.json"}),
                            ("watched", {"TOTO_PFS_PATHS": work, "TOTO_REPORT": work / "report.json"}),
                            ("dead one is watched", {"TOTO_PFS_PATHS": f"{dead}:{work}", "TOTO_REPORT": work / "report.json"})):
            ours = harness.run_alone(program, work / "file", toto=toto, timeout=30)
            check.bare((bare.code, bare.out, bare.err), (ours.code, ours.out, ours.err_without_toto), label)
            check.bare((work / "bare").read_bytes(), (work / "file").read_bytes(), f"{label}: what was written")
        check.truth(4, harness.layer(harness.report(work / "report.json"), "posix")["bytes_written"], "bytes counted")
        for command in (["ls", "-l", work], ["bash", "-c", f"cd {work}; echo x > y; cat y"], ["python3", "-c", "print(1)"]):
            check.same_run(harness.run_alone(*command, timeout=30), harness.run_alone(*command, toto={}, timeout=30), str(command))
    finally:
        os.kill(server, signal.SIGCONT)
check.end()
