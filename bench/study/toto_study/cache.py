# SPDX-License-Identifier: BSD-3-Clause
"""Results of earlier runs by their parameters, in the SQLite table of IOPS: one file serves both programs. Only runs
that succeeded are kept. What is not a parameter (a changed script, another machine) makes no difference to it."""

import hashlib
import json
import math
import os
import sqlite3
import time

from .errors import StudyError


def _normal(value):
    """A text that is exactly how a number is written counts as that number."""
    if not isinstance(value, str):
        return value
    for kind in (int, float):
        try:
            number = kind(value)
        except ValueError:
            continue
        if str(number) == value and math.isfinite(number):
            return number
    return value


def parameter_hash(values, exclude):
    kept = {key: _normal(value) for key, value in sorted(values.items())
            if key not in exclude and not key.startswith("__")}
    return hashlib.md5(json.dumps(kept, sort_keys=True, default=str).encode(), usedforsecurity=False).hexdigest(), kept


class Cache:
    def __init__(self, path, exclude):
        self.exclude = set(exclude)
        try:
            os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
            self.db = sqlite3.connect(path, timeout=60)
            with self.db:
                self.db.execute(
                    "CREATE TABLE IF NOT EXISTS cached_executions (id INTEGER PRIMARY KEY AUTOINCREMENT, "
                    "param_hash TEXT NOT NULL, params_json TEXT NOT NULL, repetition INTEGER NOT NULL, "
                    "metrics_json TEXT, metadata_json TEXT, created_at TEXT NOT NULL, UNIQUE(param_hash, repetition))")
                self.db.execute("CREATE INDEX IF NOT EXISTS idx_param_hash ON cached_executions(param_hash, repetition)")
        except (OSError, sqlite3.Error) as why:
            raise StudyError(f"cache {path}: {why}") from None

    def get(self, values, repetition):
        """(metrics, metadata), or None."""
        key, _ = parameter_hash(values, self.exclude)
        row = self.db.execute("SELECT metrics_json, metadata_json FROM cached_executions "
                              "WHERE param_hash = ? AND repetition = ?", (key, repetition)).fetchone()
        return None if row is None else (json.loads(row[0] or "{}"), json.loads(row[1] or "{}"))

    def put(self, values, repetition, metrics, metadata):
        key, kept = parameter_hash(values, self.exclude)
        with self.db:
            self.db.execute(
                "INSERT OR REPLACE INTO cached_executions (param_hash, params_json, repetition, metrics_json, "
                "metadata_json, created_at) VALUES (?, ?, ?, ?, ?, ?)",
                (key, json.dumps(kept, sort_keys=True, default=str), repetition, json.dumps(metrics, default=str),
                 json.dumps(metadata, default=str), time.strftime("%Y-%m-%dT%H:%M:%S")))

    def close(self):
        self.db.close()
