# SPDX-License-Identifier: BSD-3-Clause
"""User-space instructions a call: by the processor's counter where the kernel gives one to the program, else by
callgrind, which gives the same to about 2 %. Exact, so that they can be gated on."""

import glob
import os
import re
import shutil
import sys

from variants import THREADS, measure, progress, run_quietly

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
    for name, path in dumps_of(profile):
        with open(path, encoding="utf-8") as file:
            total = re.search(r"^(?:summary|totals): (\d+)", file.read(), re.MULTILINE)
        if total:
            found[name] = int(total.group(1))
    return found


def dumps_of(profile):
    """Names and files of a run's dumps, in the order in which they were made; no name: the end of the run."""
    found = []
    for path in sorted(glob.glob(f"{glob.escape(profile)}*"), key=part_of):
        with open(path, encoding="utf-8") as file:
            name = re.search(r"^desc: Trigger: Client Request: (\S+)", file.read(4096), re.MULTILINE)
        found.append((name.group(1) if name else "", path))
    return found


def own_of(path, library):
    """Instructions of our own in a callgrind profile: in the library itself, and in functions of MPI that it calls
    for itself (all but MPI_File_...: that is the program's call)."""
    ours = lambda name: name.endswith("libtoto_pmpi.so") or os.path.realpath(name) == os.path.realpath(library)
    objects, functions = {}, {}

    def named(known, text):
        number, _, name = text.partition(") ")
        number = number.rstrip(")")
        if name:
            known[number] = name
        return known.get(number, "")

    inside, callee_object, callee, call, total = False, None, "", False, 0
    with open(path, encoding="utf-8") as file:
        for line in map(str.rstrip, file):
            if line.startswith("ob="):
                inside = ours(named(objects, line[4:]))
            elif line.startswith("fn="):
                named(functions, line[4:])
            elif line.startswith("cob="):
                callee_object = ours(named(objects, line[5:]))
            elif line.startswith("cfn="):
                callee = named(functions, line[5:])
            elif line.startswith("calls="):
                call = True
            elif line[:1] in "0123456789+-*" and line:
                for_us = callee_object is False and callee.startswith("PMPI_") and not callee.startswith("PMPI_File_")
                if inside and (not call or for_us):
                    total += int(line.split()[-1])
                if call:
                    call, callee_object, callee = False, None, ""
    return total


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
        count_calls(bench, program, program.variants(), out, processor, results)
    if shutil.which("valgrind") is not None:
        count_start(bench, out, results)


def count_threads(bench, out, results):
    processor = has_processor_counter(bench)
    if processor or shutil.which("valgrind") is not None:
        for threads in THREADS:
            progress(f"instructions of {threads} threads")
            count_calls(bench, bench.programs[0], ("bare", "watched"), out, processor, results, threads)


def count_calls(bench, program, variants, out, processor, results, threads=1):
    words = ["count", str(CALLS)] if threads == 1 else ["threads", str(threads), "count", str(CALLS)]
    suffix = "" if threads == 1 else f".threads{threads}"
    calls = CALLS * threads
    totals = {}
    for variant in variants:
        command, env = bench.command(program, variant, words), bench.environment(program, variant)
        profile = os.path.join(out, f"callgrind.{program.name}.{variant}.{threads}")
        totals[variant] = by_processor(command, env) if processor else by_callgrind(command, env, profile)
        totals[variant].pop("", None)
        if variant == "watched" and not processor:
            for call, path in dumps_of(profile):
                if call:
                    results.set(call + suffix, "instructions", "own", own_of(path, program.preload) / calls)
    for call, bare in totals["bare"].items():
        results.set(call + suffix, "instructions", "bare", bare / calls)
        for variant in variants[1:]:
            results.set(call + suffix, "instructions", variant, (totals[variant][call] - bare) / calls)


def count_start(bench, out, results):
    """The dynamic linker's work included; the kernel's, such as page faults, not."""
    whole = {}
    for name, library in (("bare", None), ("forwarder", bench.forwarder), ("toto", bench.preload)):
        env = measure.clean_environment() | ({"LD_PRELOAD": library} if library else {})
        whole[name] = by_callgrind(["/bin/true"], env, os.path.join(out, f"callgrind.start.{name}"))[""]
        results.start.setdefault(name, {})["added_instructions"] = whole[name] - whole["bare"]
