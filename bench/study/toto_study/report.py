# SPDX-License-Identifier: BSD-3-Clause
"""toto study report: what the runs of a study say about the cost of the library."""

import argparse
import collections
import os

from . import analysis, own_reports, plots, stats
from . import data as columns
from .errors import StudyError
from .files import write_text
from .page import chance, fixed, html, section, span, text

CORRECTION_NAMES = {"bh": "Benjamini and Hochberg", "holm": "Holm"}
OWN_NOTE = ("Calls are counted exactly, all ranks together; medians of the runs. Instructions: calls times what each adds "
            "(--instructions; bench/micro measures it); their share of the run's processor time at one a nanosecond.")
HEADS = {"cpu": "processor, points", "cpu_ms": "processor, ms a run", "node": "node, points", "rss": "memory, MiB"}


def main(words, parser):
    parser.description = __doc__
    parser.add_argument("folder", metavar="RUN_FOLDER", help="run_NNN of a study")
    parser.add_argument("--out", metavar="FOLDER", help="where the page and the plots go (default: RUN_FOLDER/report)")
    parser.add_argument("--metric", help="what is compared (default: the parser's first metric)")
    parser.add_argument("--lower-is-better", action="store_true", help="the metric is a time")
    parser.add_argument("--switch", metavar="VARIABLE", help="the variable that is false in the baseline")
    parser.add_argument("--group", metavar="VARIABLE", default="place",
                        help="pooled rows for each of its values apart (default: place)")
    parser.add_argument("--correction", choices=sorted(stats.CORRECTIONS), default="bh",
                        help="for many tests: Benjamini and Hochberg (bh), or Holm; default: bh")
    parser.add_argument("--seed", type=int, default=42, help="of the bootstrap")
    parser.add_argument("--figures", metavar="GROUP", nargs="?", const="", default=argparse.SUPPRESS,
                        help="print lines \"figure study...\"; bandwidth of that group alone")
    parser.add_argument("--instructions", metavar="CALL=N,...",
                        help="added by each call, from bench/micro: such as writes=110,seeks=60")
    options = parser.parse_args(words)
    costs = own_reports.per_call(options.instructions)
    data = columns.load(options.folder, options.metric, options.switch)
    how = {"higher_is_better": not options.lower_is_better, "correction": options.correction, "seed": options.seed}
    cells = analysis.cells(data, **how)
    if not cells:
        raise StudyError(f"{options.folder}: no pair of runs with and without {data.switch}")
    pooled = analysis.pooled(data, options.group, **how)
    sections = tables(data, cells, pooled, options.correction)
    head, rows = own_reports.table(data, costs)
    if rows:
        sections.insert(-1, section("What the library's own reports say", OWN_NOTE, head, rows))
    out = options.out or os.path.join(options.folder, "report")
    os.makedirs(out, exist_ok=True)
    pictures = {"Slowdown by pattern": plots.heat_map(data, cells), "Spread of the runs": plots.box_plot(data),
                "Processors and memory against the baseline": plots.against_baseline(data)}
    for (title, images), name in zip(pictures.items(), ("slowdown", "spread", "resources")):
        for kind, content in images.items():
            with open(os.path.join(out, f"{name}.{kind}"), "wb") as file:
                file.write(content)
        sections.insert(-1, section(title, image=images["svg"]))
    name = data.about["benchmark"]["name"]
    page = os.path.join(out, "index.html")
    write_text(page, html(f"{name}: what it costs", data.about["benchmark"].get("description") or "", sections))
    print(text(sections))
    print(f"\nThe page: {page}")
    if "figures" in options:
        print_figures(data, cells, pooled, options.figures)
    return 0


