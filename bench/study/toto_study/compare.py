# SPDX-License-Identifier: BSD-3-Clause
"""toto study compare: two JSON results of Google Benchmark side by side, with the ratio of their times.

Of repetitions the least counts (as bench/micro does), or the median where the file has only aggregates."""

import json
import math
import os

from .errors import StudyError
from .page import section, text

NANOSECONDS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}


def times(path, which):
    """{name: ns}"""
    try:
        with open(path, encoding="utf-8") as file:
            benchmarks = json.load(file)["benchmarks"]
    except OSError as why:
        raise StudyError(f"{path}: {why.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise StudyError(f"{path}: no JSON result of Google Benchmark (--benchmark_out_format=json)") from None
    found, medians = {}, {}
    for one in benchmarks:
        if one.get("error_occurred") or which not in one:
            continue
        name = one.get("run_name", one["name"])
        value = one[which] * NANOSECONDS.get(one.get("time_unit", "ns"), 1.0)
        if one.get("run_type") == "aggregate":
            if one.get("aggregate_name") == "median":
                medians[name] = value
        else:
            found[name] = min(value, found.get(name, math.inf))
    return {**medians, **found}


def main(words, parser):
    parser.description = __doc__
    parser.add_argument("first", metavar="A.json")
    parser.add_argument("second", metavar="B.json")
    parser.add_argument("--real-time", action="store_true", help="wall instead of processor time")
    options = parser.parse_args(words)
    which = "real_time" if options.real_time else "cpu_time"
    first, second = times(options.first, which), times(options.second, which)
    names = [name for name in first if name in second]
    if not names:
        raise StudyError(f"{options.first} and {options.second} have no benchmark in common")
    rows = [[name, f"{first[name]:.1f}", f"{second[name]:.1f}", f"{second[name] - first[name]:+.1f}",
             f"{second[name] / first[name]:.3f}" if first[name] else "-"] for name in names]
    labels = [os.path.basename(options.first), os.path.basename(options.second)]
    print(text([section(f"A: {options.first}; B: {options.second}; {which.replace('_', ' ')}, ns", (),
                        ["benchmark", *(f"{letter} {label}" for letter, label in zip("AB", labels)), "B - A", "B / A"],
                        rows)]).lstrip("\n"))
    ratios = [second[name] / first[name] for name in names if first[name] > 0 and second[name] > 0]
    if ratios:
        print(f"\n  geometric mean of B / A: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.3f} "
              f"over {len(ratios)}")
    for label, mine, other in zip("AB", (first, second), (second, first)):
        alone = [name for name in mine if name not in other]
        if alone:
            print(f"  only in {label}: {', '.join(alone)}")
    return 0
