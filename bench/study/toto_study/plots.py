# SPDX-License-Identifier: BSD-3-Clause
"""The three plots of the published study: slowdown by pattern and level, spread, processors and memory against the
baseline. Each as {format: bytes}."""

import io
import statistics

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "toto"  # the same plot has the same bytes
import matplotlib.pyplot as plt  # noqa: E402  pylint: disable=wrong-import-position
import numpy  # noqa: E402  pylint: disable=wrong-import-position

from . import data as columns  # noqa: E402  pylint: disable=wrong-import-position


def _saved(figure):
    found = {}
    for kind in ("svg", "png"):
        out = io.BytesIO()
        figure.savefig(out, format=kind, dpi=130, bbox_inches="tight",
                       metadata={"Date": None} if kind == "svg" else {"Software": None})
        found[kind] = out.getvalue()
    plt.close(figure)
    return found


def heat_map(data, cells):
    patterns = sorted({one.pattern for one in cells}, key=lambda one: [str(x) for x in one])
    levels = data.level_values
    grid = numpy.full((len(patterns), len(levels)), numpy.nan)
    for one in cells:
        grid[patterns.index(one.pattern), levels.index(one.level)] = one.slowdown
    figure, axes = plt.subplots(figsize=(2.5 + 0.9 * len(levels), 1.2 + 0.28 * len(patterns)))
    reach = max(1.0, float(numpy.nanmax(numpy.abs(grid))))
    image = axes.imshow(grid, cmap="RdBu_r", vmin=-reach, vmax=reach, aspect="auto")
    for (row, column), value in numpy.ndenumerate(grid):
        if not numpy.isnan(value):
            axes.text(column, row, f"{value:+.1f}", ha="center", va="center", fontsize=7,
                      color="white" if abs(value) > 0.6 * reach else "black")
    axes.set_xticks(range(len(levels)), [data.level_name(one) for one in levels])
    axes.set_yticks(range(len(patterns)), [data.name(one) for one in patterns], fontsize=7)
    axes.set_xlabel(", ".join(data.levels))
    figure.colorbar(image, ax=axes, label=f"slowdown, % of {data.metric}")
    return _saved(figure)


def box_plot(data):
    """Every run over the median of the runs without, of its own pattern."""
    metric = columns.number("metrics." + data.metric)
    middle = {pattern: statistics.median(values) for pattern, rows in data.base.items()
              if (values := [value for row in rows.values() if (value := metric(row)) is not None])}
    boxes = {"without": [metric(row) / middle[pattern] for pattern, rows in data.base.items() if pattern in middle
                         for row in rows.values() if metric(row) is not None]}
    for level in data.level_values:
        boxes[data.level_name(level)] = [
            metric(row) / middle[pattern] for (pattern, one), rows in data.treated.items()
            if one == level and pattern in middle for row in rows.values() if metric(row) is not None]
    boxes = {name: values for name, values in boxes.items() if values}
    figure, axes = plt.subplots(figsize=(2 + 0.9 * len(boxes), 4))
    axes.boxplot(list(boxes.values()), labels=list(boxes), flierprops={"markersize": 2})
    axes.axhline(1, color="gray", linewidth=0.7)
    axes.set_xlabel(", ".join(data.levels))
    axes.set_ylabel(f"{data.metric} / median without")
    return _saved(figure)


def against_baseline(data):
    """Medians of each cell: on the diagonal where nothing is added."""
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.2))
    for axis, title, choices in (
            (axes[0], "processor time, % of the node", (columns.cpu_points, columns.node_cpu)),
            (axes[1], "memory at its peak, MiB", (columns.rss_mib, columns.node_mib))):
        ends = []
        value = next((one for one in choices if any(one(row) is not None for row in data.rows)), None)
        for at, level in enumerate(data.level_values if value else ()):
            points = []
            for pattern, one in data.treated:
                without, with_it = data.pairs(pattern, level, value) if one == level else ([], [])
                if without:
                    points.append((statistics.median(without), statistics.median(with_it)))
            if points:
                axis.scatter(*zip(*points), s=14, color=f"C{at}", label=data.level_name(level), alpha=0.8)
                ends += [one for point in points for one in point]
        if ends:
            axis.plot([min(ends), max(ends)], [min(ends), max(ends)], color="gray", linewidth=0.7)
            axis.legend(title=", ".join(data.levels), fontsize=7, title_fontsize=7)
        axis.set_title(title, fontsize=10)
        axis.set_xlabel("without")
        axis.set_ylabel("with")
    return _saved(figure)
