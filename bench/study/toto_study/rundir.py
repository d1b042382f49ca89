# SPDX-License-Identifier: BSD-3-Clause
"""The folder of a study's runs, laid out as IOPS does:

    run_NNN/ __iops_run_metadata.json __iops_config.yaml __iops_index.json __iops_status_rollup.json
             __iops_resource_summary.csv
      runs/exec_NNNN/ __iops_params.json [__iops_skipped]
        repetition_NNN/ __iops_status.json __iops_sysinfo.json __iops_trace_<host>_<attempt>.csv run_NAME.sh
                        stdout stderr parser_stdout parser_stderr, and of our own: toto_row.json

A run counts as done when its __iops_status.json tells an end; its row of the table is toto_row.json, written before.
"""

import collections
import csv
import glob
import hashlib
import os
import re
import shutil
import time

from .errors import StudyError
from .files import read_json, write_json

ENDS = ("SUCCEEDED", "FAILED", "ERROR", "UNKNOWN")


def _fingerprint(path, machine):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read() + str(machine).encode()).hexdigest()


def _numbered(workdir):
    found = [path for path in glob.glob(os.path.join(glob.escape(workdir), "run_*"))
             if re.fullmatch(r"run_\d+", os.path.basename(path))]
    return sorted(found, key=lambda path: int(path.rsplit("_", 1)[1]))


class RunDir:
    def __init__(self, path):
        self.path = path
        self.resources = {}

    @classmethod
    def open(cls, study, machine, fresh):
        """(the folder, whether its study goes on): the latest of this very study that has not come to its end, else
        a new one."""
        workdir = os.path.abspath(study.workdir)
        fingerprint = _fingerprint(study.source, machine)
        there = _numbered(workdir)
        for path in reversed(there) if not fresh else ():
            about = read_json(os.path.join(path, "__iops_run_metadata.json")) or {}
            if about.get("config_sha256") == fingerprint and "ended" not in about:
                return cls(path), True
        number = int(there[-1].rsplit("_", 1)[1]) + 1 if there else 1
        path = os.path.join(workdir, f"run_{number:03d}")
        try:
            os.makedirs(os.path.join(path, "runs"))
        except OSError as why:
            raise StudyError(f"benchmark.workdir: {path}: {why.strerror}") from None
        shutil.copyfile(study.source, os.path.join(path, "__iops_config.yaml"))
        self = cls(path)
        self._about({"benchmark": {"name": study.name, "description": study.description,
                                   "repetitions": study.repetitions, "executor": study.executor,
                                   "random_seed": study.seed},
                     "config": study.source, "config_sha256": fingerprint, "machine": machine,
                     "started": time.strftime("%Y-%m-%dT%H:%M:%S"), "made_by": "toto study",
                     "metrics": list(dict.fromkeys(name for one in study.scripts if one.parser
                                                   for name in one.parser.metrics)),
                     "variables": {name: {"type": one.kind, "swept": one.values is not None, "when": one.when}
                                   for name, one in study.variables.items()}})
        return self, False

    def _about(self, changes):
        path = os.path.join(self.path, "__iops_run_metadata.json")
        write_json(path, (read_json(path) or {}) | changes)

    def folder(self, execution, repetition):
        return os.path.join(self.path, "runs", execution.name, f"repetition_{repetition:03d}")

    def index(self, kept, left_out, values_of):
        entries = {}
        for one in [*kept, *left_out]:
            values = values_of(one)
            folder = os.path.join(self.path, "runs", one.name)
            os.makedirs(folder, exist_ok=True)
            write_json(os.path.join(folder, "__iops_params.json"), values)
            if one.skipped:
                write_json(os.path.join(folder, "__iops_skipped"), {"reason": one.skipped})
            entries[one.name] = {"path": os.path.relpath(folder, self.path), "params": values}
        write_json(os.path.join(self.path, "__iops_index.json"), {"executions": entries})

    # --- one run ------------------------------------------------------------------------------------------

    def start(self, folder):
        """An empty folder: what an interrupted attempt has left there goes."""
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        write_json(os.path.join(folder, "__iops_status.json"), {"status": "RUNNING"})

    def end(self, folder, row, status):
        write_json(os.path.join(folder, "toto_row.json"), row)
        write_json(os.path.join(folder, "__iops_status.json"), status)

    def status(self, folder):
        return (read_json(os.path.join(folder, "__iops_status.json")) or {}).get("status")

    def row(self, folder):
        return read_json(os.path.join(folder, "toto_row.json"))

    # --- all of them --------------------------------------------------------------------------------------

    def counts(self, order):
        states = (self.status(self.folder(one, repetition)) or "PENDING" for one, repetition in order)
        return dict(collections.Counter(states))

    def close(self, order, ended, summaries):
        counts = self.counts(order)
        write_json(os.path.join(self.path, "__iops_status_rollup.json"), {"total": len(order), "counts": counts})
        if summaries:
            columns = list(dict.fromkeys(key for one in summaries for key in one))
            with open(os.path.join(self.path, "__iops_resource_summary.csv"), "w", encoding="utf-8",
                      newline="") as out:
                writer = csv.DictWriter(out, columns, lineterminator="\n")
                writer.writeheader()
                writer.writerows(summaries)
        if ended:
            self._about({"ended": time.strftime("%Y-%m-%dT%H:%M:%S"), "counts": counts})
        return counts
