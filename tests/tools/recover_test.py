# SPDX-License-Identifier: BSD-3-Clause
"""toto report --recover with what it may meet: jobs that are not there, run still or left garbage, and places that
cannot be written to. usage: recover_test.py"""
import json
import os
import random
import struct
import subprocess

import harness
import recovery

check = harness.Check()
AREAS = 64 * 1024  # where they start in a segment


def killed_job(place, name):
    """A job of one process that was killed: its segment."""
    before = set(place.segments.iterdir())
    harness.run_alone(harness.BUILT["programs"]["endings"], "SIGKILL", place.data,
                      toto={**place.settings, "TOTO_JOB_ID": name})
    [segment] = set(place.segments.iterdir()) - before
    return segment


def has_counts(report, name):
    check.equal((3, 3000), (harness.layer(report, "posix")["writes"], harness.layer(report, "posix")["bytes_written"]),
                f"{name}: counts")
    check.equal(True, report["partial"], f"{name}: partial")


def says(run, code, text, name):
    check.equal(code, run.code, f"{name}: exit code ({run.err})")
    check.that(text in run.err, f"{name}: says \"{text}\"", run.err)


with recovery.place() as place:
    says(place.recover(), 1, "nothing to recover in", "no segment")
    says(place.recover(TOTO_SEGMENT_DIR="/no/such/folder"), 1, "nothing to recover in", "no folder")
    says(place.recover("a", "b"), 2, "one job, please", "two jobs")
    says(place.recover("--output", "x"), 2, "--output is for one job", "--output without a job")
    segment = killed_job(place, "mine")
    says(place.recover("another"), 1, "nothing to recover in", "another job")
    check.that(segment.exists(), "another job: the segment stays")

    # Nowhere to write: it is left for another try.
    says(place.recover("--output", "/no/such/folder/r.json", "mine"), 1, "", "unwritable output")
    check.that(segment.exists(), "unwritable output: the segment stays")
    output = place.reports / "here.json"
    says(place.recover("--output", output, "mine"), 0, "recovered", "--output")
    has_counts(harness.report(output), "--output")
    check.equal(["here.json"], os.listdir(place.reports), "--output: the only report")
    check.equal([], os.listdir(place.segments), "--output: segments left")
    says(place.recover("mine"), 1, "nothing to recover in", "a second time")

# Two jobs: the one that is named, then all that are left.
with recovery.place() as place:
    first, second = killed_job(place, "first"), killed_job(place, "second")
    check.equal(0, place.recover("second").code, "one of two jobs")
    check.equal((True, False), (first.exists(), second.exists()), "one of two jobs: segments")
    check.equal(0, place.recover().code, "every job")
    reports = place.all_reports()
    check.equal(["first", "second"], sorted(report["job"]["id"] for report in reports), "every job: reports")
    for report in reports:
        has_counts(report, report["job"]["id"])

# A job that runs still is left alone, and reports for itself.
with recovery.place() as place:
    script = "import sys; f = open(sys.argv[1], 'w'); f.write('x'); f.flush(); print('ready', flush=True); sys.stdin.read()"
    runs = subprocess.Popen(["/usr/bin/python3", "-c", script, str(place.data / "f")], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, text=True,
                            env={**harness.clean_environment(), **{k: str(v) for k, v in place.settings.items()},
                                 "LD_PRELOAD": harness.any_library(), "TOTO_JOB_ID": "runs"})
    runs.stdout.readline()
    for words in ([], ["runs"]):
        says(place.recover(*words), 0, "still runs", f"running job {words}")
    check.equal(([], 1), (os.listdir(place.reports), len(os.listdir(place.segments))), "running job: left alone")
    runs.communicate("")
    check.equal(0, runs.returncode, "running job: its exit code")
    reports = place.all_reports()
    if check.equal(1, len(reports), "running job: reports"):
        check.equal((False, 1), (reports[0]["partial"], harness.layer(reports[0], "posix")["bytes_written"]),
                    "running job: its own report")
    check.equal([], os.listdir(place.segments), "running job: segments left")

# What is no segment, or one of another version, stays; a good one beside it is recovered.
with recovery.place() as place:
    good = killed_job(place, "good")
    content = good.read_bytes()
    prefix = f"toto-{os.geteuid()}-"
    odd = {"empty": b"", "short": b"x" * 100, "garbage": os.urandom(200_000), "zeros": bytes(1 << 20),
           "cut-head": content[:AREAS - 1], "version": content[:8] + struct.pack("I", 99) + content[12:],
           "no-area-size": content[:12] + struct.pack("I", 0) + content[16:],
           "odd-area-size": content[:12] + struct.pack("I", 300_001) + content[16:]}
    for name, bytes_ in odd.items():
        (place.segments / (prefix + name)).write_bytes(bytes_)
        os.chmod(place.segments / (prefix + name), 0o600)
    (place.segments / (prefix + "link")).symlink_to("/etc/passwd")
    (place.segments / (prefix + "folder")).mkdir()
    os.mkfifo(place.segments / (prefix + "pipe"), 0o600)
    (place.segments / "others").write_text("not ours")
    before = sorted(set(os.listdir(place.segments)) - {good.name})
    run = place.recover()
    says(run, 1, "left as it is", "beside garbage")
    for name in odd:
        check.that(prefix + name in run.err, f"{name}: is named", run.err)
    check.equal(before, sorted(os.listdir(place.segments)), "garbage stays, and only that")
    reports = place.all_reports()
    if check.equal(1, len(reports), "beside garbage: reports"):
        has_counts(reports[0], "beside garbage")


def expect_no_crash(place, segment, content, name):
    segment.write_bytes(content)
    os.chmod(segment, 0o600)
    run = harness.run(["timeout", "60", harness.BUILT["toto"], "report", "--recover"], cwd=place.data,
                      env={"TOTO_SEGMENT_DIR": str(place.segments)})
    check.that(run.code in (0, 1), f"{name}: exit code {run.code}", run.err)
    for path in place.reports.iterdir():
        try:
            json.loads(path.read_text())
        except ValueError as error:
            check.that(False, f"{name}: {path.name}", f"{error}")
        path.unlink()
    if segment.exists():
        segment.unlink()


# Cut anywhere, and written over anywhere.
with recovery.place() as place:
    segment = killed_job(place, "cut")
    content = segment.read_bytes()
    size = len(content)
    for length in (AREAS, AREAS + 1, AREAS + 64, AREAS + 4096, AREAS + 65536, size - 4096, size - 1):
        expect_no_crash(place, segment, content[:length], f"cut at {length}")
    for seed in range(100):
        chance = random.Random(seed)
        broken = bytearray(content)
        if seed % 2:  # a stretch
            start = chance.choice([chance.randrange(16, 8192), chance.randrange(AREAS, AREAS + 30_000)])
            for i in range(start, start + chance.randrange(4, 5000)):
                broken[i] = chance.randrange(256)
        else:  # single words
            for _ in range(200):
                at = chance.choice([chance.randrange(16, 8192, 4), chance.randrange(AREAS + 12, AREAS + 30_000, 4)])
                broken[at:at + 4] = struct.pack("i", chance.choice([0, -1, 2**31 - 1, -2**31, chance.randrange(-40_000, 40_000)]))
        if seed % 5:  # the report goes where we look
            broken[:2400] = content[:2400]
        expect_no_crash(place, segment, bytes(broken), f"written over, {seed}")
check.end()
