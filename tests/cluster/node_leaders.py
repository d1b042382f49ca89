# SPDX-License-Identifier: BSD-3-Clause
"""Several hosts: one report that tells the truth of all ranks, a leader and a segment on each host, rounds between them, and
nothing left behind. usage: node_leaders.py BED"""
import re
import sys

import harness
import on_hosts

hosts = on_hosts.hosts()
bed = on_hosts.Bed(sys.argv[1], [host.name for host in hosts], 2)
check = harness.Check()
PROGRAM = bed.program("rounds")


def truth(out):
    """What the program says that it wrote: POSIX calls and bytes, MPI-IO calls and bytes."""
    return [int(number) for number in re.search(r"all posix (\d+) (\d+) mpi (\d+) (\d+)", out).groups()]


def reported(reports):
    layers = [(harness.layer(report, "posix"), harness.layer(report, "mpiio")) for report in reports]
    return [sum(posix["writes"] - posix["mpi_writes"] for posix, _ in layers), on_hosts.bytes_reported(reports),
            sum(mpiio["writes"] for _, mpiio in layers), sum(mpiio["bytes_written"] for _, mpiio in layers)]


def nothing_is_left(what, place):
    check.that(on_hosts.by_and_by(lambda: not on_hosts.marked(str(place.reports))), f"{what}: its processes have ended")
    check.equal({}, {host.name: host.segments() for host in hosts if host.segments()}, f"{what}: segments left")


for mode in ("plain", "away", "halves"):
    with on_hosts.place() as place:
        done = bed.run(bed.ranks, PROGRAM, mode, place.data, toto=place.settings)
        check.equal(0, done.code, f"{mode}: exit code ({done.err})")
        check.equal([], list(place.reports.glob("*.log")), f"{mode}: warnings")
        reports = place.all_reports()
        if check.equal(1, len(reports), f"{mode}: reports"):
            job = reports[0]["job"]
            check.equal((bed.ranks, len(hosts), False), (job["ranks"], job["nodes"], reports[0]["partial"]),
                        f"{mode}: ranks, nodes, partial")
            check.equal(truth(done.out), reported(reports), f"{mode}: writes and bytes")
            check.that(reports[0].get("rounds", {}).get("count", 0) > 0, f"{mode}: rounds happened")
        nothing_is_left(mode, place)

# Killed: what each host has is there to see, and its leader knew of all hosts.
with on_hosts.place() as place:
    done = bed.run(bed.ranks, PROGRAM, "killed", place.data, toto=place.settings)
    check.that(done.code != 0, "killed: exit code")
    check.that(on_hosts.by_and_by(lambda: not on_hosts.marked(str(place.reports))), "killed: its processes have ended")
    for host in hosts:
        check.equal(1, len(host.segments()), f"killed: segments on {host.name}: {host.segments()}")
        run = on_hosts.recover(host)
        check.equal(0, run.code, f"killed: recovery on {host.name} ({run.err})")
    reports = place.all_reports()
    check.equal(len(hosts), len(reports), "killed: a report a host")
    check.equal(truth(done.out), reported(reports), "killed: writes and bytes of all reports together")
    for report in reports:
        check.equal((True, bed.ranks, len(hosts)), (report["partial"], report["job"]["ranks"], report["job"]["nodes"]),
                    "killed: partial, ranks, nodes")
        last = report.get("last_round", {})
        check.equal(len(hosts), last.get("nodes"), f"killed: nodes of the last round ({last})")
    nothing_is_left("killed", place)

# One folder for the segments of all hosts: they keep apart in it, and their recovery is one report.
with on_hosts.place() as place, harness.folder() as shared:
    settings = {**place.settings, "TOTO_SEGMENT_DIR": shared}
    done = bed.run(bed.ranks, PROGRAM, "plain", place.data, toto=settings)
    check.equal(truth(done.out), reported(place.all_reports()), "a shared folder: writes and bytes")
    check.equal([], harness.entries(shared), "a shared folder: segments left")
with on_hosts.place() as place, harness.folder() as shared:
    done = bed.run(bed.ranks, PROGRAM, "killed", place.data, toto={**place.settings, "TOTO_SEGMENT_DIR": shared})
    on_hosts.by_and_by(lambda: not on_hosts.marked(str(place.reports)))
    check.equal(len(hosts), len(harness.entries(shared)), "a shared folder, killed: segments")
    run = harness.run([harness.BUILT["toto"], "report", "--recover"], env={"TOTO_SEGMENT_DIR": str(shared)})
    check.equal(0, run.code, f"a shared folder, killed: recovery ({run.err})")
    reports = place.all_reports()
    # MPICH's launcher gives a job no name that its hosts have in common.
    check.equal((truth(done.out), 1 if bed.is_open_mpi else len(hosts)), (reported(reports), len(reports)),
                "a shared folder, killed: writes and bytes, and reports")

# LD_PRELOAD exported, and Open MPI's mpirun not told to hand it on (-x): the ranks on its own node have the library, the others
# not. The job runs as it would without, and those that have it are measured.
if bed.is_open_mpi:
    partly = on_hosts.Bed(sys.argv[1], ["login", "host1"], 2)
    with on_hosts.place() as place:
        done = partly.run(4, PROGRAM, "plain", place.data, toto=place.settings, by="launcher")
        check.equal(0, done.code, f"not handed on: exit code ({done.err})")
        said = [path.read_text() for path in place.reports.glob("*.log")]
        check.that(any("not every rank" in text for text in said), "not handed on: it is said", said)
        reports = place.all_reports()
        check.equal(2, len(reports), "not handed on: a report of each rank that has the library")
        own = sum((place.data / f"own.{rank}").stat().st_size for rank in (0, 1))
        check.equal(own, on_hosts.bytes_reported(reports), "not handed on: their bytes")
        nothing_is_left("not handed on", place)
check.end()
