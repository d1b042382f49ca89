# SPDX-License-Identifier: BSD-3-Clause
"""A family that is written again and again is tuned from file to file and from run to run, and nothing else changes;
on stripefs.
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
        toto = {"TOTO_REPORT": f"{folder}.json", "TOTO_HISTORY": state / "sub" / f"{name}.json", **toto}
    done = bed.run(ranks, bed.program("series"), folder, files, (MIB << 20) // ranks, 4 << 20, "contiguous", how,
                   toto=toto)
    check.equal(0, done.code, f"{name}: exit code ({done.err})")
    if toto is None:
        return [], done
    found = harness.report(f"{folder}.json")
    outcomes = [harness.file_of(found, folder / f"step.{i:04d}") for i in range(files)]
    return [one.get("outcome") if one else None for one in outcomes], done


def main():
    global state
    with harness.stripefs() as where, harness.folder() as state:
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

        history = state / "sub" / "tuned.json"
        known = harness.report(history)
        check.equal(1, len(known["families"]), "one family in the history")
        check.equal(FILES, sum(arm["files"] for arm in known["families"][0]["arms"]), "with all its files")
        # The same family again, in its next folder.
        for learn, name in (("frozen", "tuned1"), ("on", "tuned2")):
            before = history.read_bytes()
            again, done = series(where, name, {"TOTO_HISTORY": history, "TOTO_LEARN": learn}, files=3)
            check.equal([], done.warnings, f"{name}: warnings")
            if name == "tuned1":
                check.equal(["prior"] * 3, [one["origin"] for one in again], "another family: not in the history")
                check.equal(before, history.read_bytes(), "frozen: the history stays as it is")
        more = harness.report(history)
        check.equal(2, len(more["families"]), "a second family beside the first")
        third, _ = series(where, "tuned3", {"TOTO_HISTORY": history, "TOTO_LEARN": "frozen"}, files=3)
        best = next(one["best"] for one in more["families"] if one["family"].endswith("/tuned#/step.#"))
        check.equal([("history", best)] * 3, [(one["origin"], one["asked"]["stripe_count"]) for one in third],
                    "frozen: the best of the earlier run from the first file on")
        check.that("earlier runs" in third[0]["reason"], "says where it comes from", third[0]["reason"])

        history.write_text('{"toto_history": 99}')
        _, done = series(where, "later", {"TOTO_HISTORY": history}, files=3)
        check.equal(1, len(done.warnings), f"a history of a later version is said once: {done.warnings}")
        check.equal('{"toto_history": 99}', history.read_text(), "and left as it is")

        off, _ = series(where, "off", {"TOTO_LEARN": "off"}, files=4)
        check.equal(["prior"] * 4, [one["origin"] for one in off], "TOTO_LEARN=off: the rules alone")
        stated, _ = series(where, "stated", {"TOTO_HINTS": "*:striping_factor=2"}, files=4)
        check.equal([("user-fill", 2)] * 4, [(one["origin"], one["asked"]["stripe_count"]) for one in stated],
                    "the user's own count is never tuned")


main()
check.end()
