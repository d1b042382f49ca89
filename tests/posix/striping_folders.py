# SPDX-License-Identifier: BSD-3-Clause
"""POSIX creation on a BeeGFS that refuses layouts by ioctl: files come from the folders made beforehand, and
open(2) keeps its every meaning. On stripefs, against a bare run beside it.
usage: striping_folders.py"""
import os

import harness
import stripes

program = harness.BUILT["programs"]["create"]
check = harness.Check()

with harness.stripefs("all", 8, "--subtype", "beegfs") as mounted:
    toto = {"TOTO_HINTS": "*.dat:striping_factor=4", "TOTO_BEEGFS_STRIPING_PREFIX": mounted / "striped",
            "TOTO_BEEGFS_STRIPING_SUFFIX": "s"}
    for count in (2, 4):
        folder = mounted / "striped" / f"s_{count}"
        folder.mkdir(parents=True)
        stripes.set_folder_stripes(folder, count, 512 << 10)

    def run(name, *words, toto=None, umask=0o022):
        folder = mounted / name
        folder.mkdir()
        if toto is not None:
            toto = {"TOTO_REPORT": f"{folder}.json", **toto}
        return harness.run_alone(program, *words, toto=toto, cwd=folder, umask=umask)

    for umask in (0o022, 0o077):
        names = f"bare.{umask:o}", f"ours.{umask:o}"
        os.setxattr(mounted, "stripefs.fail", b"")
        bare = run(names[0], "all", umask=umask)
        check.equal(0, bare.code, f"the bare run's exit code ({bare.err})")
        os.setxattr(mounted, "stripefs.fail", b"setlayout=ENOTTY")
        ours = run(names[1], "all", toto=toto, umask=umask)
        check.same_run(bare, ours, names[1])
        check.equal(stripes.listing(mounted / names[0]), stripes.listing(mounted / names[1]),
                    f"{names[1]}: files, their modes and contents")
    report = harness.report(mounted / "ours.22.json")
    for file in ("open.644.dat", "excl.600.dat", "open.444.dat", "sub/at.dat"):
        path = mounted / "ours.22" / file
        check.equal((4, 512 << 10), stripes.told_layout(path), f"layout of {file}")
        found = harness.file_of(report, path)
        check.equal("verified", found and found.get("outcome", {}).get("status"), f"status of {file}")

    for how, expected in (("excl", "1 winners, 7 losers\n"), ("plain", "8 winners, 0 losers\n")):
        for turn in range(5):
            name = f"race.{how}.{turn}"
            done = run(name, "race", "8", how, toto=toto)
            check.equal((0, expected, ""), (done.code, done.out, done.err), f"{name}: outcome")
            check.equal(["race.dat"], harness.entries(mounted / name), f"{name}: files")
            check.equal((4, 512 << 10), stripes.told_layout(mounted / name / "race.dat"), f"{name}: layout")
    # The widest folder need not be all targets.
    done = run("widest", "few", toto={**toto, "TOTO_HINTS": "*.dat:striping_factor=all"})
    check.equal(0, done.code, f"widest: exit code ({done.err})")
    widest = [one["outcome"]["status"] for one in harness.report(mounted / "widest.json")["files"] if one.get("outcome")]
    check.that(widest and "verified" not in widest and "differs" in widest, "widest: status", widest)
    # A folder on another file system is of no use, and nothing is made there.
    with harness.folder() as elsewhere:
        (elsewhere / "s_4").mkdir()
        done = run("elsewhere", "race", "1", "plain", toto={**toto, "TOTO_BEEGFS_STRIPING_PREFIX": elsewhere})
        check.equal((0, "1 winners, 0 losers\n"), (done.code, done.out), "elsewhere: outcome")
        check.equal([], harness.entries(elsewhere / "s_4"), "elsewhere: nothing is made")
    # What cannot be meant is said once, and the program goes on.
    for name, wrong, words in (
            ("relative", {"TOTO_BEEGFS_STRIPING_PREFIX": "striped"}, "no absolute path"),
            ("two", {"TOTO_BEEGFS_STRIPING_SUFIX": "t"}, "differ: the former is used")):
        done = run(name, "race", "1", "plain", toto={**toto, **wrong})
        check.equal((0, "1 winners, 0 losers\n"), (done.code, done.out), f"{name}: outcome")
        check.equal(1, len([line for line in done.warnings if words in line]), f"{name}: warnings {done.warnings}")
    check.equal(["s_2", "s_4"], harness.entries(mounted / "striped"), "nothing is left in the folders")
check.end()
