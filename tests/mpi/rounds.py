# SPDX-License-Identifier: BSD-3-Clause
"""Statistics combined while the program runs: what it computes stays, what is reported is the truth, on one node and on
pretended ones, with rounds and without. usage: rounds.py BED RANKS"""
import os
import re
import sys

import harness
import recovery

bed, ranks = harness.Bed(sys.argv[1]), int(sys.argv[2])
check = harness.Check()
SHORT = {"TOTO_ANALYSIS_PERIOD": "20"}


def truth(out):
    """What the program itself says that it wrote: all worlds together."""
    lines = re.findall(r"(?:all|child) posix (\d+) (\d+) mpi (\d+) (\d+)", out)
    return [sum(int(line[i]) for line in lines) for i in range(4)]


def reported(reports):
    layers = [(harness.layer(report, "posix"), harness.layer(report, "mpiio")) for report in reports]
    return [sum(posix["writes"] - posix["mpi_writes"] for posix, _ in layers),
            sum(posix["bytes_written"] - posix["mpi_bytes_written"] for posix, _ in layers),
            sum(mpiio["writes"] for _, mpiio in layers), sum(mpiio["bytes_written"] for _, mpiio in layers)]


def run(place, mode, settings):
    return bed.run(ranks, bed.program("rounds"), mode, place.data, toto={**place.settings, **settings})


def sound(place, name, done, reports=1):
    """Ended well, and the reports (their number) tell the truth; nothing left."""
    check.equal(0, done.code, f"{name}: exit code ({done.err})")
    check.equal([], done.warnings, f"{name}: warnings")
    got = place.all_reports()
    check.equal(reports, len(got), f"{name}: reports")
    check.equal(truth(done.out), reported(got), f"{name}: writes and bytes")
    check.equal([], os.listdir(place.segments), f"{name}: segments left")
    return got[0] if got else None


def nodes_of(settings):
    width = int(settings.get("TOTO_RANKS_PER_NODE", ranks))
    return -(-ranks // width)


# Every mode on nodes of one rank; the plain one on all kinds of nodes.
one = {**SHORT, "TOTO_RANKS_PER_NODE": "1"}
jobs = [("plain", {**SHORT, "TOTO_RANKS_PER_NODE": "2"}), ("plain", SHORT), ("plain", {**one, "TOTO_ANALYSIS_PERIOD": "0"}),
        ("plain", {**one, "TOTO_ACCUMULATE_STATISTICS": "0"}), ("plain", one), ("pending", one), ("away", one), ("threads", one),
        ("halves", one), ("silent", one)]
for mode, settings in jobs:
    with recovery.place() as place:
        name = f"{mode} {settings}"
        report = sound(place, name, run(place, mode, settings))
        if report is None:
            continue
        check.equal((ranks, nodes_of(settings)), (report["job"]["ranks"], report["job"]["nodes"]), f"{name}: ranks and nodes")
        check.equal(False, report["partial"], f"{name}: partial")
        rounds = report.get("rounds", {}).get("count", 0)
        if nodes_of(settings) == 1 or settings["TOTO_ANALYSIS_PERIOD"] == "0" or mode == "silent":
            check.equal(0, rounds, f"{name}: rounds")
        else:
            check.that(rounds > 0, f"{name}: rounds happened", f"{rounds}")

# No messages of ours: every rank for itself.
with recovery.place() as place:
    sound(place, "no messages", run(place, "plain", {**one, "TOTO_COMBINE": "0"}), ranks)

# A rank that comes to MPI_Finalize long after the others' patience: they end well, and nothing is lost.
with recovery.place() as place:
    done = run(place, "late", {**one, "TOTO_FINALIZE_LIMIT": "1"})
    check.equal(0, done.code, f"late: exit code ({done.err})")
    place.wait_until(lambda: not place.processes())
    if os.listdir(place.segments):
        place.recover()
    check.equal(truth(done.out), reported(place.all_reports()), "late: writes and bytes")
    check.equal([], os.listdir(place.segments), "late: segments left")

# Rank 0 is killed inside MPI_Finalize, when it has everybody's numbers and has not written them: nothing is lost.
with recovery.place() as place:
    done = run(place, "gone", SHORT)
    check.that(done.code != 0, "gone: exit code")
    place.wait_until(lambda: not place.processes())
    if os.listdir(place.segments):
        recovered = place.recover()
        check.equal(0, recovered.code, f"gone: recovery ({recovered.err})")
    check.equal(truth(done.out), reported(place.all_reports()), "gone: writes and bytes")
    check.equal([True], [report["partial"] for report in place.all_reports()], "gone: partial")
    check.equal([], os.listdir(place.segments), "gone: segments left")

# A rank is killed: all nodes' segments make one report, and the last round is in it.
with recovery.place() as place:
    done = run(place, "killed", one)
    check.that(done.code != 0, "killed: exit code")
    check.equal(ranks, len(os.listdir(place.segments)), "killed: segments")
    place.wait_until(lambda: not place.processes())  # a launcher may end before its ranks
    recovered = place.recover()
    check.equal(0, recovered.code, f"killed: recovery ({recovered.err})")
    reports = place.all_reports()
    if check.equal(1, len(reports), f"killed: reports {os.listdir(place.reports)}"):
        check.equal(truth(done.out), reported(reports), "killed: writes and bytes")
        check.equal(True, reports[0]["partial"], "killed: partial")
        check.equal((ranks, ranks), (reports[0]["job"]["ranks"], reports[0]["job"]["nodes"]), "killed: ranks and nodes")
        last = reports[0].get("last_round", {})
        check.equal(ranks, last.get("nodes"), f"killed: nodes of the last round ({last})")
        told = last.get("layers", {}).get("mpiio", {}).get("bytes_written", 0)
        check.that(0 < told <= truth(done.out)[3], "killed: bytes of the last round", f"{told}")
    check.equal([], os.listdir(place.segments), "killed: segments left")
check.end()
