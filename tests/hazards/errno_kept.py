# SPDX-License-Identifier: BSD-3-Clause
"""Calls that succeed leave errno as they do without us: files that are watched, and streams that have no file.
usage: errno_kept.py"""
import harness

program = harness.BUILT["programs"]["errno_kept"]
check = harness.Check()

with harness.folder() as work:
    def run(name, toto):
        folder = work / name
        folder.mkdir()
        return harness.run_alone(program, "file", toto=toto, cwd=folder)

    bare = run("bare", None)
    check.equal(0, bare.code, f"the bare run's exit code ({bare.err})")
    check.that("open_memstream, errno 0: fprintf(stream, \"%d\", 1) = 1, errno 0" in bare.out,
               "the C library by itself keeps errno", bare.out)
    settings = {"unwatched": {}, "watched": {"TOTO_PFS_PATHS": work},
                "reported": {"TOTO_PFS_PATHS": work, "TOTO_REPORT": work / "report.json"}}
    for name, toto in settings.items():
        check.same_run(bare, run(name, toto), name)
    counted = harness.layer(harness.report(work / "report.json"), "posix")
    check.that(counted, "the watched file was counted")
check.end()
