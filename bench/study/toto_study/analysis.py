# SPDX-License-Identifier: BSD-3-Clause
"""What the pairs of a study say: per cell (a pattern at a level, such as a period), and over all patterns."""

import math
import statistics
from dataclasses import dataclass
from typing import Any

from . import data as columns
from . import stats


@dataclass
class Cell:
    pattern: Any
    level: Any
    pairs: int
    without: float       # medians of the metric
    with_it: float
    slowdown: float      # percent; median of pairs
    low: float           # its 95 % interval
    high: float
    p: float             # Mann-Whitney
    adjusted: float
    delta: float         # Cliff
    resolution: float    # percent
    cpu_points: float    # median of paired differences; nan: not measured
    cpu_ms: float
    node_points: float
    rss_mib: float
    node_mib: float


@dataclass
class Pooled:
    """All patterns at one level, in one place."""
    group: str
    level: Any
    pairs: int
    slowdown: float
    low: float
    high: float
    p: float
    adjusted: float
    resolution: float
    cpu: tuple           # (median, low, high) of the difference in percent of the node; (nan,) * 3: not measured
    cpu_ms: tuple
    node_cpu: tuple
    rss_mib: tuple


def _difference(data, pattern, level, value):
    without, with_it = data.pairs(pattern, level, value)
    return [b - a for a, b in zip(without, with_it)]


def _median(values):
    return statistics.median(values) if values else math.nan


def cells(data, higher_is_better=True, correction="bh", seed=42):
    found = []
    metric = columns.number("metrics." + data.metric)
    for pattern, level in sorted(data.treated, key=lambda one: ([str(x) for x in one[0]],
                                                                 data.level_values.index(one[1]))):
        without, with_it = data.pairs(pattern, level, metric)
        if not without:
            continue
        lost = stats.slowdowns(without, with_it, higher_is_better)
        low, high = stats.interval(lost, seed)
        diff = {name: _median(_difference(data, pattern, level, value)) for name, value in (
            ("cpu", columns.cpu_points), ("seconds", columns.cpu_seconds), ("node", columns.node_cpu),
            ("rss", columns.rss_mib), ("node_mib", columns.node_mib))}
        found.append(Cell(
            pattern, level, len(without), statistics.median(without), statistics.median(with_it),
            float(statistics.median(lost)), low, high, stats.mann_whitney(without, with_it), 1.0,
            stats.cliffs_delta(without, with_it), stats.resolution(lost), diff["cpu"], 1e3 * diff["seconds"],
            diff["node"], diff["rss"], diff["node_mib"]))
    for one, p in zip(found, stats.CORRECTIONS[correction]([one.p for one in found])):
        one.adjusted = p
    return found


def pooled(data, group_by=None, higher_is_better=True, correction="bh", seed=42):
    """Over all patterns, for each value of the variable `group_by` (such as a file system) apart."""
    at = data.patterns.index(group_by) if group_by in data.patterns else None
    groups = sorted({pattern[at] for pattern in data.base}, key=str) if at is not None else [None]
    found = []
    metric = columns.number("metrics." + data.metric)
    for group in groups:
        for level in data.level_values:
            patterns = [pattern for pattern, one in data.treated
                        if one == level and (at is None or pattern[at] == group)]
            lost, cpu, seconds, node, rss = [], [], [], [], []
            for pattern in sorted(patterns, key=str):
                without, with_it = data.pairs(pattern, level, metric)
                lost += list(stats.slowdowns(without, with_it, higher_is_better))
                cpu += _difference(data, pattern, level, columns.cpu_points)
                seconds += [1e3 * one for one in _difference(data, pattern, level, columns.cpu_seconds)]
                node += _difference(data, pattern, level, columns.node_cpu)
                rss += _difference(data, pattern, level, columns.rss_mib)
            if not lost:
                continue
            triples = [(_median(one), *stats.interval(one, seed)) for one in (lost, cpu, seconds, node, rss)]
            found.append(Pooled("" if group is None else str(group), level, len(lost), *triples[0],
                                stats.signed_rank(lost), math.nan, stats.resolution(lost), *triples[1:]))
    tested = [one for one in found if not math.isnan(one.p)]
    for one, p in zip(tested, stats.CORRECTIONS[correction]([one.p for one in tested])):
        one.adjusted = p
    return found
