# SPDX-License-Identifier: BSD-3-Clause
"""What the library's own reports in the runs' folders say: its calls, counted exactly, and what its rounds took. Where
a run's noise hides a difference, calls times instructions a call (from bench/micro) tell how large it can be."""

import glob
import os
import statistics

from .errors import StudyError, did_you_mean
from .files import read_json

CALLS = ("opens", "closes", "reads", "writes", "seeks")


def read(folder):
    """{"rounds", "round_ms", and each of CALLS}; None where there is no report, or not one alone."""
    found = [report for path in glob.glob(os.path.join(glob.escape(folder), "toto.*.json"))
             if isinstance(report := read_json(path), dict) and "layers" in report]
    if len(found) != 1:
        return None
    layer = found[0]["layers"].get("posix", {})
    rounds = found[0].get("rounds") or {}
    return {name: layer.get(name, 0) for name in CALLS} | {
        "rounds": rounds.get("count", 0), "round_ms": 1e3 * rounds.get("spent_seconds", 0.0)}


def per_call(text):
    """"writes=110,seeks=60" as a dict."""
    costs = {}
    for part in filter(None, (text or "").split(",")):
        name, _, value = part.partition("=")
        if name not in CALLS:
            raise StudyError(f"--instructions: no call {name!r}{did_you_mean(name, CALLS)}; there: {', '.join(CALLS)}")
        try:
            costs[name] = float(value)
        except ValueError:
            raise StudyError(f"--instructions: {part!r}: a number is expected") from None
    return costs


def table(data, costs):
    """(head, rows): one a level, medians of its runs; no rows where no run has a report."""
    rows = []
    for level in data.level_values:
        found = [(own, row) for (_, one), runs in data.treated.items() if one == level for row in runs.values()
                 if (own := read(row["execution.execution_dir"])) is not None]
        if not found:
            continue
        owns = [own for own, _ in found]
        line = [data.level_name(level), len(found), f"{statistics.median(sum(own[name] for name in CALLS) for own in owns):g}",
                f"{statistics.median(own['rounds'] for own in owns):g}",
                f"{statistics.median(own['round_ms'] for own in owns):.3f}"]
        if costs:
            added = [sum(own[name] * cost for name, cost in costs.items()) for own in owns]
            spent = [one * 1e-9 / seconds for one, (_, row) in zip(added, found)
                     if (seconds := row.get("metadata.cpu_user_s", 0) + row.get("metadata.cpu_system_s", 0)) > 0]
            line += [f"{statistics.median(added):,.0f}", f"{100 * statistics.median(spent):.4f}" if spent else "-"]
        rows.append(line)
    head = [", ".join(data.levels) or "level", "reports", "calls a run", "rounds a run", "rank 0 in rounds, ms"]
    return head + (["instructions a run", "% of processor time"] if costs else []), rows
