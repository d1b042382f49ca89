# SPDX-License-Identifier: BSD-3-Clause
"""TOTO_MONITOR_OST_PERFORMANCE=1: a target that is much slower than its peers is named in the report, and new files
avoid it; without the setting nothing is looked at. On a stripefs of which one target is slow.
usage: slow_target.py BED RANKS"""
import os
import re
import sys

import harness
import stripes

FILES, MIB, TARGETS, SLOW = 12, 1 << 20, 8, 5

bed, ranks = harness.Bed(sys.argv[1]), int(sys.argv[2])
check = harness.Check()


def targets_of(path):
    return [int(number) for number in
            re.search(r"targets=([\d,]*)", os.getxattr(path, "stripefs.layout").decode()).group(1).split(",")]


def series(where, name, toto, how="shared", files=FILES):
    folder = where / name
    folder.mkdir()
    if toto is not None:
        toto = {"TOTO_REPORT": f"{folder}.json", "TOTO_LEARN": "off", "TOTO_HINTS": "*:striping_factor=6:striping_unit=1M", **toto}
    done = bed.run(ranks, bed.program("series"), folder, files, 32 * MIB // ranks, MIB, "contiguous", how, toto=toto)
    check.equal(0, done.code, f"{name}: exit code ({done.err})")
    if toto is None:
        return None
    found = harness.report(f"{folder}.json")
    return found, [one["text"] for one in found["warnings"] if one["text"].startswith("slow target: ")]


def main():
    with harness.stripefs(targets=TARGETS) as where:
        series(where, "bare", None)
        rates = ["24"] * TARGETS
        rates[SLOW] = "3"  # MiB/s
        os.setxattr(where, "stripefs.rate", ",".join(rates).encode())
        # Three of four files have it: six stripes go round eight targets.
        found, said = series(where, "watched", {"TOTO_MONITOR_OST_PERFORMANCE": "1"})
        kept = [[v[1:] for v in stripes.listing(where / name).values()] for name in ("bare", "watched")]
        check.equal(kept[0], kept[1], "the same sizes and contents with and without")
        if check.equal(1, len(said), f"one warning: {said}"):
            check.that(said[0].startswith(f"slow target: target {SLOW} kept the writers of "), "with the target", said[0])
            last = where / "watched" / f"step.{FILES - 1:04d}"
            outcome = harness.file_of(found, last)["outcome"]
            check.that(outcome["reason"].endswith("; avoids slow targets"), "the last file avoids it", outcome["reason"])
            check.that(SLOW not in targets_of(last), "and it does", str(targets_of(last)))
            check.equal((6, "verified"), (len(targets_of(last)), outcome["status"]), "with as many stripes as asked for")
        _, said = series(where, "unwatched", {}, files=1)
        check.equal([], said, "without the setting nothing is said")


main()
check.end()
