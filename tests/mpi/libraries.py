# SPDX-License-Identifier: BSD-3-Clause
"""Parallel libraries and languages between the program and MPI-IO: their files are the same with us, byte for byte; the hints
that they pass reach MPI-IO and are in the report; and what the report counts is what a second tool below us counts.
usage: libraries.py BED RANKS PROGRAM|SCRIPT.py WITNESS"""
import json
import pathlib
import shutil
import subprocess
import sys

import harness
import stripes

bed, ranks, name, witness = harness.Bed(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
check = harness.Check()
COUNTERS = ("opens", "closes", "reads", "writes", "bytes_read", "bytes_written", "independent", "collective", "nonblocking", "split")


def words():
    if not name.endswith(".py"):
        return [bed.program(name)]
    python = "/usr/bin/python3"
    if subprocess.run([python, "-c", "import mpi4py"], capture_output=True, check=False).returncode != 0:
        harness.skip("mpi4py is not installed (package python3-mpi4py)")
    return [python, pathlib.Path(__file__).with_name(name)]


def hints_seen(path):
    """{(file's name, key): value} of all opens, and {file's name: {key: value}} of the last open of each."""
    every, last, file = {}, {}, None
    for line in path.read_text().splitlines():
        if not line.startswith("\t"):
            file = pathlib.Path(line).name
            last[file] = {}
        else:
            _, key, value = line.split("\t")
            every[file, key] = last[file][key] = value
    return every, last


program = words()
with harness.stripefs("lustre", 8) as mounted, harness.folder() as work:
    here = mounted / "data"
    runs, found, seen = [], [], []
    for how in ("bare", "ours"):
        here.mkdir()
        library = witness if how == "bare" else f"{bed.library}:{witness}"
        toto = {} if how == "bare" else {"TOTO_PFS_PATHS": mounted, "TOTO_REPORT": work / "report.json"}
        toto |= {"WITNESS_TRUTH": work / f"{how}.truth", "WITNESS_HINTS": work / f"{how}.hints"}
        runs.append(bed.run(ranks, *program, here, toto=toto, library=library))
        found.append(stripes.listing(here))
        seen.append(hints_seen(work / f"{how}.hints"))
        shutil.rmtree(here)
    check.equal(0, runs[0].code, f"the bare run's exit code ({runs[0].err})")
    check.same_run(*runs, "with the library")
    check.bare(*found, "files and contents")
    truths = [json.loads((work / f"{how}.truth").read_text()) for how in ("bare", "ours")]
    check.bare(*truths, "calls that reach MPI-IO")
    report = harness.report(work / "report.json")
    mpiio = harness.layer(report, "mpiio")
    check.that(mpiio["bytes_written"] > 0, "something was written by MPI-IO")
    for counter in COUNTERS:
        check.truth(truths[1][counter], mpiio[counter], counter)
    (every, last), (passed, _) = seen
    check.bare(every, {key: passed.get(key) for key in every}, "hints of the program at MPI-IO")
    for file, hints in last.items():
        one = next(one for one in report["files"] if pathlib.Path(one["path"]).name == file)
        listed = {hint["key"]: (hint["value"], hint["origin"], hint["status"]) for hint in one.get("outcome", {}).get("hints", [])}
        check.truth({key: (value, "program", "kept") for key, value in hints.items()},
                    {key: listed.get(key) for key in hints}, f"hints of the program in the report, {file}")
    verified = [one["path"] for one in report["files"] if one.get("outcome", {}).get("status") == "verified"]
    check.that(verified, "a file has a layout of ours", [(one["path"], one.get("outcome")) for one in report["files"]])
    check.equal([], report["warnings"], "warnings")
check.end()
