#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command and tells what it and all that it waited for took, as JSON to a descriptor.

    measured.py DESCRIPTOR COMMAND...

A small process between the study and the command: ru_maxrss of a child starts at the size of the process that
started it (exec keeps the high-water mark), and the study itself is large.
"""

import json
import os
import sys
import time


def main():
    answer = int(sys.argv[1])
    os.set_inheritable(answer, False)
    start = time.perf_counter()
    child = os.fork()
    if child == 0:
        os.execvp(sys.argv[2], sys.argv[2:])
    _, status, usage = os.wait4(child, 0)
    took = {"wall_s": time.perf_counter() - start, "cpu_user_s": usage.ru_utime, "cpu_system_s": usage.ru_stime,
            "max_rss_kib": usage.ru_maxrss}
    with open(answer, "w", encoding="ascii") as out:
        json.dump(took, out)
    code = os.waitstatus_to_exitcode(status)
    sys.exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
