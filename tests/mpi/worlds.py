# SPDX-License-Identifier: BSD-3-Clause
"""Jobs of several worlds, or of none: spawned processes, which have a world of their own, and sessions without MPI_Init.
usage: worlds.py BED spawn|sessions"""
import os
import re
import sys

import harness
import recovery

bed, what = harness.Bed(sys.argv[1]), sys.argv[2]
check = harness.Check()
TCP = {"OMPI_MCA_btl": "^openib"}  # spawned processes of Open MPI talk to their parents by it


def total(reports, layer, counter, less=None):
    layers = [harness.layer(report, layer) for report in reports]
    return sum(one[counter] - (one[less] if less else 0) for one in layers)


with recovery.place() as place:
    if what == "spawn":
        bare = bed.run(2, bed.program("rounds"), "spawn", place.data, env=TCP)
        if bare.code != 0:
            harness.skip(f"this MPI does not spawn here: {bare.err}")
        for name, settings in (("one node", {}), ("nodes of one", {"TOTO_RANKS_PER_NODE": "1"})):
            with recovery.place() as fresh:
                done = bed.run(2, bed.program("rounds"), "spawn", fresh.data, by="launcher", env=TCP,
                               toto={**fresh.settings, **settings, "TOTO_ANALYSIS_PERIOD": "20"})
                check.equal(0, done.code, f"{name}: exit code ({done.err})")
                worlds = re.findall(r"posix (\d+) (\d+)", done.out)
                check.equal(2, len(worlds), f"{name}: worlds that said something ({done.out})")
                reports = fresh.all_reports()
                check.equal(2, len(reports), f"{name}: reports, one a world: {os.listdir(fresh.reports)}")
                for i, counter in enumerate(("writes", "bytes_written")):
                    check.equal(sorted(int(world[i]) for world in worlds),
                                sorted(total([report], "posix", counter) for report in reports), f"{name}: {counter}")
                check.equal([], os.listdir(fresh.segments), f"{name}: segments left")
    else:
        program = bed.program("sessions")
        bare = bed.run(2, program, place.data)
        check.equal(0, bare.code, f"the bare run's exit code ({bare.err})")
        done = bed.run(2, program, place.data, toto=place.settings)
        check.equal((0, bare.out, bare.err), (done.code, done.out, done.err), "exit code and output")
        reports = place.all_reports()
        check.equal(1, len(reports), f"reports: {os.listdir(place.reports)}")
        check.equal((2, 1000), (total(reports, "posix", "writes", "mpi_writes"),
                                total(reports, "posix", "bytes_written", "mpi_bytes_written")), "the program's own writes")
        files = 2 if "opened: 1" in bare.out else 0
        check.equal((files, files * 500), (total(reports, "mpiio", "writes"), total(reports, "mpiio", "bytes_written")),
                    "MPI-IO")
        check.equal([], os.listdir(place.segments), "segments left")
check.end()
