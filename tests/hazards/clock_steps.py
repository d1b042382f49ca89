# SPDX-License-Identifier: BSD-3-Clause
"""The wall clock is set while programs run, by a day, to either side: they do what they do, and their report has neither
negative nor absurd times. The kernel's answer to the library's first question is changed, by strace. usage: clock_steps.py"""
import calendar
import os
import shutil
import struct
import tempfile
import time

import harness

check = harness.Check()
DAY = 86400
if shutil.which("strace") is None:
    harness.skip("no strace")


def stepped(by):
    """Words that run a program whose clock is off by so many seconds when it starts, and right from then on."""
    moment = struct.pack("<qq", int(time.time()) + by, 0)
    poke = moment.hex()
    return ["strace", "-qq", "-o", "/dev/null", "-e", "trace=clock_gettime", "-e", f"inject=clock_gettime:poke_exit=@arg2={poke}:when=1"]


def numbers(what):
    if isinstance(what, dict):
        for name, value in what.items():
            yield from ((f"{name}.{inner}", number) for inner, number in numbers(value))
    elif isinstance(what, list):
        for value in what:
            yield from numbers(value)
    elif isinstance(what, (int, float)) and not isinstance(what, bool):
        yield "", what


def sound(name, report, writes, day):
    check.truth(writes * 1000, harness.layer(report, "posix")["bytes_written"], f"{name}: bytes written")
    check.truth(writes, harness.layer(report, "posix")["writes"], f"{name}: writes")
    check.equal([], [pair for pair in numbers(report) if not 0 <= pair[1] < 2**63], f"{name}: numbers that cannot be")
    times = [pair for pair in numbers(report) if pair[0].rstrip(".").endswith("seconds")]
    limit = 2 * DAY if day else 1000  # of two processes a day apart, by their clocks, the job is a day long
    check.equal([], [pair for pair in times if pair[1] > limit], f"{name}: times that cannot be")
    line = report.get("time_line", {})
    total = sum(sum(values) for key, values in line.items() if isinstance(values, list) and "posix" in key and "writ" in key)
    check.truth(writes * 1000, total, f"{name}: bytes in the time line {sorted(line)}")


def dd(path):
    return ["dd", "if=/dev/zero", f"of={path}", "bs=1000", "count=20", "status=none"]


probe = harness.run([*stepped(DAY), "true"])
if probe.code != 0:
    harness.skip(f"strace cannot do it here: {probe.err}")
for name, by in (("set back", DAY), ("set forward", -DAY)):
    with harness.folder() as work:
        segments = tempfile.mkdtemp(prefix="toto-test-", dir="/dev/shm")
        settings = {"TOTO_PFS_PATHS": work, "TOTO_REPORT": work / "r.json", "TOTO_SEGMENT_DIR": segments}
        ours = [f"LD_PRELOAD={harness.any_library()}", *(f"{key}={value}" for key, value in settings.items())]
        inside = [word for setting in ours for word in ("-E", setting)]
        done = harness.run([*stepped(by), *inside, *dd(work / "one")])
        check.bare((0, "", ""), (done.code, done.out, done.err), f"{name}: exit code and output")
        report = harness.report(work / "r.json")
        began = calendar.timegm(time.strptime(report["job"]["start"], "%Y-%m-%dT%H:%M:%SZ"))
        check.that(abs(began - time.time() - by) < DAY / 2, f"{name}: the clock was off", report["job"]["start"])
        sound(name, report, 20, False)
        # Of two processes of one job the first or the second had the other time.
        for first in (True, False):
            os.unlink(work / "r.json")
            off = " ".join(f"'{word}'" for word in stepped(by))
            lines = [f"{off} {' '.join(dd(work / 'two'))}", " ".join(dd(work / "three"))]
            script = "\n".join(lines if first else reversed(lines))
            done = harness.run(["env", *ours, "sh", "-c", script + "\n:"])
            check.bare((0, "", ""), (done.code, done.out, done.err), f"{name}, two processes: exit code and output")
            check.equal(["r.json"], [path.name for path in work.glob("*.json*")], f"{name}, two processes: reports")
            sound(f"{name}, two processes", harness.report(work / "r.json"), 40, True)
        # Another job writes its report under the same name meanwhile: none replaces the other's.
        os.unlink(work / "r.json")
        script = f"echo >'{work / 'four'}'; TOTO_JOB_ID=other {' '.join(dd(work / 'five'))}; echo >'{work / 'six'}'"
        done = harness.run([*stepped(by), *inside, "sh", "-c", script])
        check.bare((0, "", ""), (done.code, done.out, done.err), f"{name}, two jobs: exit code and output")
        written = [harness.layer(harness.report(path), "posix")["bytes_written"] for path in work.glob("r.json*")]
        check.truth([2, 20000], sorted(written), f"{name}, two jobs: bytes written, in two reports")
        check.equal([], os.listdir(segments), f"{name}: segments left")
        shutil.rmtree(segments)
check.end()
