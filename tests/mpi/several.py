# SPDX-License-Identifier: BSD-3-Clause
"""Several programs in one MPI job make one report; and where only some ranks have the library, the job runs as it would without
it, and these are measured. usage: several.py BED"""
import os
import re
import sys

import harness
import recovery

bed = harness.Bed(sys.argv[1])
check = harness.Check()
FILES, PLAIN = bed.program("several_files"), bed.program("several_plain")


def words_of(settings):
    return [] if settings is None else ["env", f"LD_PRELOAD={bed.library}", *(f"{k}={v}" for k, v in settings.items())]


def launch(place, *parts):
    """mpirun with several parts, each (ranks, settings or None for a bare one, program)."""
    words = []
    for ranks, settings, program in parts:
        words += [*(bed.launcher(ranks) if not words else [":", "-n", ranks]), *words_of(settings), program, place.data]
    return harness.run(words, env=bed.launcher_environment())


def truth(out, ranks):
    lines = {int(line[0]): [int(number) for number in line[1:]]
             for line in re.findall(r"rank (\d+) posix (\d+) (\d+) mpi (\d+) (\d+)", out)}
    return [sum(lines[rank][i] for rank in ranks) for i in range(4)] if set(ranks) <= set(lines) else out


def reported(reports):
    layers = [(harness.layer(report, "posix"), harness.layer(report, "mpiio")) for report in reports]
    return [sum(posix["writes"] - posix["mpi_writes"] for posix, _ in layers),
            sum(posix["bytes_written"] - posix["mpi_bytes_written"] for posix, _ in layers),
            sum(mpiio["writes"] for _, mpiio in layers), sum(mpiio["bytes_written"] for _, mpiio in layers)]


with recovery.place() as place:
    bare = launch(place, (2, None, FILES), (2, None, PLAIN))
    check.equal(0, bare.code, f"bare: exit code ({bare.err})")

# Every rank has the library.
with recovery.place() as place:
    settings = {**place.settings, "TOTO_ANALYSIS_PERIOD": "20"}
    for name, parts in (("files first", ((2, settings, FILES), (2, settings, PLAIN))),
                        ("files last", ((1, settings, PLAIN), (2, settings, FILES))),
                        ("nodes of one", tuple((2, {**settings, "TOTO_RANKS_PER_NODE": "1"}, each) for each in (FILES, PLAIN)))):
        with recovery.place() as place:
            parts = tuple((ranks, {**some, **place.settings}, program) for ranks, some, program in parts)
            ranks = sum(part[0] for part in parts)
            done = launch(place, *parts)
            check.equal(0, done.code, f"{name}: exit code ({done.err})")
            check.equal([], list(place.reports.glob("*.log")), f"{name}: warnings")
            reports = place.all_reports()
            if check.equal(1, len(reports), f"{name}: reports {os.listdir(place.reports)}"):
                check.equal(ranks, reports[0]["job"]["ranks"], f"{name}: ranks")
            check.equal(truth(done.out, range(ranks)), reported(reports), f"{name}: writes and bytes")
            check.equal([], os.listdir(place.segments), f"{name}: segments left")

# Some ranks have it. MPICH's ranks cannot tell, and have to be told.
told = {} if bed.is_open_mpi else {"TOTO_COMBINE": "0"}
for name, has in (("first program", (True, False)), ("second program", (False, True))):
    with recovery.place() as place:
        settings = {**place.settings, **told}
        done = launch(place, *((2, settings if us else None, program) for us, program in zip(has, (FILES, PLAIN))))
        check.bare((bare.code, bare.out), (done.code, done.out), f"{name} only: exit code, output ({done.err})")
        said = [str(report["warnings"]) for report in place.all_reports()]
        check.equal({bool(not told)}, {"not every rank" in text for text in said}, f"{name} only: it is said ({said})")
        with_us = [rank for rank in range(4) if has[rank // 2]]
        check.equal(truth(done.out, with_us), reported(place.all_reports()), f"{name} only: writes and bytes of its ranks")
        check.equal([], os.listdir(place.segments), f"{name} only: segments left")
if bed.is_open_mpi:
    for rank in (0, 3):
        with recovery.place() as place:
            script = f'[ "$OMPI_COMM_WORLD_RANK" = {rank} ] && exec {" ".join(map(str, words_of(place.settings)))} "$@"; exec "$@"'
            done = bed.run(4, "sh", "-c", script, "-", FILES, place.data)
            check.equal(0, done.code, f"rank {rank} only: exit code ({done.err})")
            check.equal(truth(done.out, [rank]), reported(place.all_reports()), f"rank {rank} only: its writes and bytes")
            check.equal([], os.listdir(place.segments), f"rank {rank} only: segments left")
check.end()
