#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Samples the processors and the memory of this node every INTERVAL seconds into a file of IOPS's form, until
standard input ends, a file goes away, or SIGTERM. The standard library alone, so that it runs on any node.

    sampler.py FOLDER INTERVAL ATTEMPT [WHILE_THIS_FILE_EXISTS]
"""

import os
import select
import signal
import socket
import sys
import time

COLUMNS = "timestamp,hostname,core,cpu_user_pct,cpu_system_pct,cpu_idle_pct,mem_total_kb,mem_available_kb"


def cores():
    """{core: (user, system, idle)} in clock ticks since the boot; /proc/stat, proc(5)."""
    found = {}
    with open("/proc/stat", encoding="ascii") as file:
        for line in file:
            if line.startswith("cpu") and line[3].isdigit():
                name, user, nice, system, idle, wait, irq, soft, *_ = line.split()
                found[int(name[3:])] = (int(user) + int(nice), int(system) + int(irq) + int(soft),
                                        int(idle) + int(wait))
    return found


def memory():
    """(total, available) in KiB."""
    total = available = 0
    with open("/proc/meminfo", encoding="ascii") as file:
        for line in file:
            if line.startswith("MemTotal:"):
                total = int(line.split()[1])
            elif line.startswith("MemAvailable:"):
                available = int(line.split()[1])
                break
    return total, available


def lines(before, now, host):
    """One line a core. A core whose clock did not tick in between has none, as with IOPS."""
    total, available = memory()
    stamp = time.time()
    for core, ticks in sorted(now.items()):
        past = [a - b for a, b in zip(ticks, before.get(core, ticks))]
        if sum(past) > 0:
            user, system, idle = (100 * one / sum(past) for one in past)
            yield f"{stamp:.6f},{host},{core},{user:.2f},{system:.2f},{idle:.2f},{total},{available}\n"


def main():
    folder, interval, attempt, *alive = sys.argv[1:]
    interval = float(interval)
    host = socket.gethostname()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with open(os.path.join(folder, f"__iops_trace_{host}_{attempt}.csv"), "w", encoding="utf-8") as out:
        out.write(COLUMNS + "\n")
        out.flush()
        before, due, going = cores(), time.monotonic() + interval, True
        while going:
            if alive:
                time.sleep(max(0, due - time.monotonic()))
                going = os.path.exists(alive[0])
            else:
                going = not select.select([0], [], [], max(0, due - time.monotonic()))[0]
            now = cores()
            out.writelines(lines(before, now, host))
            out.flush()
            before = now
            due = max(due + interval, time.monotonic())


if __name__ == "__main__":
    main()
