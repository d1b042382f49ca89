# SPDX-License-Identifier: BSD-3-Clause
"""Bad settings: one message each, which names the setting and the value; the program's result is as without us.
usage: settings.py [BED]: a POSIX program, or two ranks of an MPI program"""
import contextlib
import os
import re
import stat
import sys

import harness
import recovery

check = harness.Check()
bed = harness.Bed(sys.argv[1]) if len(sys.argv) > 1 else None


def run(work, name, toto):
    (work / name).mkdir()
    file = work / name / "file"
    if bed is None:
        done = harness.run_alone(harness.BUILT["programs"]["writer"], file, toto=toto)
    else:
        done = bed.run(2, bed.program("layout"), f"create:{file}", toto=toto)
    return done, file.read_bytes() if file.exists() else None, harness.entries(work / name)


@contextlib.contextmanager
def tmpfs(where, options):
    """A mounted tmpfs, or None where we may not mount."""
    where.mkdir()
    mounted = harness.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", where]).code == 0
    try:
        yield where if mounted else None
    finally:
        if mounted:
            harness.run(["umount", where])


def expect_one(work, name, settings, *words):
    settings = {"TOTO_PFS_PATHS": work, "TOTO_REPORT": work / f"{name}.json", "TOTO_SEGMENT_DIR": place.segments, **settings}
    settings = {k: v for k, v in settings.items() if v is not None}
    got, contents, files = run(work, name, settings)
    check.equal((bare.code, bare.out), (got.code, got.out), f"{name}: exit code and output ({got.err})")
    check.equal(bare.err, got.err_without_toto, f"{name}: the program's own messages")
    check.equal((bare_contents, bare_files), (contents, files), f"{name}: the file written")
    if check.equal(1, len(got.toto_lines), f"{name}: messages: {got.toto_lines}"):
        for word in words:
            check.that(str(word) in got.toto_lines[0], f"{name}: the message names {word}", got.toto_lines[0])
    return got


def expect_kept(work, name, settings, *words):
    """A report that cannot be written: what it would have said is kept, and the message names the command that writes it."""
    got = expect_one(work, name, settings, "toto report --recover", *words)
    check.equal(1, len(harness.entries(place.segments)), f"{name}: segments")
    named = re.search(r"--output FILE (\S+?)`", "".join(got.toto_lines))
    if not check.that(named is not None, f"{name}: the message names the job", got.toto_lines):
        return
    output = place.reports / f"{name}.json"
    done = place.recover("--output", output, named[1])
    if check.equal(0, done.code, f"{name}: recovery ({done.err})"):
        layer = harness.layer(harness.report(output), "mpiio" if bed else "posix")
        check.equal(len(bare_contents), layer["bytes_written"], f"{name}: bytes in the recovered report")
    check.equal([], harness.entries(place.segments), f"{name}: segments left")


