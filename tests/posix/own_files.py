# SPDX-License-Identifier: BSD-3-Clause
"""Processes without MPI that each write a file of a family are tuned together, from step to step, and files keep their
meaning; on a slow stripefs. usage: own_files.py"""
import os
import pathlib
import shutil
import tempfile

import harness
import stripes

STEPS, PROCESSES, MIB = 6, 2, 1 << 20
program = harness.BUILT["programs"]["own_files"]
check = harness.Check()
segments = pathlib.Path(tempfile.mkdtemp(prefix="toto-test-", dir="/dev/shm"))

with harness.stripefs() as where:
    def run(name, toto, megabytes=2):
        (where / name).mkdir()
        if toto is not None:
            toto = {"TOTO_REPORT": f"{where / name}.json", "TOTO_SEGMENT_DIR": segments, **toto}
        done = harness.run_alone(program, where / name, STEPS, PROCESSES, megabytes * MIB, toto=toto)
        check.equal((0, ""), (done.code, done.err), f"{name}: exit code and messages")
        return [[stripes.lustre_layout(where / name / f"out.{step}.{i}")[0] for i in range(PROCESSES)]
                for step in range(STEPS)]

    run("bare", None)
    os.setxattr(where, "stripefs.rate", b"3")  # MiB/s of each target: a file takes more than half a second
    counts = run("tuned", {})
    check.equal([v[1:] for v in stripes.listing(where / "bare").values()],
                [v[1:] for v in stripes.listing(where / "tuned").values()], "the same sizes and contents")
    check.equal([1] * PROCESSES, counts[0], "the first files: as without us")
    for step, wave in enumerate(counts):
        check.equal(1, len(set(wave)), f"step {step}: the same count for all ({wave})")
    check.that(len({wave[0] for wave in counts}) > 1, "more than one count was tried", str(counts))
    found = harness.report(where / "tuned.json")
    last = harness.file_of(found, where / "tuned" / f"out.{STEPS - 1}.0")["outcome"]
    check.equal("history", last["origin"], "the last file: by the tuner")
    check.that(last["reason"].startswith("tuner: a file: "), "with what was measured", last["reason"])
    # However a file is closed: by close(2), close_range(2), or by another file in its descriptor's place.
    tried = sum(arm["files"] for family in found["tuning"] for arm in family["tried"])
    check.that(tried >= STEPS - 1, "all are experiments, but for the first, by which the family is met", str(found["tuning"]))
    os.setxattr(where, "stripefs.rate", b"0")
    check.equal([[1] * PROCESSES] * STEPS, run("quick", {}), "quick small files: as without us")
    check.equal([[1] * PROCESSES] * STEPS, run("off", {"TOTO_LEARN": "off"}, 64), "TOTO_LEARN=off: as without us")
    check.equal([], harness.entries(segments), "left behind in shared memory")
shutil.rmtree(segments)
check.end()
