# SPDX-License-Identifier: BSD-3-Clause
"""A family that is written again and again is tuned from file to file, and nothing else changes; on stripefs.
usage: tuner.py BED RANKS"""
import sys

import harness
import stripes

FILES, MIB = 8, 64  # so large that each file counts, however fast the machine

bed, ranks = harness.Bed(sys.argv[1]), int(sys.argv[2])
check = harness.Check()


def series(where, name, toto, how="shared", files=FILES):
    """The files' outcomes in the report, in the order in which they were written, and the run."""
    folder = where / name
    folder.mkdir()
    if toto is not None:
        toto = {"TOTO_REPORT": f"{folder}.json", **toto}
    done = bed.run(ranks, bed.program("series"), folder, files, (MIB << 20) // ranks, 4 << 20, "contiguous", how,
                   toto=toto)
    check.equal(0, done.code, f"{name}: exit code ({done.err})")
    if toto is None:
        return [], done
    found = harness.report(f"{folder}.json")
    outcomes = [harness.file_of(found, folder / f"step.{i:04d}") for i in range(files)]
    return [one.get("outcome") if one else None for one in outcomes], done


def main():
    with harness.stripefs() as where:
        series(where, "bare", None)
        tuned, done = series(where, "tuned", {})
        check.equal([], done.warnings, "tuned: warnings")
        contents = [[v[1:] for v in stripes.listing(where / name).values()] for name in ("bare", "tuned")]
        check.equal(contents[0], contents[1], "the same sizes and contents with and without")
        check.equal("prior", tuned[0]["origin"], "the first file gets the rule's layout")
        for i, one in enumerate(tuned[1:], 1):
            check.equal("history", one["origin"], f"file {i}: by the tuner")
            check.that(one["reason"].startswith("tuner: "), f"file {i}: a sentence of the tuner", one["reason"])
            check.that("MiB/s" in one["reason"], f"file {i}: with what was measured", one["reason"])
            asked, obtained = one["asked"]["stripe_count"], one["obtained"]["stripe_count"]
            if asked:
                check.equal((asked, "verified"), (obtained, one["status"]), f"file {i}: has the stripes that were asked")
        counts = {stripes.lustre_layout(path)[0] for path in (where / "tuned").iterdir()}
        check.that(len(counts) > 1, "more than one count was tried", str(counts))

        off, _ = series(where, "off", {"TOTO_LEARN": "off"}, files=4)
        check.equal(["prior"] * 4, [one["origin"] for one in off], "TOTO_LEARN=off: the rules alone")
        stated, _ = series(where, "stated", {"TOTO_HINTS": "*:striping_factor=2"}, files=4)
        check.equal([("user-fill", 2)] * 4, [(one["origin"], one["asked"]["stripe_count"]) for one in stated],
                    "the user's own count is never tuned")


main()
check.end()