with harness.folder() as work, recovery.place() as place:
    bare, bare_contents, bare_files = run(work, "bare", None)
    check.equal(0, bare.code, f"the bare run's exit code ({bare.err})")
    (work / "broken.toml").write_text("TOTO_HINTS = \"*:cb_nodes=2\"\n[unclosed\n")
    (work / "unknown.toml").write_text("TOTO_NO_SUCH = \"1\"\n")
    (work / "number.toml").write_text("TOTO_MEMORY_KIB = \"plenty\"\n")

    missing = work / "missing"
    cases = [
        ("unknown_key", {"TOTO_HINTS": "*:no_such_key_at_all=1"}, "TOTO_HINTS", "no_such_key_at_all"),
        ("bad_value", {"TOTO_HINTS": "*:cb_nodes=none"}, "TOTO_HINTS", "cb_nodes", "none"),
        ("no_hints", {"TOTO_HINTS": "*.dat"}, "TOTO_HINTS", "*.dat"),
        ("no_rules_file", {"TOTO_HINTS": f"@{missing}"}, "TOTO_HINTS", missing),
        ("rules_are_a_folder", {"TOTO_HINTS": f"@{work}"}, "TOTO_HINTS", work),
        ("no_config", {"TOTO_CONFIG": missing}, "TOTO_CONFIG", missing),
        ("broken_config", {"TOTO_CONFIG": work / "broken.toml"}, "TOTO_CONFIG", work / "broken.toml", "line 2"),
        ("unknown_in_config", {"TOTO_CONFIG": work / "unknown.toml"}, "TOTO_CONFIG", "TOTO_NO_SUCH"),
        ("number_in_config", {"TOTO_CONFIG": work / "number.toml"}, "TOTO_MEMORY_KIB", "plenty"),
        ("nothing_below", {"TOTO_PFS_PATHS": f"{work}:{missing}"}, "TOTO_PFS_PATHS", missing),
        ("relative_path", {"TOTO_PFS_PATHS": f"{work}:some/where"}, "TOTO_PFS_PATHS", "some/where"),
        ("unknown_type", {"TOTO_PFS_PATHS": f"{work}=nosuchfs"}, "TOTO_PFS_PATHS", "nosuchfs"),
        ("report_folder", {"TOTO_REPORT": missing / "report.json"}, "TOTO_REPORT", missing / "report.json"),
        ("logs_folder", {"TOTO_LOGS_FOLDER": missing, "TOTO_REPORT": None}, "TOTO_LOGS_FOLDER", missing),
        ("switch", {"TOTO_SUMMARY": "perhaps"}, "TOTO_SUMMARY", "perhaps"),
        ("disable", {"TOTO_DISABLE": "maybe"}, "TOTO_DISABLE", "maybe"),
        ("tuning", {"TOTO_STRIPE_COUNT_TUNING": "-3"}, "TOTO_STRIPE_COUNT_TUNING", "-3"),
        ("mode", {"TOTO_HINTS_MODE": "both"}, "TOTO_HINTS_MODE", "both", "fill|override"),
        ("level", {"TOTO_LOG_LEVEL": "loud"}, "TOTO_LOG_LEVEL", "loud"),
        ("number", {"TOTO_MEMORY_KIB": "many"}, "TOTO_MEMORY_KIB", "many"),
        ("negative", {"TOTO_MEMORY_KIB": "-512"}, "TOTO_MEMORY_KIB", "-512"),
        ("fraction", {"TOTO_MEMORY_KIB": "512.5"}, "TOTO_MEMORY_KIB", "512.5"),
        ("huge", {"TOTO_MEMORY_KIB": "99999999999999999999999"}, "TOTO_MEMORY_KIB", "99999999999999999999999"),
    ]
    if bed is not None:  # the settings whose message depends on how ranks agree; the rest is the same code
        chosen = ("unknown_key", "broken_config", "nothing_below", "report_folder", "number")
        cases = [case for case in cases if case[0] in chosen]
    for name, settings, *words in cases:
        (expect_kept if name in ("report_folder", "logs_folder") else expect_one)(work, name, settings, *words)

    if bed is None and os.geteuid() == 0:
        with tmpfs(work / "full", "size=64k") as full:
            if full is not None:
                with contextlib.suppress(OSError), open(full / "filler", "wb") as filler:
                    while filler.write(b"x" * 4096):
                        filler.flush()
                expect_kept(work, "full_disk", {"TOTO_REPORT": full / "report.json"}, "TOTO_REPORT",
                           full / "report.json")
                check.equal(["filler"], harness.entries(full), "full_disk: files left")
        with tmpfs(work / "read_only", "ro,size=64k") as read_only:
            if read_only is not None:
                expect_kept(work, "read_only_logs", {"TOTO_LOGS_FOLDER": read_only, "TOTO_REPORT": None},
                           "TOTO_LOGS_FOLDER", read_only)
        # A device node such as /dev/full or /dev/null is not replaced by a file, nor is what a link leads to lost.
        node = work / "device"
        with contextlib.suppress(OSError):
            os.mknod(node, stat.S_IFCHR | 0o666, os.makedev(1, 7))
            expect_kept(work, "full_device", {"TOTO_REPORT": node}, "TOTO_REPORT", node)
            check.that(stat.S_ISCHR(node.lstat().st_mode), "full_device: the device is still a device")
check.end()
