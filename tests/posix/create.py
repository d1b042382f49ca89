# SPDX-License-Identifier: BSD-3-Clause
"""POSIX creation with a layout keeps open(2)'s every meaning: on stripefs or CephFS, against a bare run beside it.
usage: create.py [DIALECT]"""
import os
import shutil
import sys

import harness
import stripes

RULE = {"TOTO_HINTS": "*.dat:striping_factor=4:striping_unit=1048576"}
OURS = (4, 1048576)

dialect = sys.argv[1] if len(sys.argv) > 1 else "lustre"
program = harness.BUILT["programs"]["create"]
check = harness.Check()

with stripes.striped(dialect) as bed:
    mounted = bed.path

    def run(name, *words, toto=None, umask=0o022):
        folder = mounted / name
        folder.mkdir()
        if toto is not None:
            toto = {"TOTO_REPORT": f"{folder}.json", **toto}
        return harness.run_alone(program, *words, toto=toto, cwd=folder, umask=umask)

    for umask in (0o022, 0o027, 0o077):
        names = f"bare.{umask:o}", f"ours.{umask:o}"
        bare = run(names[0], "all", umask=umask)
        check.equal(0, bare.code, f"the bare run's exit code ({bare.err})")
        ours = run(names[1], "all", toto=RULE, umask=umask)
        check.same_run(bare, ours, names[1])
        check.equal(stripes.listing(mounted / names[0]), stripes.listing(mounted / names[1]),
                    f"{names[1]}: files, their modes and contents")

    report = harness.report(mounted / "ours.22.json")
    for file in ("open.644.dat", "excl.600.dat", "creat.640.dat", "open.444.dat", "append.dat", "w.dat", "a.dat",
                 "we.dat", "wt.dat", "wplus.dat", "wbplus.dat", "wx.dat", "sub/at.dat", "newtrunc.dat"):
        path = mounted / "ours.22" / file
        check.equal(OURS, stripes.layout(path), f"layout of {file}")
        found = harness.file_of(report, path)
        check.equal("verified", found and found.get("outcome", {}).get("status"), f"status of {file}")

    # What we made may be written to by others as soon as it is there: nobody cuts it off.
    if shutil.which("strace") is not None:
        (mounted / "traced").mkdir()
        trace = f"{mounted}.trace"
        done = harness.run(["strace", "-o", trace, "-e", "trace=open,openat,creat", "-E", f"LD_PRELOAD={harness.any_library()}",
                            *(word for k, v in RULE.items() for word in ("-E", f"{k}={v}")), program, "few"],
                           cwd=mounted / "traced")
        opened = [line for line in open(trace) if ".dat" in line and "O_WRONLY" in line]
        os.unlink(trace)
        if done.code == 0 and opened:  # not where tracing is forbidden
            check.equal([], [line for line in opened if "O_TRUNC" in line], "opens that cut off what we made")

    # A race has one creator; everybody finds the same file, with its layout.
    for how, expected in (("excl", "1 winners, 7 losers\n"), ("plain", "8 winners, 0 losers\n")):
        for turn in range(5):
            name = f"race.{how}.{turn}"
            done = run(name, "race", "8", how, toto=RULE)
            check.equal((0, expected, ""), (done.code, done.out, done.err), f"{name}: outcome")
            check.equal(["race.dat"], harness.entries(mounted / name), f"{name}: files")
            check.equal(OURS, stripes.layout(mounted / name / "race.dat"), f"{name}: layout")
            written = (mounted / name / "race.dat").read_bytes()
            if how == "plain":
                check.equal("".join(chr(ord("a") + i) * 16 for i in range(8)), written.decode(), f"{name}: contents")
            else:
                check.equal(16, len(written.strip(b"\0")), f"{name}: bytes of the one winner")

    # Refused: as without us, one warning for the folder.
    bare = run("bare.fail", "all")
    for error in ("EACCES", "EINVAL", "ENOSPC") if bed.faults else ():
        bed.fail(f"setlayout={error}")
        ours = run(f"fail.{error}", "all", toto=RULE)
        bed.fail("")
        check.equal((bare.code, bare.out), (ours.code, ours.out), f"{error}: outcome of each open")
        # One a folder: the program uses two.
        check.equal((2, 2), (len(ours.warnings), len(ours.toto_lines)), f"{error}: warnings: {ours.toto_lines}")
        check.equal(stripes.listing(mounted / "bare.fail"), stripes.listing(mounted / f"fail.{error}"),
                    f"{error}: files, their modes and contents")
check.end()
