# SPDX-License-Identifier: BSD-3-Clause
"""What the demo prints: plain text, for people."""

import os
import platform

MEBI = 1 << 20


def table(head, rows):
    widths = [max(len(str(row[i])) for row in [head, *rows]) for i in range(len(head))]
    lines = []
    for row in [head, *rows]:
        cells = [str(cell).ljust(width) if i == 0 else str(cell).rjust(width)
                 for i, (cell, width) in enumerate(zip(row, widths))]
        lines.append("  " + "  ".join(cells).rstrip())
    lines.insert(1, "  " + "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def size(number):
    for unit, name in ((1 << 30, "GiB"), (MEBI, "MiB"), (1 << 10, "KiB")):
        if number >= unit and number % unit == 0:
            return f"{number // unit} {name}"
    return f"{number} B"


def stripes(pair):
    count, unit = pair
    if count == 0:
        return "-"
    text = "all targets" if count == 0xFFFFFFFF else f"{count}"
    return f"{text} x {size(unit)}" if unit else text


def several(values):
    """The distinct ones of a list of texts, in order."""
    return ", ".join(dict.fromkeys(values)) or "-"


def bars(before, after, width=28):
    """Bytes per target, two pictures side by side."""
    most = max([*before, *after, 1])
    lines = [f"  {'target':<7} {'without':<{width + 9}} with"]
    for target, pair in enumerate(zip(before, after)):
        drawn = []
        for amount in pair:
            bar = "#" * round(width * amount / most) if amount else "."
            drawn.append(f"{bar:<{width}} {amount / MEBI:4.0f} MiB")
        lines.append(f"  {target:<7} {drawn[0]} {drawn[1]}")
    return "\n".join(lines)


def machine():
    model, memory, system = platform.machine(), 0, platform.system()
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    with open("/proc/meminfo", encoding="utf-8") as file:
        memory = int(file.readline().split()[1]) / MEBI
    try:
        system = platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        pass
    cores = len(os.sched_getaffinity(0))
    load = os.getloadavg()[0]
    return f"{cores} cores ({model}), {memory:.0f} GiB, {system}, Linux {platform.release()}, load {load:.1f} at the start"
