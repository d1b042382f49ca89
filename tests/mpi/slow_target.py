# SPDX-License-Identifier: BSD-3-Clause
"""TOTO_MONITOR_OST_PERFORMANCE=1: a target that is much slower than its peers is named in the report, and new files
avoid it; without the setting nothing is looked at. On a stripefs of which one target is slow.
usage: slow_target.py BED RANKS"""
import os
import re
import sys

import harness
import stripes

FILES, MIB, TARGETS, SLOW = 10, 1 << 20, 8, 5

bed, ranks = harness.Bed(sys.argv[1]), int(sys.argv[2])
check = harness.Check()


def targets_of(path):
    return [int(number) for number in
            re.search(r"targets=([\d,]*)", os.getxattr(path, "stripefs.layout").decode()).group(1).split(",")]


def series(where, name, toto, how="shared", files=FILES):
    folder = where / name
    folder.mkdir()
    if toto is not None:
        toto = {"TOTO_REPORT": f"{folder}.json", "TOTO_LEARN": "off", "TOTO_HINTS": "*:striping_unit=1M", **toto}
    done = bed.run(ranks, bed.program("series"), folder, files, 32 * MIB // ranks, MIB, "contiguous", how, toto=toto)
    check.equal(0, done.code, f"{name}: exit code ({done.err})")
    if toto is None:
        return None
    found = harness.report(f"{folder}.json")
    return found, [one["text"] for one in found["warnings"] if one["text"].startswith("slow target: ")]


def main():
    with harness.stripefs(targets=TARGETS) as where:
        series(where, "bare", None)
        rates = ["48"] * TARGETS
        rates[SLOW] = "8"  # MiB/s
        os.setxattr(where, "stripefs.rate", ",".join(rates).encode())
        every = {"TOTO_HINTS": f"*:striping_factor={TARGETS}:striping_unit=1M"}
        found, said = series(where, "watched", {"TOTO_MONITOR_OST_PERFORMANCE": "1", **every})
        if check.equal(1, len(said), f"one warning: {said}"):
            check.that(said[0].startswith(f"slow target: target {SLOW} kept the writers of "), "with the target", said[0])
        check.that(SLOW in targets_of(where / "watched" / "step.0000"), "the first file has it")
        # The user asks for every target: that is done, and what is slow only said.
        check.that(SLOW in targets_of(where / "watched" / f"step.{FILES - 1:04d}"), "a count that needs it is kept")
        kept = [[v[1:] for v in stripes.listing(where / name).values()] for name in ("bare", "watched")]
        check.equal(kept[0], kept[1], "the same sizes and contents with and without")

        found, said = series(where, "avoided", {"TOTO_MONITOR_OST_PERFORMANCE": "1", "TOTO_HINTS": "*:striping_unit=1M"})
        last = where / "avoided" / f"step.{FILES - 1:04d}"
        if said:  # the rule gives four stripes: half of the files have the slow target
            outcome = harness.file_of(found, last)["outcome"]
            check.that(outcome["reason"].endswith("; avoids slow targets"), "the last file avoids it", outcome["reason"])
            check.that(SLOW not in targets_of(last), "and it does", str(targets_of(last)))
            check.equal("verified", outcome["status"], "as it says")
        check.equal(1, len(said), f"one warning again: {said}")

        found, said = series(where, "unwatched", every, files=3)
        check.equal([], said, "without the setting nothing is said")


main()
check.end()
