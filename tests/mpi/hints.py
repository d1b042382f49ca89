# SPDX-License-Identifier: BSD-3-Clause
"""Hints of the user reach the MPI library, the program's own win unless told otherwise, its MPI_Info stays as it was.
usage: hints.py BED RANKS"""
import sys

import harness

RULES = "*:cb_nodes=1:striping_unit=2097152:romio_ds_write=disable"
OWN = {"cb_nodes": "2", "romio_ds_write": "enable", "of_the_program": "kept as it is"}

bed, ranks = harness.Bed(sys.argv[1]), int(sys.argv[2])
check = harness.Check()
reads_romio_keys = bed.io != "ompio"


def pairs(run, whose):
    return dict(line.split(" ", 1)[1].split("=", 1) for line in run.out.splitlines()
                if line.startswith(whose + " ") and "=" in line)


def with_hints(work, name, own, **settings):
    toto = {"TOTO_PFS_PATHS": work, "TOTO_REPORT": f"{work}/{name}.json", "TOTO_STRIPE_COUNT_TUNING": "0", **settings}
    run = bed.run(ranks, bed.program("hints"), work / name, *(f"{k}={v}" for k, v in own.items()), toto=toto)
    check.equal(0, run.code, f"{name}: exit code ({run.err})")
    check.equal([], run.toto_lines, f"{name}: messages")
    check.equal(own, pairs(run, "program"), f"{name}: the program's MPI_Info afterwards")
    reported = harness.file_of(harness.report(f"{work}/{name}.json"), work / name)
    hints = {hint["key"]: hint for hint in reported["outcome"]["hints"]}
    return pairs(run, "file"), hints


def reported(name, hints, key, value, origin, statuses):
    if check.that(key in hints, f"{name}: the report has {key}", f"it has {sorted(hints)}"):
        got = hints[key]
        check.equal((value, origin), (got["value"], got["origin"]), f"{name}: {key} in the report")
        check.that(got["status"] in statuses, f"{name}: status of {key} in the report",
                   f"expected one of {statuses}, got {got['status']}")


with harness.folder() as work:
    bare = bed.run(ranks, bed.program("hints"), work / "bare", *(f"{k}={v}" for k, v in OWN.items()))
    check.equal(OWN, pairs(bare, "program"), "bare: the program's MPI_Info afterwards")
    plain, _ = with_hints(work, "nothing", OWN, TOTO_HINTS="*.other:cb_nodes=1")
    check.equal(pairs(bare, "file"), plain, "without a rule for this file the library's hints are as without us")

    told = {"applied"} if not bed.is_open_mpi else {"requested"}
    file, hints = with_hints(work, "alone", {}, TOTO_HINTS=RULES)
    check.equal("1", file.get("cb_nodes"), "alone: cb_nodes of the open file")
    check.equal("2097152", file.get("striping_unit"), "alone: striping_unit of the open file")
    reported("alone", hints, "cb_nodes", "1", "user-fill", told)
    if reads_romio_keys:
        check.equal("disable", file.get("romio_ds_write"), "alone: romio_ds_write of the open file")
        reported("alone", hints, "romio_ds_write", "disable", "user-fill", told)
    else:
        check.that("romio_ds_write" not in file, "alone: OMPIO is not given a hint that it does not read", file)
        reported("alone", hints, "romio_ds_write", "disable", "user-fill", {"ignored"})

    file, hints = with_hints(work, "fill", OWN, TOTO_HINTS=RULES)
    # MPICH uses at most one aggregator a node: what the program's own value gives is known from the bare run.
    check.equal(pairs(bare, "file").get("cb_nodes"), file.get("cb_nodes"), "fill: the program's cb_nodes wins")
    check.equal("enable", file.get("romio_ds_write"), "fill: the program's romio_ds_write wins")
    check.equal("2097152", file.get("striping_unit"), "fill: what the program left open is filled")
    reported("fill", hints, "cb_nodes", "2", "program", {"kept"})

    file, hints = with_hints(work, "override", OWN, TOTO_HINTS=RULES, TOTO_HINTS_MODE="override")
    check.equal("1", file.get("cb_nodes"), "override: the user's cb_nodes wins")
    if reads_romio_keys:
        check.equal("disable", file.get("romio_ds_write"), "override: the user's romio_ds_write wins")
    check.equal("2097152", file.get("striping_unit"), "override: striping_unit")
    reported("override", hints, "cb_nodes", "1", "user-override", told)

    if bed.io == "ompio":
        verbose = bed.run(ranks, bed.program("hints"), work / "verbose",
                          toto={"TOTO_PFS_PATHS": work, "TOTO_HINTS": RULES},
                          launcher_words=["--mca", "io_ompio_verbose_info_parsing", "1"])
        check.that("cb_nodes" in verbose.out.replace("file cb_nodes", "") + verbose.err,
                   "OMPIO says that it took cb_nodes", verbose.out + verbose.err)
check.end()
