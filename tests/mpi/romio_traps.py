# SPDX-License-Identifier: BSD-3-Clause
"""What goes wrong with ROMIO's hints does not go wrong with us (docs/mpi-hints.md, "Traps"); on stripefs as Lustre.
usage: romio_traps.py BED RANKS"""
import sys

import harness
import stripes

BYTES = 65536

bed, ranks = harness.Bed(sys.argv[1]), int(sys.argv[2])
check = harness.Check()


def run(mounted, name, own=(), **toto):
    path = mounted / name
    done = bed.run(ranks, bed.program("romio_traps"), path, *own, toto={"TOTO_REPORT": f"{path}.json", **toto})
    check.equal((0, []), (done.code, done.toto_lines), f"{name}: exit code, messages ({done.err})")
    report = harness.report(f"{path}.json")
    found = harness.file_of(report, path)
    contents = b"".join(bytes([ord("a") + rank]) * BYTES for rank in range(ranks)) * 2
    check.that(path.read_bytes() == contents, f"{name}: contents")
    for layer in ("mpiio", "posix"):
        check.equal(len(contents), harness.layer(report, layer)["bytes_written"], f"{name}: bytes written, {layer}")
    hints = {hint["key"]: (hint["value"], hint["origin"]) for hint in found.get("outcome", {}).get("hints", [])}
    return stripes.lustre_layout(path), hints


with harness.stripefs("lustre", 8) as mounted:
    # A unit without a factor: not a stripe on every target, but the folder's number of stripes.
    layout, hints = run(mounted, "unit.rule", TOTO_STRIPE_COUNT_TUNING="0", TOTO_HINTS="*:striping_unit=2097152")
    check.equal((1, 2097152), layout, "a rule's striping_unit alone: layout")
    check.that("striping_unit" not in hints, "a rule's striping_unit alone is not handed to the MPI library", hints)
    layout, _ = run(mounted, "unit.program", ["striping_unit=2097152"], TOTO_STRIPE_COUNT_TUNING="0", TOTO_HINTS="*:cb_nodes=1")
    check.equal((1, 2097152), layout, "the program's striping_unit alone: layout")
    layout, hints = run(mounted, "unit.prior", ["striping_unit=2097152"])
    check.equal(2097152, layout[1], "the program's striping_unit alone, rules built in: size")
    if bed.io != "ompio" and "striping_factor" in hints:
        check.equal((str(layout[0]), "prior"), hints["striping_factor"], "... the count that is decided goes with it")

    # More aggregators than stripes: ROMIO has to be told how many may share a stripe.
    layout, hints = run(mounted, "ratio", ["cb_nodes=5", "striping_factor=2"])
    check.equal(2, layout[0], "cb_nodes above the stripes: layout")
    check.equal(("3", "program") if bed.io != "ompio" else None, hints.get("romio_lustre_co_ratio"), "romio_lustre_co_ratio")
    _, hints = run(mounted, "ratio.own", ["cb_nodes=5", "striping_factor=2", "romio_lustre_co_ratio=1"])
    check.equal(("1", "program"), hints.get("romio_lustre_co_ratio"), "the program's own romio_lustre_co_ratio")
    _, hints = run(mounted, "ratio.less", ["cb_nodes=2", "striping_factor=2"])
    check.that("romio_lustre_co_ratio" not in hints, "no romio_lustre_co_ratio where a stripe has one aggregator", hints)

    # Files opened by the aggregators only, until another rank writes on its own: the same bytes in file and report.
    layout, hints = run(mounted, "no_indep", ["romio_no_indep_rw=true", "striping_factor=4"])
    check.equal(4, layout[0], "romio_no_indep_rw: layout")
    check.equal(("true", "program"), hints.get("romio_no_indep_rw"), "romio_no_indep_rw stays the program's")
    _, hints = run(mounted, "no_hint")
    check.that("romio_no_indep_rw" not in hints, "romio_no_indep_rw is never ours", hints)

# A prime number of targets: a prime number of stripes would leave ROMIO a single aggregator.
with harness.stripefs("lustre", 7) as mounted:
    for turn in range(2):  # the second knows how the first was used
        layout, _ = run(mounted, f"prime.{turn}")
        check.that(layout[0] in (1, 2, 4, 6), f"stripes of 7 targets, file {turn}", layout)
check.end()
