# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of toto study share: the package, a study as text, running it as a user does."""
import copy
import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import harness

PACKAGES = ("jinja2", "yaml", "psutil", "scipy", "matplotlib")
if any(importlib.util.find_spec(name) is None for name in PACKAGES):
    if os.path.exists("/usr/bin/python3") and not os.path.samefile(sys.executable, "/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    harness.skip(f"Python's {', '.join(PACKAGES)} are needed")

STUDY = harness.SOURCE / "bench" / "study"
sys.path.insert(0, str(STUDY))

# A study that costs nothing: 3 points (off; on at 1 and 2) x 2 repetitions.
TINY = {
    "benchmark": {"name": "tiny", "workdir": "w", "executor": "local", "repetitions": 2, "random_seed": 7},
    "vars": {
        "with_it": {"type": "bool", "sweep": {"mode": "list", "values": [0, 1]}},
        "period": {"type": "int", "sweep": {"mode": "list", "values": [1, 2]}, "when": "with_it", "default": 0},
        "double": {"type": "int", "expr": "period * 2"},
    },
    "command": {"template": "echo {{ double }}"},
    "scripts": [{
        "name": "s", "script_template": "{{ command.template }} > {{ execution_dir }}/out\n",
        "parser": {"file": "{{ execution_dir }}/out", "metrics": [{"name": "value"}],
                   "parser_script": "def parse(path):\n    print('seen')\n    return {'value': int(open(path).read()), "
                                    "'twice': vars['double']}\n"}}],
    "output": {"sink": {"type": "csv", "path": "{{ workdir }}/results.csv"}},
}


def tiny(**changes):
    """TINY with changes: {"benchmark.repetitions": 3}; None takes a key away."""
    study = copy.deepcopy(TINY)
    for path, value in changes.items():
        at = study
        *parents, last = path.split(".")
        for part in parents:
            at = at[int(part)] if isinstance(at, list) else at.setdefault(part, {})
        if value is None:
            at.pop(last)
        else:
            at[int(last) if isinstance(at, list) else last] = value
    return study


def write(folder, study, name="study.yaml"):
    """JSON is YAML."""
    path = pathlib.Path(folder) / name
    path.write_text(study if isinstance(study, str) else json.dumps(study))
    return path


def toto_study(folder, *words, env=None, timeout=120):
    """As a user does, where the command was built."""
    command = [harness.BUILT["toto"], "study"] if harness.BUILT.get("toto") else [
        sys.executable, "-B", STUDY / "toto_study"]
    return harness.run([*command, *words], cwd=folder, env=env, timeout=timeout)


def start(folder, *words):
    return subprocess.Popen([sys.executable, "-B", str(STUDY / "toto_study"), *map(str, words)], cwd=folder,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def rows(folder, run="run_001"):
    from toto_study import sink  # after the path is set
    return sink.read(str(pathlib.Path(folder) / "w" / run / "results.csv"))
