# SPDX-License-Identifier: BSD-3-Clause
"""One point of a study with one of its scripts, and one run of it: everything rendered for that run."""

import os
from dataclasses import dataclass, field
from typing import Any, Optional

from . import expand
from .template import cast, derived, is_template, render


@dataclass
class Execution:
    """What is run `repetitions` times. Numbers start at 1."""
    number: int
    base: dict            # swept values
    script: Any           # model.Script
    skipped: Optional[str] = None

    @property
    def name(self):
        return f"exec_{self.number:04d}"


@dataclass
class Run:
    """One repetition, rendered. `folder` is its execution_dir."""
    execution: Execution
    repetition: int
    folder: str
    values: dict
    command: str
    script: str
    env: dict
    labels: dict
    post: Optional[str] = None
    parser_file: Optional[str] = None
    inputs: list = field(default_factory=list)  # (path, content, mode)


def executions(study):
    """(to be run, left out by constraints), numbered as they stand in the product."""
    late = expand.late_constraints(study)
    kept, left_out = [], []
    number = 0
    for point in expand.points(study):
        for script in study.scripts:
            number += 1
            one = Execution(number, point, script)
            values = all_values(study, one, base_context(study, one, 1, ".", "."))
            if expand.holds(late, values, f"{one.name} {point}"):
                kept.append(one)
            else:
                one.skipped = "constraint"
                left_out.append(one)
    return kept, left_out


def base_context(study, execution, repetition, workdir, folder):
    return {
        "benchmark": {"name": study.name, "description": study.description, "workdir": workdir,
                      "execution_dir": folder},
        "workdir": workdir, "log_dir": os.path.join(workdir, "logs"), "execution_dir": folder,
        "artifacts_dir": os.path.join(folder, "images"), "execution_id": execution.number,
        "repetition": repetition, "repetitions": study.repetitions, "os_env": dict(os.environ), "metadata": {},
    }


def all_values(study, execution, context):
    """Swept and derived variables, each of which may use those that stand before it."""
    values = dict(execution.base)
    for name, value in execution.base.items():
        if is_template(value):
            kind = study.variables[name].kind
            values[name] = cast(kind, render(value, {**context, **values}, f"vars.{name}"), f"vars.{name}")
    for name, one in study.variables.items():
        if one.expr is not None:
            values[name] = derived(one.expr, one.kind, {**context, **values}, f"vars.{name}.expr")
    return values


def rendered(study, execution, repetition, workdir, folder):
    context = base_context(study, execution, repetition, workdir, folder)
    values = all_values(study, execution, context)
    context |= values
    context["vars"] = values
    env = {key: render(str(value), context, f"command.env.{key}") for key, value in study.env.items()}
    context["command_env"] = env
    labels = {key: render(str(value), context, f"command.labels.{key}") for key, value in study.labels.items()}
    context["command_labels"] = labels
    script = execution.script
    command = render(study.command, context, "command.template").strip()
    context["command"] = {"template": command, "env": env, "labels": labels}
    inputs, context["inputs"] = [], {}
    for one in script.inputs:
        where = f"scripts.{script.name}.inputs.{one['name']}"
        path = render(one["path"], context, where) if one["path"] else one["name"]
        path = os.path.join(folder, path)
        context["inputs"][one["name"]] = {"name": one["name"], "path": path}
        inputs.append((path, render(one["template"], context, where), one["mode"]))
    where = f"scripts.{script.name}"
    return Run(execution, repetition, folder, values, command, render(script.template, context, where), env, labels,
               render(script.post, context, where + ".post") if script.post else None,
               render(script.parser.file, context, where + ".parser.file") if script.parser else None, inputs)
