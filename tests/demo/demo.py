#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Real programs, unmodified, without and with the library, on a striped file system of 8 slow targets.

Run by `./dev demo`. Everything lies in a temporary folder and goes away again. Last come lines
"figure NAME VALUE" for scripts: ratios are time with the library over time without, of the medians of
interleaved runs. Exit code: 0, 1 (a program failed, a file differed or a layout was not as decided), 77 (cannot
run here).
"""

import argparse
import dataclasses
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time

import show
from bed import SKIPPED, Bed, Skip, die_with_parent
from programs import Checkpoint, Fio, Lammps

TARGETS, RATE = 8, 25  # MiB/s each
GOAL = 0.4             # of LAMMPS's output time
PATIENCE = 600         # seconds that a program may take


@dataclasses.dataclass
class Run:
    """What one run of a program did."""

    seconds: float
    whole: float            # of the program, from start to end
    files: dict             # name: (size, digest)
    stripes: dict           # name: (count, size), read from the file system by us
    targets: list           # bytes written per target
    decisions: dict         # name: outcome in the library's report; empty where nothing was chosen
    report: str = ""        # path


class NewFile:
    """A file written with the library: what was decided, and what the file system says."""

    def __init__(self, outcome, seen):
        self.reported = outcome is not None  # whether the library's report knows the file
        outcome = outcome or {}
        self.asked, self.obtained = (
            tuple(outcome.get(key, {}).get(part, 0) for part in ("stripe_count", "stripe_size"))
            for key in ("asked", "obtained"))
        self.status, self.origin = outcome.get("status", "none"), outcome.get("origin", "none")
        self.seen = seen

    def is_as_decided(self):
        count, size = self.asked
        if count == 0:  # nothing was chosen: it has to have the folder's default
            return self.reported and self.seen[0] == 1
        if count == 0xFFFFFFFF:
            count = TARGETS
        return self.status == "verified" and self.seen == (count, size or self.seen[1])


def clean_environment():
    """Ours, without what would change the comparison."""
    return {name: value for name, value in os.environ.items()
            if not name.startswith("TOTO_") and name != "LD_PRELOAD"}


def run_group(command, environment, folder):
    """Runs a command in a process group of its own, which ends with us. Returns its standard output."""
    process = subprocess.Popen(command, env=environment, cwd=folder, text=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                               preexec_fn=die_with_parent)
    try:
        output, errors = process.communicate(timeout=PATIENCE)
    except BaseException:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        raise
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\nended with {process.returncode}:\n{(output + errors)[-3000:]}")
    return output


class Demo:
    def __init__(self, options, bed):
        self.bed = bed
        self.toto = os.path.join(options.build, "bin/toto")
        self.keep = options.keep
        self.repeat = 1 if options.quick else options.repeat
        self.work = bed.own_path("work")
        os.mkdir(self.work)
        self.clock = time.monotonic()

    def say(self, text):
        passed = int(time.monotonic() - self.clock)
        print(f"   {passed // 60:3d}:{passed % 60:02d}  {text}", flush=True)

    def run(self, program, with_library, number):
        kind = "with" if with_library else "without"
        folder = self.bed.path(f"{program.name.lower()}-{kind}")
        os.mkdir(folder)
        report = self.bed.own_path(f"{program.name.lower()}-{number}.json")
        before = [self.toto, "run", "--learn", "off", "--report", report, "--"] if with_library else []
        self.bed.reset_counters()
        start = time.monotonic()
        output = run_group(program.command(folder, before), clean_environment() | program.environment, self.work)
        whole = time.monotonic() - start
        targets = self.bed.bytes_per_target()
        files = self.bed.digests(folder)
        if not files:
            raise RuntimeError(f"{program.name} wrote no file")
        run = Run(program.seconds(output), whole, files,
                  {name: self.bed.stripes(os.path.join(folder, name)) for name in files}, targets, {})
        if with_library and os.path.exists(report):
            run.report = report
            with open(report, encoding="utf-8") as file:
                for entry in json.load(file)["files"]:
                    if os.path.dirname(entry["path"]) == folder:
                        run.decisions[os.path.basename(entry["path"])] = entry.get("outcome", {})
            if self.keep:
                os.makedirs(self.keep, exist_ok=True)
                shutil.copy(report, self.keep)
        shutil.rmtree(folder)
        self.say(f"{program.name:<7} {kind:<8} {run.seconds:7.3f} s ({program.time_is}), whole run {whole:.1f} s")
        return run

    def compare(self, program):
        """Interleaved, and not always in the same order."""
        runs = {False: [], True: []}
        for number in range(self.repeat):
            for with_library in (False, True) if number % 2 == 0 else (True, False):
                runs[with_library].append(self.run(program, with_library, number))
        return Comparison(program, runs[False], runs[True])


class Comparison:
    def __init__(self, program, without, with_library):
        self.program, self.without, self.with_library = program, without, with_library
        self.time_without = statistics.median(run.seconds for run in without)
        self.time_with = statistics.median(run.seconds for run in with_library)
        self.ratio = self.time_with / self.time_without
        self.bytes = program.timed_bytes(without[0].files)

    def new_files(self):
        return [NewFile(run.decisions.get(name), run.stripes[name]) for run in self.with_library for name in run.files]

    def verified(self):
        """(files whose layout is as decided, files)."""
        files = self.new_files()
        return sum(file.is_as_decided() for file in files), len(files)

    def identical(self):
        """(files equal byte for byte to those of the first run without the library, files)."""
        truth = self.without[0].files
        runs = self.without[1:] + self.with_library
        total = sum(len(truth.keys() | run.files.keys()) for run in runs)
        good = sum(run.files.get(name) == entry for run in runs for name, entry in truth.items())
        return good, total

    def times(self):
        good, total = self.identical()
        rates = [f"{self.bytes / show.MEBI / seconds:.0f} MiB/s" for seconds in (self.time_without, self.time_with)]
        return [self.program.name, len(self.without[0].files), f"{self.time_without:.2f} s", f"{self.time_with:.2f} s",
                f"{self.ratio:.2f}", *rates, "all" if good == total else f"{good} of {total}"]

    def layouts(self):
        files = self.new_files()
        return [self.program.name,
                show.several(show.stripes(pair) for pair in self.without[0].stripes.values()),
                show.several(show.stripes(file.asked) for file in files),
                show.several(show.stripes(file.obtained) for file in files),
                show.several(show.stripes(file.seen) for file in files),
                show.several(file.origin.replace("none", "-") for file in files)]


TIMES = ["program", "files", "without", "with", "ratio", "without", "with", "same bytes"]
LAYOUTS = ["stripes", "without", "asked", "library read back", "file system says", "origin"]


def first_file(report_text):
    """The part of `toto report`'s text about one new file, without what was counted."""
    match = re.search(r"^Files.*?\n((?:  \S.*\n)(?:    .*\n)*)", report_text, re.M)
    if not match:
        return "  (no file was recorded)"
    text = re.sub(r"^    (mpiio|posix|stdio) .*\n", "", match.group(1), flags=re.M).rstrip()
    return text if "\n" in text else f"{text}\n    nothing was chosen: the folder's default was kept"


