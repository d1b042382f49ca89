# SPDX-License-Identifier: BSD-3-Clause
"""MPI programs get the advice that they deserve with the exact counts, their twins none, and the report says how
their files are used, over all ranks. usage: mpi_twins.py BED"""
import sys

import harness

RANKS, N = 4, 4000
bed = harness.Bed(sys.argv[1])
check = harness.Check()
sieves = bed.io == "romio" or not bed.is_open_mpi  # OMPIO writes piece by piece

REPEATS = 20  # of mpi_twins' "sieved"
SIEVED = REPEATS * RANKS * 2 * N * 512

SHARED = {"sharing": "shared", "files": 1}
# program, blocks a rank, what the family is, rule and counts (None: no advice)
TWINS = [
    ("independent", N, {**SHARED, "spatiality": "strided", "calls": "independent"}, "small-independent",
     {"independent": RANKS * N, "writers": RANKS, "bytes": RANKS * N * 512}),
    ("collective", N, {**SHARED, "calls": "collective"}, None, {}),
    ("small_collective", N // 4, {**SHARED, "calls": "collective"}, "small-collective",
     {"collective": RANKS * N // 4, "bytes": RANKS * N // 4 * 512}),
    # Interleaved blocks by a view, in one independent call: sieved by ROMIO.
    ("sieved", 2 * N, {**SHARED, "calls": "independent"}, "sieving-writes" if sieves else "small-independent",
     {"bytes_written": SIEVED} if sieves else {"independent": RANKS * REPEATS, "bytes": SIEVED}),
    ("segments", N, {**SHARED, "calls": "independent", "spatiality": "contiguous"}, None, {}),
    ("pairs", N, {"sharing": "subset-shared", "files": 2, "spatiality": "contiguous"}, None, {}),
    ("own", N, {"sharing": "file-per-process", "files": 4, "spatiality": "contiguous"}, None, {}),
]

for which, n, pattern, rule, counts in TWINS:
    what = f"{which}, {n} times"
    with harness.folder() as work:
        (work / "data").mkdir()
        done = bed.run(RANKS, bed.program("mpi_twins"), which, work / "data", n,
                       toto={"TOTO_PFS_PATHS": work / "data", "TOTO_REPORT": work / "r.json"})
        check.equal((0, []), (done.code, done.warnings), f"{what}: exit code and warnings ({done.err})")
        report = harness.report(work / "r.json")
        family = report["families"][0]
        expected = {"phases": "write", "opening": "once", "ranks": RANKS, "writers": RANKS, **pattern}
        check.equal(expected, {key: family[key] for key in expected}, f"{what}: pattern")
        if which == "independent":
            check.equal((RANKS * 512, 512), (family["evidence"].get("stride"), family["evidence"].get("block")),
                        f"{what}: stride and block")
        advice = report["advice"]
        if check.equal([rule] if rule else [], [one["rule"] for one in advice], f"{what}: rules") and rule:
            check.equal(counts, {name: advice[0]["counts"].get(name) for name in counts}, f"{what}: counts")
check.end()
