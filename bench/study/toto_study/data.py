# SPDX-License-Identifier: BSD-3-Clause
"""The runs of a study as pairs: with and without, of the same pattern and the same repetition."""

import collections
import glob
import os
from dataclasses import dataclass, field

from . import probes
from .errors import StudyError, did_you_mean
from .files import read_json
from .template import names_in


@dataclass
class Data:
    about: dict
    switch: str                  # the variable that is false in the baseline
    levels: list                 # variables that are swept only with it, such as a period
    patterns: list               # all other swept variables
    metric: str
    rows: list
    failed: list
    base: dict = field(default_factory=dict)     # {pattern: {repetition: row}}
    treated: dict = field(default_factory=dict)  # {(pattern, level): {repetition: row}}

    def pairs(self, pattern, level, value):
        """(without, with) as two lists; `value` takes a row and may say None."""
        without, with_it = [], []
        for repetition, row in sorted(self.treated.get((pattern, level), {}).items()):
            a, b = value(self.base.get(pattern, {}).get(repetition)), value(row)
            if a is not None and b is not None:
                without.append(a)
                with_it.append(b)
        return without, with_it

    def varying(self):
        """The pattern variables that have more than one value: what tells patterns apart."""
        return [at for at, _ in enumerate(self.patterns) if len({pattern[at] for pattern in self.base}) > 1]

    def name(self, pattern):
        words = []
        for at in self.varying():
            value, name = pattern[at], self.patterns[at]
            words.append(value if isinstance(value, str) else f"{name}={value}")
        return ", ".join(map(str, words)) or "all"

    def level_name(self, level):
        return ", ".join(map(str, level)) or "with"

    @property
    def level_values(self):
        return sorted({level for _, level in self.treated}, key=lambda one: [(isinstance(x, str), x) for x in one])


def number(key):
    def value(row):
        try:
            return None if row is None else float(row[key])
        except (KeyError, TypeError, ValueError):
            return None
    return value


def cpu_points(row):
    """Percent of the node's processors that the run's own processes took."""
    try:
        return 100 * (row["metadata.cpu_user_s"] + row["metadata.cpu_system_s"]) / (
            row["metadata.wall_s"] * row["metadata.cpu_cores"])
    except (KeyError, TypeError, ZeroDivisionError):
        return None


def cpu_seconds(row):
    try:
        return row["metadata.cpu_user_s"] + row["metadata.cpu_system_s"]
    except (KeyError, TypeError):
        return None


def rss_mib(row):
    """Resident memory of the largest rank at its peak, where the study tells it as a metric; else of the run's largest
    process, which may be the launcher."""
    kib = number("metrics.rank_rss_kib")(row)
    if kib is None:
        kib = number("metadata.max_rss_kib")(row)
    return None if kib is None else kib / 1024


node_cpu = number("trace.cpu_avg_pct")


def node_mib(row):
    peak = number("trace.mem_peak_per_node_gb")(row)
    return None if peak is None else peak * 1024


def load(folder, metric=None, switch=None):
    about = read_json(os.path.join(folder, "__iops_run_metadata.json"))
    if about is None:
        raise StudyError(f"{folder}: no folder of a study (__iops_run_metadata.json is not there or not whole)")
    rows, failed = [], []
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), "runs", "exec_*", "repetition_*"))):
        row = read_json(os.path.join(path, "toto_row.json"))
        if row is None:
            continue
        if row.get("metadata.executor_status") != "SUCCEEDED":
            failed.append(row)
            continue
        row |= {f"trace.{key}": value for key, value in probes.trace_summary(path).items()}
        rows.append(row)
    if not rows:
        raise StudyError(f"{folder}: no run has succeeded")
    variables = about.get("variables", {})
    swept = [name for name, one in variables.items() if one["swept"]]
    switch = _switch(switch, variables, swept)
    levels = [name for name in swept if variables[name]["when"] and switch in names_in(variables[name]["when"])]
    patterns = [name for name in swept if name != switch and name not in levels]
    metric = _metric(metric, about, rows)
    data = Data(about, switch, levels, patterns, metric, rows, failed)
    base, treated = collections.defaultdict(dict), collections.defaultdict(dict)
    for row in rows:
        pattern = tuple(row.get("vars." + name) for name in patterns)
        repetition = row["execution.repetition"]
        if row.get("vars." + switch):
            treated[pattern, tuple(row.get("vars." + name) for name in levels)][repetition] = row
        else:
            base[pattern][repetition] = row
    data.base, data.treated = dict(base), dict(treated)
    if not base or not treated:
        raise StudyError(f"{folder}: runs {'without' if not base else 'with'} {switch} are missing: nothing to compare")
    return data


def _switch(given, variables, swept):
    if given is not None:
        if given not in swept:
            raise StudyError(f"--switch: no swept variable {given!r}{did_you_mean(given, swept)}")
        return given
    bools = [name for name in swept if variables[name]["type"] == "bool"]
    asked = [name for name in bools if any(name in names_in(one["when"]) for one in variables.values() if one["when"])]
    for candidates in (asked, bools):
        if len(candidates) == 1:
            return candidates[0]
    raise StudyError("--switch NAME is needed: which swept variable is false in the baseline?")


def _metric(given, about, rows):
    there = sorted({key.removeprefix("metrics.") for row in rows for key in row if key.startswith("metrics.")})
    metric = given or next(iter(about.get("metrics", [])), None)
    if metric not in there:
        raise StudyError(f"--metric: no metric {metric!r}{did_you_mean(metric, there)}; there: {', '.join(there)}")
    return metric
