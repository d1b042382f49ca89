# SPDX-License-Identifier: BSD-3-Clause
"""16 processes create one file at once by O_CREAT, by O_EXCL, by O_TRUNC: everybody gets the errno that he gets without us, one
file comes of it, with its layout before anybody has it open, and nothing else is left. usage: creation_races.py DIALECT ROUNDS"""
import sys

import harness
import stripes

PROCESSES = 16
LAYOUT = (4, 1048576)
RULE = {"TOTO_HINTS": f"*:striping_factor={LAYOUT[0]}:striping_unit={LAYOUT[1]}"}

dialect, rounds = sys.argv[1], int(sys.argv[2])
program = harness.BUILT["programs"]["creation_races"]
check = harness.Check()


def expected(how, times):
    opened, exists = (times, times * (PROCESSES - 1)) if how == "excl" else (times * PROCESSES, 0)
    return (f"{how}: opened {opened}, EEXIST {exists}, other errors 0, bad layouts 0, lost files 0, lost records 0, "
            "leftovers 0\n")


with stripes.striped(dialect) as bed:
    for how in ("plain", "excl", "trunc"):
        for label, toto, times, layout in (("bare", None, max(1, rounds // 10), (0, 0)), ("ours", RULE, rounds, LAYOUT)):
            folder = bed.path / f"{how}.{label}"
            folder.mkdir()
            done = harness.run_alone(program, PROCESSES, times, how, *layout, toto=toto, cwd=folder, timeout=400)
            check.equal((0, expected(how, times), ""), (done.code, done.out, done.err), f"{how}, {label}, {times} rounds")
            check.equal([], harness.entries(folder), f"{how}, {label}: names afterwards")
check.end()
