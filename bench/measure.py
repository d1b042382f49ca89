# SPDX-License-Identifier: BSD-3-Clause
"""What the measuring scripts share: a clean environment, a command's time and CPU time, ratios of pairs."""

import os
import re
import resource
import statistics
import subprocess
import sys
import time


class Unable(Exception):
    """Something that must have been built or installed is not there, or a measured program fails."""


def scratch_root():
    """A folder in memory, so that no disk is measured."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def clean_environment():
    """The caller's environment without any preload, setting of ours or launcher around us."""
    env = {k: v for k, v in os.environ.items() if not re.match("TOTO_|LD_PRELOAD$|PMI|OMPI_COMM_|SLURM_", k)}
    if os.geteuid() == 0:
        env |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return env


def run(command, env):
    """Wall seconds, and CPU seconds of the command and all that it waited for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=600, check=False)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise Unable(f"exit code {done.returncode} of {' '.join(command)}:\n{done.stderr[-2000:]}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def put_between_marks(path, bench, text):
    """The text of a document between its two marks, made anew."""
    first, last = f"<!-- made by bench/run {bench} --write -->", "<!-- end -->"
    with open(path, encoding="utf-8") as file:
        old = file.read()
    before, found, rest = old.partition(first)
    after = rest.partition(last)[2]
    if not found or last not in rest:
        raise Unable(f"{path} has no lines {first} and {last}")
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"{before}{first}\n\n{text}\n\n{last}{after}")


def interleaved(variants, measure, rounds, say):
    """values[variant]: one number a round. The order turns from round to round, so that none is always first."""
    values = {variant: [] for variant in variants}
    for i in range(rounds):
        order = variants[i % len(variants):] + variants[:i % len(variants)]
        for variant in order:
            values[variant].append(measure(variant))
        say(f"round {i + 1} of {rounds}")
    return values


def ratio(values, variant, base):
    """The median over the rounds of variant / base, and how far the middle half of them spreads."""
    pairs = sorted(a / b for a, b in zip(values[variant], values[base]))
    quarter = len(pairs) // 4
    return statistics.median(pairs), pairs[-1 - quarter] - pairs[quarter]


def launcher(mpi, ranks):
    if mpi.startswith("openmpi"):
        return ["mpirun.openmpi", "--oversubscribe", "-n", str(ranks)]
    return ["mpiexec.mpich", "-n", str(ranks)]


def say(bench):
    return lambda text: print(f"bench {bench}: {text}", file=sys.stderr, flush=True)