def tables(data, cells, pooled, correction):
    tests = len(cells)
    pairs = max(one.pairs for one in cells)
    least = stats.least_p(pairs, pairs)
    notes = [
        f"{len(data.rows)} runs, {len(data.failed)} failed; pairs are runs of the same pattern and repetition. Slowdown: "
        f"median of the pairs, in percent of {data.metric} without; negative: faster with. Intervals: 95 %, bootstrap of the pairs.",
        "Processor: time of the run's own processes in percent of the node's cores; node: all of the node, sampled. Memory: "
        "peak of the largest rank (metric rank_rss_kib), or where that is not told of the run's largest process.",
        "Resolution: the smallest slowdown that would have shown in 8 of 10 such studies (5 % level)."]
    group = bool(pooled[0].group)
    head = (["place"] if group else []) + [", ".join(data.levels) or "level", "pairs", "slowdown %", "interval", "p",
                                           f"p ({correction})", "resolution %", HEADS["cpu"], "interval",
                                           HEADS["cpu_ms"], HEADS["node"], HEADS["rss"], "interval"]
    rows = [([one.group] if group else []) + [
        data.level_name(one.level), one.pairs, fixed(one.slowdown, sign=True), span(one.low, one.high), chance(one.p),
        chance(one.adjusted), fixed(one.resolution), fixed(one.cpu[0], sign=True), span(*one.cpu[1:]),
        fixed(one.cpu_ms[0], 1, True), fixed(one.node_cpu[0], sign=True), fixed(one.rss_mib[0], sign=True),
        span(*one.rss_mib[1:])] for one in pooled]
    alone = f"{chance(min(1.0, least * tests))} corrected if it is the only one"
    cell_note = (f"p: Mann-Whitney, two-sided, and corrected for {tests} tests ({CORRECTION_NAMES[correction]}). With {pairs} "
                 f"pairs no cell can have a p below {chance(least)} ({alone}): what single cells cannot show, the "
                 "interval does, and the table of all patterns (p there: Wilcoxon's signed ranks). Delta: Cliff's; "
                 "-1: always slower with, +1: always faster.")
    worst = max(range(len(cells)), key=lambda at: cells[at].slowdown)
    cell_rows = [[data.name(one.pattern), data.level_name(one.level), one.pairs, fixed(one.without, 1),
                  fixed(one.with_it, 1), fixed(one.slowdown, sign=True), span(one.low, one.high), chance(one.p),
                  chance(one.adjusted), fixed(one.delta, sign=True), fixed(one.resolution),
                  fixed(one.cpu_points, sign=True), fixed(one.cpu_ms, 1, True), fixed(one.node_points, sign=True),
                  fixed(one.rss_mib, sign=True)] for one in cells]
    cell_head = ["pattern", ", ".join(data.levels) or "level", "pairs", "without", "with", "slowdown %", "interval", "p",
                 f"p ({correction})", "delta", "resolution %", *HEADS.values()]
    found = [section("All patterns", notes, head, rows), section("Cells", [cell_note], cell_head, cell_rows, worst=worst)]
    if data.failed:
        reasons = collections.Counter(str(row.get("metadata.error")) for row in data.failed)
        found.insert(0, section(
            "Runs that failed", f"{len(data.failed)} of {len(data.failed) + len(data.rows)}; their folders are kept",
            ["execution", "repetition", "why"],
            [[row["execution.execution_id"], row["execution.repetition"], str(row.get("metadata.error"))]
             for row in data.failed] if len(reasons) <= 30 else [[why, number, ""] for why, number in reasons.items()]))
    return found


def print_figures(data, cells, pooled, group):
    """Bandwidth of one group (such as a throttled file system); processor time and memory: the worse of all groups."""
    at = [index for index, _ in enumerate(data.patterns) if any(pattern[index] == group for pattern in data.base)]
    chosen = [one for one in cells if not group or any(one.pattern[index] == group for index in at)]
    if not chosen:
        raise StudyError(f"--figures: no cell of {group!r}")
    worst = max(chosen, key=lambda one: one.slowdown)
    middle = sorted(one.slowdown for one in chosen)
    median = (middle[len(middle) // 2] + middle[~(len(middle) // 2)]) / 2
    print(f"worst cell: {data.name(worst.pattern)} at {data.level_name(worst.level)}: {worst.slowdown:+.2f} % "
          f"({span(worst.low, worst.high)}), p {chance(worst.p)}, corrected {chance(worst.adjusted)}, "
          f"resolution {fixed(worst.resolution)} %")
    print(f"figure study.bandwidth.median_pct {median:.3f}")
    print(f"figure study.bandwidth.worst_pct {worst.slowdown:.3f}")
    for level in (250, 50):
        points = [one.cpu[0] for one in pooled if one.level == (level,) and one.cpu[0] == one.cpu[0]]
        if points:
            print(f"figure study.cpu.{level}ms_points {max(points):.3f}")
    memory = [one.rss_mib for one in cells if one.rss_mib == one.rss_mib]
    if memory:
        print(f"figure study.memory_mib {max(memory):.3f}")
