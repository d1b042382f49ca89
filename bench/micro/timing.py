# SPDX-License-Identifier: BSD-3-Clause
"""Nanoseconds: variants take turns, each in a process of its own, so that what else the machine does meets all
of them alike; of many short repetitions the quietest counts. Processor time of the calling thread: a call that
waits for its turn on a busy machine is no dearer for that."""

import json
import os
import statistics

from variants import LAUNCHED, THREADS, measure, progress, run_quietly

REPETITIONS = 5
SECONDS = 0.02  # of one repetition, at least


def run_once(bench, program, variant, path, threads=1):
    words = [] if threads == 1 else ["threads", str(threads)]
    words += [f"--benchmark_min_time={SECONDS}", f"--benchmark_repetitions={REPETITIONS}",
              "--benchmark_format=console", f"--benchmark_out={path}", "--benchmark_out_format=json"]
    run_quietly(bench.command(program, variant, words), bench.environment(program, variant))
    with open(path, encoding="utf-8") as file:
        found = json.load(file)
    quietest = {}
    for one in found["benchmarks"]:
        if one["run_type"] == "iteration":
            name = one["run_name"].replace("/threads:", ".threads")
            quietest[name] = min(one["cpu_time"], quietest.get(name, one["cpu_time"]))
    return quietest


def compare(bench, program, variants, out, rounds, results, threads=1):
    """Each variant less the first, by call."""
    samples = {}
    base = variants[0]
    for number in range(rounds):
        progress(f"times of {program.name}, {', '.join(variants)}, {threads} thread(s), round {number + 1} of {rounds}")
        start = number % len(variants)
        for variant in variants[start:] + variants[:start]:
            path = os.path.join(out, f"times.{program.name}.{variant}.{threads}.{number + 1}.json")
            for call, ns in run_once(bench, program, variant, path, threads).items():
                samples.setdefault(call, {}).setdefault(variant, []).append(ns)
    for call, by_variant in samples.items():
        least = {variant: min(by_variant[variant]) for variant in variants}
        results.set(call, "ns", base, least[base])
        for variant in variants[1:]:
            results.set(call, "ns", variant, least[variant] - least[base])
        ours = "watched" if "watched" in variants else variants[-1]
        pairs = [with_us - without for with_us, without in zip(by_variant[ours], by_variant[base])]
        results.set(call, "ns", ours + "_paired_median", statistics.median(pairs))


def time_calls(bench, out, rounds, results):
    for program in bench.programs:
        compare(bench, program, program.variants(), out, rounds, results)
        if program.has_ranks():
            compare(bench, program, LAUNCHED, out, rounds, results)


def time_threads(bench, out, rounds, results):
    program = bench.programs[0]
    for threads in THREADS:
        compare(bench, program, ("bare", "watched"), out, rounds, results, threads)


def time_starts(bench, out, starts, results):
    """/bin/true: wall time of start and end, and the page faults, which are most of it."""
    progress(f"start of /bin/true, {starts} times each")
    command = [bench.start, "/bin/true", str(starts), bench.forwarder, bench.preload]
    lines = run_quietly(command, measure.clean_environment())
    with open(os.path.join(out, "start.txt"), "w", encoding="utf-8") as file:
        file.write(lines)
    names = ("bare", "forwarder", "toto")
    samples = {name: [] for name in names}
    faults = {name: [] for name in names}
    for line in lines.splitlines():
        variant, ns, minor = (int(word) for word in line.split())
        samples[names[variant]].append(ns / 1e6)
        faults[names[variant]].append(minor)
    for name in names:
        pairs = [ours - bare for ours, bare in zip(samples[name], samples["bare"])]
        results.start[name] = {
            "minimum_ms": min(samples[name]),
            "median_ms": statistics.median(samples[name]),
            "added_ms": min(samples[name]) - min(samples["bare"]),
            "added_ms_paired_median": statistics.median(pairs),
            "page_faults": statistics.median(faults[name]),
        } | results.start.get(name, {})
