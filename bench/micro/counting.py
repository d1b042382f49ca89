# SPDX-License-Identifier: BSD-3-Clause
"""User-space instructions a call: by the processor's counter where the kernel gives one to the program, else by
callgrind, which gives the same to about 2 %. Exact, so that they can be gated on."""

import glob
import os
import re
import shutil
import sys

from variants import VARIANTS, progress, run_quietly

CALLS = 4096  # a whole number of the stream's buffers, and of rounds through the file


def part_of(path):
    """Dumps are numbered; the last one, at the program's end, has no number."""
    number = path.rsplit(".", 1)[1]
    return int(number) if number.isdigit() else sys.maxsize


def by_callgrind(command, env, profile):
    """Instructions by the name of each dump that the program asked for; no name: of the whole run."""
    for old in glob.glob(f"{glob.escape(profile)}*"):
        os.unlink(old)
    tool = ["valgrind", "-q", "--tool=callgrind", "--dump-instr=yes", f"--callgrind-out-file={profile}"]
    run_quietly(tool + command, env)
    found = {}
    for path in sorted(glob.glob(f"{glob.escape(profile)}*"), key=part_of):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        name = re.search(r"^desc: Trigger: Client Request: (\S+)", text, re.MULTILINE)
        total = re.search(r"^(?:summary|totals): (\d+)", text, re.MULTILINE)
        if total:
            found[name.group(1) if name else ""] = int(total.group(1))
    return found


def by_processor(command, env):
    lines = run_quietly(command, env).splitlines()
    return {name: int(total) for name, total in (line.split() for line in lines)}


def has_processor_counter(bench):
    """The program prints nothing where it has none."""
    program = bench.programs[0]
    return bool(by_processor([program.path, bench.folder, "count", "64"], bench.environment(program, "bare")))


def count(bench, out, results):
    processor = has_processor_counter(bench)
    if not processor and shutil.which("valgrind") is None:
        progress("no instruction counter on this machine, and no valgrind: no instructions")
        return
    progress("instructions, by " + ("the processor's counter" if processor else "callgrind"))
    for program in bench.programs:
        totals = {}
        for variant in VARIANTS:
            command = [program.path, bench.folder, "count", str(CALLS)]
            env = bench.environment(program, variant)
            profile = os.path.join(out, f"callgrind.{program.name}.{variant}")
            totals[variant] = by_processor(command, env) if processor else by_callgrind(command, env, profile)
            totals[variant].pop("", None)
        for call, bare in totals["bare"].items():
            results.set(call, "instructions", "bare", bare / CALLS)
            for variant in VARIANTS[1:]:
                results.set(call, "instructions", variant, (totals[variant][call] - bare) / CALLS)
    if shutil.which("valgrind") is not None:
        count_start(bench, out, results)


def count_start(bench, out, results):
    """The dynamic linker's work included; the kernel's, such as page faults, not."""
    whole = {}
    for name, library in (("bare", None), ("forwarder", bench.forwarder), ("toto", bench.library)):
        env = bench.clean() | ({"LD_PRELOAD": library} if library else {})
        whole[name] = by_callgrind(["/bin/true"], env, os.path.join(out, f"callgrind.start.{name}"))[""]
        results.start.setdefault(name, {})["added_instructions"] = whole[name] - whole["bare"]
