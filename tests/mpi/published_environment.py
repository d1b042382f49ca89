# SPDX-License-Identifier: BSD-3-Clause
"""The environment of the published TOTO's overhead study works as it is: its `export` lines word for word, but for
the paths. No complaint, and each variable has its documented effect.
usage: published_environment.py BED RANKS"""
import os
import sys

import harness
import stripes

bed, ranks = harness.Bed(sys.argv[1]), int(sys.argv[2])
check = harness.Check()


def published(beegfs, execution, period=250):
    return {
        "TOTO_PFS_PATHS": beegfs,
        "TOTO_LOG_LEVEL": "ERROR",
        "TOTO_LOG_TO_STDOUT": "0",
        "TOTO_BEEGFS_STRIPING_PREFIX": beegfs / "user",
        "TOTO_BEEGFS_STRIPING_SUFIX": "ior",
        "TOTO_LOGS_FOLDER": execution,
        "TOTO_ANALYSIS_PERIOD": period,
    }


def run(beegfs, execution, name):
    output = beegfs / "user" / "ior" / name
    done = bed.run(ranks, bed.program("layout"), f"create:{output}", f"create:{execution / 'elsewhere'}",
                   toto=published(beegfs, execution), cwd=execution)
    check.equal((0, "create 0 0\ncreate 0 0\n"), (done.code, done.out), f"{name}: exit code and standard output")
    check.equal([], done.toto_lines, f"{name}: complaints")
    reports = sorted(execution.glob("*.json"))
    if not check.equal(1, len(reports), f"{name}: reports in TOTO_LOGS_FOLDER: {harness.entries(execution)}"):
        return output, None, {}
    report = harness.report(reports[0])
    reports[0].unlink()
    check.equal([], report["warnings"], f"{name}: warnings in the report")
    found = harness.file_of(report, output)
    check.that(found is not None, f"{name}: the file below TOTO_PFS_PATHS is watched")
    check.equal(None, harness.file_of(report, execution / "elsewhere"), f"{name}: the file elsewhere is not")
    settings = {one["name"]: one["value"] for one in report["settings"]}
    for variable, value in published(beegfs, execution).items():
        if variable not in settings:
            check.that(variable == "TOTO_LOG_TO_STDOUT", f"{name}: {variable} is in the report")
            continue
        check.equal(str(value).lower(), settings[variable].lower(), f"{name}: {variable} in the report")
    return output, report, found.get("outcome", {}) if found else {}


# A BeeGFS that takes layouts by its ioctl: the folders of the published tool are not needed.
with harness.stripefs("beegfs", 8) as beegfs, harness.folder() as execution:
    (beegfs / "user" / "ior").mkdir(parents=True)
    output, report, outcome = run(beegfs, execution, "output.ior")
    check.equal(("verified", 8), (outcome.get("status"), stripes.told_layout(output)[0]), "by the ioctl: layout")
    found = harness.file_of(report, output) if report else {}
    check.equal("beegfs", found.get("file_system"), "recognised without a type in TOTO_PFS_PATHS")
    check.equal(["user", "user/ior", "user/ior/output.ior"], harness.entries(beegfs), "nothing else is there")

# One that refuses them: files come from the folders PREFIX/SUFIX_<count>.
with harness.stripefs("all", 8, "--subtype", "beegfs") as beegfs, harness.folder() as execution:
    folders = ["ior", "ior_1", "ior_4", "ior_8"]
    for folder in folders:
        (beegfs / "user" / folder).mkdir(parents=True)
        if folder != "ior":
            stripes.set_folder_stripes(beegfs / "user" / folder, int(folder[4:]), 512 << 10)
    os.setxattr(beegfs, "stripefs.fail", b"setlayout=ENOTTY")
    output, report, outcome = run(beegfs, execution, "output.ior")
    check.equal((8, 512 << 10), stripes.told_layout(output), "by the folders: layout")
    # The number of stripes is as asked; the chunk size, which a folder's name does not tell, may differ.
    check.that(outcome.get("status") in ("verified", "differs"), "by the folders: status", outcome)
    check.equal(8, outcome.get("obtained", {}).get("stripe_count"), "by the folders: stripes in the report")
    check.equal(sorted(["user", *(f"user/{folder}" for folder in folders), "user/ior/output.ior"]),
                harness.entries(beegfs), "the file is where the program asked for it, and nothing else")
    # Without them: as without us, and nothing is said below the level ERROR.
    for folder in folders[1:]:
        (beegfs / "user" / folder).rmdir()
    # (The refusal is a warning, which the report counts.)
    done = bed.run(ranks, bed.program("layout"), f"create:{beegfs / 'user' / 'ior' / 'second.ior'}",
                   toto=published(beegfs, execution), cwd=execution)
    check.equal((0, "create 0 0\n", []), (done.code, done.out, done.toto_lines), "without the folders")
    check.equal(1, stripes.told_layout(beegfs / "user" / "ior" / "second.ior")[0], "without the folders: layout")
check.end()
