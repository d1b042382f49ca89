# SPDX-License-Identifier: BSD-3-Clause
"""IOR's patterns by toto-workload, which checks what it reads: same result with us, our bytes and calls are the truth, and
each family is classified as what it is. usage: ior_like.py BED RANKS"""
import json
import sys

import harness

bed, ranks = harness.Bed(sys.argv[1]), int(sys.argv[2])
check = harness.Check()
KIB = 1024
BLOCK, TRANSFER = 256 * KIB, 16 * KIB

# name: options, calls a rank writes, sharing, spatiality (None: not asked)
CASES = {
    "posix_shared": (("-a", "POSIX", "-b", BLOCK, "-t", TRANSFER), 16, "shared", "contiguous"),
    "posix_own": (("-a", "POSIX", "-F", "-b", BLOCK, "-t", TRANSFER), 16, "file-per-process", "contiguous"),
    "posix_strided": (("-a", "POSIX", "-b", TRANSFER, "-t", TRANSFER, "-s", 16), 16, "shared", "strided"),
    "posix_random": (("-a", "POSIX", "-z", "-b", BLOCK, "-t", TRANSFER), 16, "shared", "random"),
    "mpi_shared": (("-a", "MPIIO", "-b", BLOCK, "-t", TRANSFER), 16, "shared", None),
    "mpi_own": (("-a", "MPIIO", "-F", "-b", BLOCK, "-t", TRANSFER), 16, "file-per-process", None),
    "mpi_strided": (("-a", "MPIIO", "-b", TRANSFER, "-t", TRANSFER, "-s", 16), 16, "shared", None),
    "mpi_collective": (("-a", "MPIIO", "-c", "-b", TRANSFER, "-t", TRANSFER, "-s", 8), 8, "shared", None),
    "mpi_view": (("-a", "MPIIO", "-c", "-V", "-b", TRANSFER, "-t", TRANSFER, "-s", 8), 8, "shared", None),
}
if ranks == 1 or ranks > 8:  # nothing is shared, or many processes have few processors: one case of each kind
    CASES = {name: CASES[name] for name in ("posix_strided", "mpi_own", "mpi_collective")}


def contents(folder):
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


with harness.folder() as work:
    for name, (options, calls, sharing, spatiality) in CASES.items():
        bare, ours = work / f"{name}.bare", work / f"{name}.ours"
        made = []
        for folder, toto in ((bare, None), (ours, {"TOTO_PFS_PATHS": ours, "TOTO_REPORT": work / f"{name}.json"})):
            folder.mkdir()
            summary = work / f"{folder.name}.summary"
            done = bed.run(ranks, bed.program("workload"), *options, "-w", "-R", *(["-C"] if sharing == "shared" else []), "-k", "-o", folder / "out",
                           "-O", f"summaryFile={summary},summaryFormat=JSON", toto=toto)
            check.equal((0, ""), (done.code, done.err), f"{folder.name}: exit code, messages")
            made.append(contents(folder))
            results = json.loads(summary.read_text())["tests"][0]["Results"]
            check.equal(["write", "read"], [one["access"] for one in results], f"{folder.name}: phases")
        check.that(made[0] == made[1], f"{name}: files as without us", sorted(made[1]))
        report = harness.report(work / f"{name}.json")
        layer = harness.layer(report, "posix" if name.startswith("posix") else "mpiio")
        bytes_moved = calls * ranks * TRANSFER
        check.equal((calls * ranks, calls * ranks, bytes_moved, bytes_moved),
                    tuple(layer[key] for key in ("writes", "reads", "bytes_written", "bytes_read")), f"{name}: the report")
        check.equal((ranks, ranks if sharing != "shared" else 1),
                    (report["job"]["ranks"], len([f for f in made[1] if f.startswith("out")])), f"{name}: ranks, files")
        families = [one for one in report["families"] if "/out" in one["name"]]
        if check.equal(1, len(families), f"{name}: families") and ranks > 1:
            check.equal(sharing, families[0]["sharing"], f"{name}: sharing")
            if spatiality is not None:
                check.equal(spatiality, families[0]["spatiality"], f"{name}: spatiality")
check.end()
