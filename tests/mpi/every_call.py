# SPDX-License-Identifier: BSD-3-Clause
"""Every MPI_File call is seen once, to the byte, and does what it does without us.
usage: every_call.py BED RANKS [preload|launcher|link]: how the library comes into the program"""
import json
import sys

import harness

bed, ranks = harness.Bed(sys.argv[1]), int(sys.argv[2])
by = sys.argv[3] if len(sys.argv) > 3 else "preload"
check = harness.Check()
# ROMIO as it comes with Open MPI 4.1 calls a null pointer in these.
left_out = {"iread_all", "iread_at_all", "iwrite_all", "iwrite_at_all"} if bed.io == "romio" else set()

with harness.folder() as work:
    data = work / "data"
    data.mkdir()
    logs = work / "logs"
    logs.mkdir()

    def run(name, toto):
        program = bed.program("every_call_linked" if by == "link" and toto is not None else "every_call")
        return bed.run(ranks, program, data / name, work / f"{name}.truth", work / f"{name}.called",
                       toto=toto, by=by, env={"LEAVE_OUT": f",{','.join(left_out)},"})

    bare = run("bare", None)
    if not check.equal(0, bare.code, "the bare run's exit code"):
        print(bare.out, bare.err)
        check.end()
    ours = run("ours", {"TOTO_PFS_PATHS": data, "TOTO_LOGS_FOLDER": logs})
    check.same_run(bare, ours, "with the library")
    check.equal((data / "bare").read_bytes(), (data / "ours").read_bytes(), "the file's contents")
    check.equal(["bare", "ours"], harness.entries(data), "files in the data folder")

    called = set((work / "ours.called").read_text().split())
    _, small, large = harness.wrapped_calls()
    table = {name.removeprefix("File_") for name in small if name.startswith("File_")}
    if bed.built["large_counts"]:
        table |= {name.removeprefix("File_") for name in large}
    check.equal(sorted(table - left_out), sorted(called), "calls made against calls in the table")

    truth = json.loads((work / "ours.truth").read_text())
    del truth["end"]
    # One report a job: none of launchers, their helpers, or single ranks, and no file of messages.
    if not check.equal(1, len(harness.entries(logs)), f"files in the logs folder: {harness.entries(logs)}"):
        check.end()
    report = harness.report(next(logs.iterdir()))
    mpiio = harness.layer(report, "mpiio")
    for counter, expected in truth.items():
        check.equal(expected, mpiio[counter], f"mpiio.{counter}")
    check.equal(0, mpiio["errors"], "mpiio.errors")
    check.equal(ranks, report["job"]["ranks"], "ranks in the report")
    check.equal(ranks, report["job"]["processes"], "processes in the report")

    # What reached the file below MPI-IO is MPI-IO's, all of it.
    posix = harness.layer(report, "posix")
    for direction in ("read", "written"):
        check.equal(posix[f"bytes_{direction}"], posix[f"mpi_bytes_{direction}"], f"posix bytes {direction} by MPI-IO")
    check.that(posix["bytes_written"] >= truth["bytes_written"], "MPI-IO wrote what it was given",
               f"given {truth['bytes_written']}, written {posix['bytes_written']}")
check.end()