def show_results(demo, comparisons):
    print(f"\nResults, medians of {demo.repeat} interleaved run{'s' * (demo.repeat > 1)} of each\n")
    print(show.table(TIMES, [comparison.times() for comparison in comparisons]))
    print()
    print(show.table(LAYOUTS, [comparison.layouts() for comparison in comparisons]))
    print()
    for comparison in comparisons:
        print(f"  {comparison.program.name:<7} {comparison.program.title}; time: {comparison.program.time_is}")
    print('  "-": nothing was asked for, the folder\'s default was kept; "file system says": getxattr by the demo itself')

    picture = comparisons[0]
    one, many = (next(iter(runs[0].stripes.values()))[0] for runs in (picture.without, picture.with_library))
    print(f"\nWhat changed, {picture.program.name}: a file lay on {one} of {TARGETS} targets, now it lies on {many}; "
          f"bytes written per target, all {len(picture.without[0].files)} files\n")
    print(show.bars(picture.without[0].targets, picture.with_library[0].targets))

    print("\nWhy: one file of each, from `toto report`\n")
    for comparison in comparisons:
        report = comparison.with_library[-1].report
        if not report:
            print(f"  {comparison.program.name}: the library wrote no report")
            continue
        text = subprocess.run([demo.toto, "report", report], text=True, check=True, stdout=subprocess.PIPE).stdout
        print(first_file(text).replace(demo.bed.mount, "SCRATCH"))


def show_figures(comparisons):
    """Returns whether all is as it must be."""
    shares = {}
    for name, counted in (("demo.layouts.verified", [c.verified() for c in comparisons]),
                          ("demo.files.identical", [c.identical() for c in comparisons])):
        shares[name] = sum(good for good, _ in counted) / max(1, sum(total for _, total in counted))
    print()
    for comparison in comparisons:
        print(f"figure {comparison.program.figure} {comparison.ratio:.3f}")
    for name, share in shares.items():
        print(f"figure {name} {share:.4g}")
    return all(share == 1 for share in shares.values())


def run_all(options):
    build = options.build
    programs = [Lammps(options.quick), Checkpoint(options.quick, build), Fio(options.quick)]
    missing = {program.name: program.missing() for program in programs}
    if any(missing.values()):
        raise Skip("; ".join(f"{name}: {why}" for name, why in missing.items() if why))
    with Bed(os.path.join(build, "tests/stripefs/stripefs"), TARGETS, RATE) as bed:
        print(f"Machine: {show.machine()}")
        print(f"File system: stripefs as Lustre, {TARGETS} targets of {RATE} MiB/s, new files get 1 stripe unless told")
        demo = Demo(options, bed)
        comparisons = [demo.compare(program) for program in programs]
        show_results(demo, comparisons)
        if not options.quick:
            met = "met" if comparisons[0].ratio <= GOAL else "NOT met"
            print(f"\nGoal: LAMMPS spends at most {GOAL} of the time in its output: {met}")
        return show_figures(comparisons)


def stop(number, _frame):
    raise SystemExit(128 + number)


def main():
    parser = argparse.ArgumentParser(prog="./dev demo", description="Real programs without and with the library.")
    parser.add_argument("--build", default="build", type=os.path.abspath, help="the build folder")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of each kind (default: 3)")
    parser.add_argument("--quick", action="store_true", help="little data, one run of each: times mean nothing")
    parser.add_argument("--keep", metavar="FOLDER", type=os.path.abspath, help="copy the library's reports there")
    options = parser.parse_args()
    if options.repeat < 1:
        parser.error("--repeat: at least 1")
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    try:
        return 0 if run_all(options) else 1
    except Skip as why:
        print(f"demo: cannot run here: {why}", file=sys.stderr)
        return SKIPPED
    except KeyboardInterrupt:
        return 130
    except (RuntimeError, OSError, subprocess.SubprocessError) as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
