# SPDX-License-Identifier: BSD-3-Clause
"""Nanoseconds: variants take turns, each in a process of its own, so that what else the machine does meets all
of them alike; of many short repetitions the quietest counts. Processor time of the calling thread: a call that
waits for its turn on a busy machine is no dearer for that."""

import json
import os
import statistics

from variants import VARIANTS, progress, run_quietly

REPETITIONS = 5
SECONDS = 0.02  # of one repetition, at least


def run_once(bench, program, variant, path):
    command = [
        program.path, bench.folder, f"--benchmark_min_time={SECONDS}", f"--benchmark_repetitions={REPETITIONS}",
        "--benchmark_format=console", f"--benchmark_out={path}", "--benchmark_out_format=json",
    ]
    run_quietly(command, bench.environment(program, variant))
    with open(path, encoding="utf-8") as file:
        found = json.load(file)
    quietest = {}
    for one in found["benchmarks"]:
        if one["run_type"] == "iteration":
            name = one["run_name"]
            quietest[name] = min(one["cpu_time"], quietest.get(name, one["cpu_time"]))
    return quietest


def time_calls(bench, out, rounds, results):
    samples = {}
    for number in range(rounds):
        progress(f"times, round {number + 1} of {rounds}")
        for program in bench.programs:
            turn = VARIANTS[number % len(VARIANTS):] + VARIANTS[:number % len(VARIANTS)]
            for variant in turn:
                path = os.path.join(out, f"times.{program.name}.{variant}.{number + 1}.json")
                for call, ns in run_once(bench, program, variant, path).items():
                    samples.setdefault(call, {}).setdefault(variant, []).append(ns)
    for call, by_variant in samples.items():
        least = {variant: min(by_variant[variant]) for variant in VARIANTS}
        results.set(call, "ns", "bare", least["bare"])
        for variant in VARIANTS[1:]:
            results.set(call, "ns", variant, least[variant] - least["bare"])
        pairs = [ours - bare for ours, bare in zip(by_variant["watched"], by_variant["bare"])]
        results.set(call, "ns", "watched_paired_median", statistics.median(pairs))


def time_starts(bench, out, starts, results):
    """/bin/true: wall time of start and end, and the page faults, which are most of it."""
    progress(f"start of /bin/true, {starts} times each")
    command = [bench.start, "/bin/true", str(starts), bench.forwarder, bench.preload]
    lines = run_quietly(command, bench.clean())
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
