# SPDX-License-Identifier: BSD-3-Clause
"""Files that each rank makes for itself are tuned from wave to wave, all files of a wave alike, and from run to run;
on a slow stripefs.
usage: tuner_own.py BED RANKS"""
import os
import sys

import harness
import stripes

MIB = 1 << 20
RATE = 3  # MiB/s of each target: a file takes more than the half second from which on it counts

bed, ranks = harness.Bed(sys.argv[1]), int(sys.argv[2])
check = harness.Check()


def series(where, state, name, how, files, megabytes, toto):
    """Each file's outcomes in the report, a list of the ranks', and the run."""
    folder = where / name
    folder.mkdir()
    if toto is not None:
        toto = {"TOTO_REPORT": state / f"{name}.json", "TOTO_HISTORY": state / "history.json", **toto}
        toto = {key: value for key, value in toto.items() if value is not None}
    done = bed.run(ranks, bed.program("series"), folder, files, megabytes * MIB, MIB // 4, "contiguous", how, toto=toto)
    check.equal(0, done.code, f"{name}: exit code ({done.err})")
    if toto is None or "TOTO_REPORT" not in toto:
        return [], done
    found = harness.report(state / f"{name}.json")
    paths = [[folder / f"step.{step:04d}.{rank}" for rank in range(ranks)] for step in range(files)]
    return [[(harness.file_of(found, path) or {}).get("outcome") for path in wave] for wave in paths], done


def counts(where, name, files):
    """Stripes of each step's files, by rank, as the file system has them."""
    return [[stripes.lustre_layout(where / name / f"step.{step:04d}.{rank}")[0] for rank in range(ranks)]
            for step in range(files)]


def same_contents(where, one, other):
    kept = [[v[1:] for v in stripes.listing(where / name).values()] for name in (one, other)]
    check.equal(kept[0], kept[1], f"{other}: the same sizes and contents as {one}")


def tuned(where, state, name, how, files, megabytes):
    outcomes, done = series(where, state, name, how, files, megabytes, {})
    check.equal([], done.warnings, f"{name}: warnings")
    found = counts(where, name, files)
    for step, (wave, of_ranks) in enumerate(zip(outcomes, found)):
        check.equal(1, len(set(of_ranks)), f"{name}, file {step}: the same count on all ranks: {of_ranks}")
        for one, count in zip(wave, of_ranks):
            if step == 0 or not check.that(one is not None, f"{name}, file {step}: has an outcome"):
                continue
            check.equal("history", one["origin"], f"{name}, file {step}: by the tuner ({one['reason']})")
            check.that(one["reason"].startswith("tuner: "), f"{name}, file {step}: a sentence of the tuner", one["reason"])
            if one["asked"]["stripe_count"]:
                check.equal((count, "verified"), (one["asked"]["stripe_count"], one["status"]),
                            f"{name}, file {step}: asked for and there")
    check.that("a file: " in outcomes[-1][0]["reason"] and "MiB/s" in outcomes[-1][0]["reason"],
               f"{name}: with what was measured", outcomes[-1][0]["reason"])
    check.that(len({of_ranks[0] for of_ranks in found[1:]}) > 1, f"{name}: more than one count was tried", str(found))


def main():
    with harness.stripefs() as where, harness.folder() as state:
        series(where, state, "bare", "each", 6, 8, None)
        os.setxattr(where, "stripefs.rate", str(RATE).encode())
        tuned(where, state, "tuned", "each", 6, 8)
        same_contents(where, "bare", "tuned")
        family = harness.report(state / "history.json")["families"]
        check.equal(["file-per-process"], [one["sharing"] for one in family], "one family in the history, and what it is")
        check.that(sum(arm["files"] for arm in family[0]["arms"]) >= 4, "with its waves", str(family))
        tuned(where, state, "itself", "self", 4, 2)

        # The next run begins with what was best; without a report it probes nothing.
        os.setxattr(where, "stripefs.rate", b"0")
        (where / "tuned").rename(where / "former")
        history = (state / "history.json").read_bytes()
        again, done = series(where, state, "tuned", "each", 2, 8, {})
        best = family[0]["best"]
        check.equal([[("history", best)] * ranks] * 2,
                    [[(one["origin"], one["asked"]["stripe_count"] or best) for one in wave] for wave in again],
                    "the second run begins with the best of the first")
        check.that("earlier runs" in again[0][0]["reason"], "and says so", again[0][0]["reason"])
        (where / "tuned").rename(where / "again")
        (state / "history.json").write_bytes(history)
        _, done = series(where, state, "tuned", "each", 3, 8, {"TOTO_REPORT": None})
        check.equal([], done.warnings, "without a report: warnings")
        check.equal([[best] * ranks] * 3, counts(where, "tuned", 3), "without a report: the best of the earlier runs")
        check.equal(history, (state / "history.json").read_bytes(), "without a report: nothing is added to the history")
        (where / "tuned").rename(where / "silent")
        for learn, tuning in (("off", "1"), ("on", "0")):
            rule, _ = series(where, state, "tuned", "each", 3, 8,
                             {"TOTO_LEARN": learn, "TOTO_STRIPE_COUNT_TUNING": tuning})
            origins = {one["origin"] for wave in rule for one in wave if one}
            check.that("history" not in origins, f"TOTO_LEARN={learn}, tuning {tuning}: not by the tuner", str(origins))
            (where / "tuned").rename(where / f"{learn}{tuning}")


main()
check.end()
