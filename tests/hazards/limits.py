# SPDX-License-Identifier: BSD-3-Clause
"""Under limits that leave the program all it needs, and us less: the program does what it does without us.
usage: limits.py"""
import json
import os
import pathlib
import shutil
import tempfile

import harness

check = harness.Check()
PROGRAM = harness.BUILT["programs"]["change_hands"]
THREADS = harness.BUILT["programs"]["small_stacks"]


def shell(script):
    return ["bash", "-c", script + '; exec "$@"', "-"]


def namespace(script):
    """In a mount namespace of its own; None where that is not allowed."""
    words = ["unshare", "-m", "bash", "-c", script + ' && exec "$@"', "-"]
    return words if shutil.which("unshare") and harness.run([*words, "true"], env={"WORK": "/usr", "BUILT": "/usr"}).code == 0 else None


# (what, program, words in front, settings, whether all is counted, environment)
LIMITS = [
    ("a million descriptors", PROGRAM, shell("ulimit -n 1000000 2>/dev/null || ulimit -n $(ulimit -Hn)"), {}, True, {}),
    ("few descriptors", PROGRAM, shell("ulimit -n 256"), {}, True, {}),
    ("little address space", PROGRAM, shell("ulimit -v 12000"), {}, False, {}),
    ("small files", PROGRAM, shell("ulimit -f 64"), {}, False, {}),
    ("a tiny stack", PROGRAM, shell("ulimit -s 128"), {}, True, {}),
    ("one memory locked", THREADS, shell("ulimit -l 0"), {}, True, {}),
    ("little memory for counters", THREADS, [], {"TOTO_MEMORY_KIB": 64}, True, {}),
    ("no folder for segments", PROGRAM, [], {"TOTO_SEGMENT_DIR": "/nonexistent"}, True, {}),
    ("a home that is not there", PROGRAM, [], {}, True, {"HOME": "/nonexistent", "TMPDIR": "/nonexistent", "XDG_RUNTIME_DIR": "/x"}),
    ("/dev/shm of 64 KiB", PROGRAM, namespace("mount -t tmpfs -o size=64k none /dev/shm"), {"TOTO_SEGMENT_DIR": "/dev/shm"}, False, {}),
    ("/dev/shm of no byte left", THREADS,
     namespace("mount -t tmpfs -o size=64k none /dev/shm && (dd if=/dev/zero of=/dev/shm/full bs=4k count=100 status=none 2>/dev/null; true)"),
     {"TOTO_SEGMENT_DIR": "/dev/shm"}, False, {}),
    ("/dev/shm read only", PROGRAM, namespace("mount -t tmpfs -o ro none /dev/shm"), {"TOTO_SEGMENT_DIR": "/dev/shm"}, False, {}),
    # But for the test's own folder and what was built, which may lie there.
    ("/tmp read only, nothing to be executed there", PROGRAM,
     namespace('for keep in "$WORK" "$BUILT"; do mount --bind "$keep" "$keep" || exit; done; '
               "mount --rbind /tmp /tmp && mount -o remount,bind,ro,noexec /tmp && ! touch /tmp/toto-test-probe 2>/dev/null"), {}, True, {}),
    ("no /proc", THREADS, namespace("mount -t tmpfs none /proc"), {}, False, {}),
]

for what, program, words, settings, counted, environment in LIMITS:
    if words is None:
        print(f"left out, no mount namespaces here: {what}")
        continue
    with harness.folder() as work:
        segments = tempfile.mkdtemp(prefix="toto-test-", dir="/dev/shm")
        runs, found = [], []
        for how in ("bare", "ours"):
            here = work / how / "here"
            here.mkdir(parents=True)
            env = {"WORK": str(work), "BUILT": str(pathlib.Path(harness.any_library()).parents[3]), **environment}
            preload = []
            if how == "ours":  # into the program, not into the shell that sets the limit
                toto = {"TOTO_PFS_PATHS": work / "ours", "TOTO_REPORT": work / "report.json", "TOTO_SEGMENT_DIR": segments, **settings}
                preload = ["env", f"LD_PRELOAD={harness.any_library()}", *(f"{k}={v}" for k, v in toto.items())]
            runs.append(harness.run([*words, *preload, program, here, work / f"{how}.truth"], env=env, timeout=100))
            found.append(harness.contents(here))
        bare, ours = runs
        check.equal(0, bare.code, f"{what}: the bare run ({bare.err})")
        check.bare((bare.code, bare.out, bare.err), (ours.code, ours.out, ours.err_without_toto), f"{what}: exit code and output")
        check.bare(*found, f"{what}: files")
        shutil.rmtree(segments)
        if counted and check.that((work / "report.json").exists(), f"{what}: there is a report", ours.err):
            truth, made = json.loads((work / "ours.truth").read_text()), harness.report(work / "report.json")
            for layer in ("posix", "stdio"):
                got = harness.layer(made, layer)
                for counter in ("opens", "bytes_written", "bytes_read"):
                    check.truth(truth[layer][counter], got[counter], f"{what}: {layer}.{counter}")

# A filter that forbids what we use.
with harness.folder() as work:
    bare = harness.run_alone(harness.BUILT["programs"]["seccomp"], work / "bare")
    if bare.code == harness.SKIPPED:
        print("left out, no filters of system calls here")
    else:
        for label, toto in (("watched", {"TOTO_PFS_PATHS": work}), ("report", {"TOTO_PFS_PATHS": work, "TOTO_REPORT": work / "r.json"}),
                            ("no setting", {})):
            ours = harness.run_alone(harness.BUILT["programs"]["seccomp"], work / label, toto=toto)
            check.bare((bare.code, bare.out, bare.err), (ours.code, ours.out, ours.err_without_toto), f"filter, {label}: exit code and output")
            check.bare((work / "bare").read_bytes(), (work / label).read_bytes(), f"filter, {label}: what was written")
            check.bare(os.stat(work / "bare").st_mode, os.stat(work / label).st_mode, f"filter, {label}: mode")
check.end()
