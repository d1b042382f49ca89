# SPDX-License-Identifier: BSD-3-Clause
"""The table of results: one row a run, in IOPS's dotted columns. Rows of other studies in the same file stay."""

import csv
import io
import json
import os

from .files import write_text

PROTECTED = ("execution.execution_id", "execution.repetition")


def whole_row(study, run, workdir, metrics, metadata, versions):
    found = {"benchmark.name": study.name, "benchmark.description": study.description,
             "execution.execution_id": run.execution.number, "execution.repetition": run.repetition,
             "execution.repetitions": study.repetitions, "execution.workdir": workdir,
             "execution.execution_dir": run.folder}
    for prefix, values in (("vars", run.values), ("labels", run.labels), ("metadata", metadata),
                           ("metrics", metrics), ("version", versions)):
        _flatten(prefix, values, found)
    return found


def _flatten(prefix, value, out):
    if isinstance(value, dict):
        for key, inner in value.items():
            _flatten(f"{prefix}.{key}", inner, out)
    elif isinstance(value, list):
        out[prefix] = json.dumps(value, default=str)
    elif value is not None:
        out[prefix] = value


def _matches(field, selector):
    selector = selector.strip().removesuffix(".*")
    return bool(selector) and (field == selector or field.startswith(selector + "."))


def _text(rows, columns, header):
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    if header:
        writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def read(path):
    """(columns, rows as texts); nothing where there is no file yet."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            rows = list(reader)
            return list(reader.fieldnames or []), rows
    except FileNotFoundError:
        return [], []


class Sink:
    def __init__(self, path, workdir, exclude, rows):
        """Makes the file hold what other studies wrote, and `rows`, less the columns of `exclude`."""
        self.path, self.exclude = path, exclude
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        columns, before = read(path)
        before = [one for one in before if one.get("execution.workdir") != workdir]
        self.columns = []
        self._rewrite(columns if before else [], before + [self._wanted(row) for row in rows])

    def _wanted(self, row):
        return {key: value for key, value in row.items()
                if key in PROTECTED or not any(_matches(key, one) for one in self.exclude)}

    def _rewrite(self, columns, rows):
        self.columns = list(dict.fromkeys([*columns, *(key for one in rows for key in one)]))
        if rows:
            write_text(self.path, _text(rows, self.columns, True))

    def add(self, one):
        one = self._wanted(one)
        if set(one) <= set(self.columns):
            with open(self.path, "a", encoding="utf-8", newline="") as out:
                out.write(_text([one], self.columns, False))
        else:  # a new column: a run that failed has fewer than one that succeeded
            columns, rows = read(self.path)
            self._rewrite(columns, [*rows, one])
