#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""From runs to a page: a study whose answer is known is run, and its report says that answer."""
import json
import re

import studies
from harness import Check, folder
from studies import tiny

check = Check()

# The baseline gives 100 to 101; a period of 1 costs 10 %, one of 2 nothing. Six repetitions, two patterns.
METRIC = ("awk 'BEGIN { print (100 + {{ repetition }} / 6) * {{ 0.9 if period == 1 else 1 }} }' > {{ execution_dir }}/out\n"
          "{% if with_it %}echo '{\"layers\": {\"posix\": {\"writes\": 10, \"seeks\": 5} }, \"rounds\": {\"count\": 3, "
          "\"spent_seconds\": 0.001} }' > toto.a.json\n{% endif %}"
          "{{ 'exit 1' if kind == 'b' and repetition == 6 and period == 2 else '' }}\n")
with folder() as where:
    studies.write(where, tiny(**{
        "benchmark.repetitions": 6, "vars.kind": {"type": "str", "sweep": {"values": ["a", "b"]}},
        "benchmark.probes": {"resource_sampling": True, "sampling_interval": 0.02},
        "scripts.0.script_template": METRIC,
        "scripts.0.parser.parser_script": "def parse(path): return {'value': float(open(path).read())}"}))
    done = studies.toto_study(where, "study.yaml")
    check.equal(1, done.code, "one run fails, as it should")
    run = where / "w/run_001"
    done = studies.toto_study(where, "report", run, "--figures", "a")
    check.equal((0, ""), (done.code, done.err), "the report is made, without complaint")
    out = done.out
    cells = {tuple(line.split()[:2]): line.split() for line in out.split("Cells")[1].splitlines() if re.match(r"  [ab] ", line)}
    check.equal({("a", "1"), ("a", "2"), ("b", "1"), ("b", "2")}, set(cells), f"a row for each pattern and period: {out}")
    check.equal("+10.00", cells["a", "1"][5], "10 % are 10 %")
    check.equal("+0.00", cells["a", "2"][5], "and nothing is nothing")
    check.equal(("6", "5"), (cells["b", "1"][2], cells["b", "2"][2]), "a failed run has no pair")
    check.that("0.0022" in cells["a", "1"] and "-1.00" in cells["a", "1"], "the difference is significant, and large", cells["a", "1"])
    check.that("Runs that failed" in out and "1 of 36" in out, "failed runs are named and counted", out)
    figures = dict(re.findall(r"^figure (\S+) (\S+)$", out, re.M))
    check.equal(("5.000", "10.000"), (figures.get("study.bandwidth.median_pct"), figures.get("study.bandwidth.worst_pct")),
                "the figures of one group")
    check.that("study.memory_mib" in figures, "with memory", str(figures))

    done = studies.toto_study(where, "report", run, "--instructions", "writes=100,seeks=10")
    check.that(re.search(r"^  1 +12 +15 +3 +1\.000 +1,050 ", done.out, re.M), "the library's own reports, and what calls add",
               done.out + done.err)
    done = studies.toto_study(where, "report", run, "--instructions", "wries=100")
    check.that(done.code == 2 and "did you mean writes?" in done.err, "a call that is not there", done.err)

    page = (run / "report/index.html").read_text()
    for words in ("All patterns", "Cells", "Runs that failed", "Slowdown by pattern", "Spread of the runs",
                  "Processors and memory against the baseline", "+10.00", "Mann-Whitney"):
        check.that(words in page, f"the page says {words!r}")
    check.equal(3, page.count("data:image/svg+xml;base64,"), "and has three plots in it")
    check.equal([], re.findall(r"(?:src|href)=\"(?!data:)[^\"]*", page), "and nothing that lies elsewhere")
    for name in ("slowdown", "spread", "resources"):
        check.that((run / f"report/{name}.svg").read_bytes().startswith(b"<?xml"), f"{name}.svg")
        check.that((run / f"report/{name}.png").read_bytes().startswith(b"\x89PNG"), f"{name}.png")

    done = studies.toto_study(where, "report", run, "--metric", "vlaue")
    check.that(done.code == 2 and "did you mean value?" in done.err, "a metric that is not there", done.err)
    done = studies.toto_study(where, "report", where)
    check.that(done.code == 2 and "no folder of a study" in done.err, "a folder that is none", done.err)

# Two results of Google Benchmark.
with folder() as where:
    def result(name, *times, unit="ns"):
        return [{"name": name, "run_type": "iteration", "cpu_time": one, "real_time": 2 * one, "time_unit": unit} for one in times]
    for file, benchmarks in (("a.json", result("write", 10, 8) + result("read", 1, unit="us") + result("old", 1)),
                             ("b.json", result("write", 12, 16) + result("read", 500) + result("new", 1))):
        (where / file).write_text(json.dumps({"benchmarks": benchmarks}))
    done = studies.toto_study(where, "compare", "a.json", "b.json")
    lines = {line.split()[0]: line.split()[1:] for line in done.out.splitlines() if line.strip()}
    check.equal((["8.0", "12.0", "+4.0", "1.500"], ["1000.0", "500.0", "-500.0", "0.500"]), (lines.get("write"), lines.get("read")),
                f"the quietest of each, in one unit, and the ratio: {done.err}")
    check.that("only in A: old" in done.out and "only in B: new" in done.out and "0.866" in done.out, "what is alone, and the mean",
               done.out)
    (where / "c.json").write_text("{}")
    done = studies.toto_study(where, "compare", "a.json", "c.json")
    check.that(done.code == 2 and "c.json: no JSON result of Google Benchmark" in done.err, "a file that is none", done.err)
check.end()
