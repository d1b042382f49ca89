# SPDX-License-Identifier: BSD-3-Clause
"""The command line of `toto study`."""

import argparse
import os
import sys

from .errors import StudyError

USAGE = """Usage: toto study [run] CONFIG.yaml [options]   run a study, or go on with one that was interrupted
       toto study check CONFIG.yaml             read it and tell what is wrong
       toto study report RUN_FOLDER [options]   tables, tests and plots in one HTML page
       toto study compare A.json B.json         two results of Google Benchmark side by side

"""


def _parser(name, **how):
    return argparse.ArgumentParser(prog="toto study" + (f" {name}" if name else ""), allow_abbrev=False, **how)


def run(words):
    parser = _parser("", usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter,
                     description=USAGE + "The YAML is that of IOPS; docs/study.md tells what is read.")
    parser.add_argument("config", metavar="CONFIG.yaml")
    parser.add_argument("--dry-run", action="store_true", help="tell the runs, and run nothing")
    parser.add_argument("--show", metavar="N", type=int, default=0, help="with --dry-run: print the first N scripts")
    parser.add_argument("--new", action="store_true", help="a new folder, even where an interrupted study could go on")
    parser.add_argument("--retry-failed", action="store_true", help="of a study that goes on, also what failed")
    parser.add_argument("--use-cache", action="store_true", help="take results that benchmark.cache_file has")
    parser.add_argument("--cache-only", action="store_true", help="these alone; run nothing")
    parser.add_argument("--fail-fast", action="store_true", help="stop at the first run that fails")
    parser.add_argument("--machine", metavar="NAME", default=os.environ.get("IOPS_MACHINE"),
                        help="with the changes of machines.NAME (IOPS_MACHINE)")
    parser.add_argument("--workdir", metavar="FOLDER", help="instead of benchmark.workdir")
    options = parser.parse_args(words)
    from . import load, runner  # pylint: disable=import-outside-toplevel  # not for --help
    study = load.load(options.config, options.machine)
    if options.workdir:
        study.workdir = options.workdir
    if options.dry_run:
        return dry_run(study, options.show)
    wishes = runner.Wishes(options.use_cache, options.cache_only, options.fail_fast, options.new,
                           options.retry_failed, options.machine)
    _, counts = runner.run_study(study, wishes)
    return 0 if set(counts) <= {"SUCCEEDED", "PENDING"} else 1


def dry_run(study, show):
    from . import execution, runner  # pylint: disable=import-outside-toplevel
    from .progress import clock  # pylint: disable=import-outside-toplevel
    kept, left_out, order = runner.plan(study)
    print(f"{study.name}: {len(kept)} points x {study.repetitions} = {len(order)} runs"
          + (f" ({len(left_out)} points left out by constraints)" if left_out else ""))
    for name, one in study.variables.items():
        if one.values is not None:
            when = f"   when {one.when}, else {one.default!r}" if one.when else ""
            print(f"  {name:<16} {', '.join(map(str, one.values))}{when}")
        else:
            print(f"  {name:<16} = {one.expr}")
    if study.estimated_seconds:
        print(f"  about {clock(study.estimated_seconds * len(order))} at benchmark.estimated_time_seconds a run")
    for one, repetition in order[:show]:
        folder = os.path.join(os.path.abspath(study.workdir), "run_NNN", "runs", one.name, f"repetition_{repetition:03d}")
        run_ = execution.rendered(study, one, repetition, os.path.join(os.path.abspath(study.workdir), "run_NNN"), folder)
        print(f"\n--- {one.name}, repetition {repetition}: {one.base}\n{run_.script}")
    return 0


def check(words):
    parser = _parser("check")
    parser.add_argument("config", metavar="CONFIG.yaml")
    parser.add_argument("--machine", metavar="NAME")
    options = parser.parse_args(words)
    from . import load  # pylint: disable=import-outside-toplevel
    study = load.load(options.config, options.machine)
    print(f"{options.config}: {study.name} can be read")
    return 0


def report(words):
    from . import report as page  # pylint: disable=import-outside-toplevel
    return page.main(words, _parser("report"))


def compare(words):
    from . import compare as table  # pylint: disable=import-outside-toplevel
    return table.main(words, _parser("compare"))


COMMANDS = {"run": run, "check": check, "report": report, "compare": compare}


def main(words):
    command = run
    if words and words[0] in COMMANDS:
        command, words = COMMANDS[words[0]], words[1:]
    try:
        if not words:
            raise StudyError("no study given; toto study --help tells more")
        return command(words)
    except StudyError as why:
        print(f"toto study: {why}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("toto study: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        return 1
