# SPDX-License-Identifier: BSD-3-Clause
"""From the variables of a study to its points, and to the order of its runs, as IOPS makes them: the same points in
the same order for the same seed."""

import random

from .errors import StudyError, did_you_mean, say
from .template import cast, evaluate, is_template, names_in


def points(study, execution_dirs=None):
    """The swept values of each point, as dicts; a point stands once."""
    swept = {name: one for name, one in study.variables.items() if one.values is not None}
    conditional = any(one.when for one in swept.values())
    found = [{}]
    for name in _in_order(swept) if conditional else swept:
        one = swept[name]
        values = [_swept(one, value) for value in one.values]
        grown = []
        for point in found:
            if one.when is None or evaluate(one.when, point, f"vars.{name}.when"):
                grown += [{**point, name: value} for value in values]
            else:
                grown.append({**point, name: _swept(one, one.default)})
        found = grown
    unique = {repr(sorted(point.items())): point for point in reversed(found)}  # the first of equal ones wins
    kept = [point for point in found if unique.get(repr(sorted(point.items()))) is point]
    early = [one for one in study.constraints if names_in(one.rule) <= set(swept)]
    return [point for point in kept if holds(early, point, f"point {point}")]


def _swept(variable, value):
    return value if is_template(value) else cast(variable.kind, value, f"vars.{variable.name}")


def _in_order(swept):
    """The variables, each after those that its `when` looks at; otherwise as they stand."""
    needs = {name: names_in(one.when) & set(swept) if one.when else set() for name, one in swept.items()}
    for name, one in swept.items():
        for other in names_in(one.when) - set(swept) if one.when else ():
            raise StudyError(f"vars.{name}.when: {other!r} is no swept variable{did_you_mean(other, swept)}")
    ordered = [name for name, need in needs.items() if not need]
    at = 0
    while at < len(ordered):  # Kahn's algorithm
        done = set(ordered[:at + 1])
        ordered += [name for name, need in needs.items() if name not in ordered and need <= done]
        at += 1
    if len(ordered) < len(swept):
        raise StudyError(f"vars: {', '.join(sorted(set(swept) - set(ordered)))} wait for each other (when)")
    return ordered


def holds(constraints, values, where):
    """Whether a point is to be run. A constraint whose policy is "error" ends the study; "warn" is said."""
    for one in constraints:
        if evaluate(one.rule, values, f"constraint {one.name!r}, {where}"):
            continue
        if one.policy == "error":
            raise StudyError(f"constraint {one.name!r} ({one.rule}) does not hold at {where}")
        if one.policy == "skip":
            return False
        say(f"constraint {one.name!r} ({one.rule}) does not hold at {where}")
    return True


def late_constraints(study):
    swept = {name for name, one in study.variables.items() if one.values is not None}
    return [one for one in study.constraints if not names_in(one.rule) <= swept]


def interleaved(executions, repetitions, seed, samples=None):
    """[(execution, repetition)]: points shuffled, then one chosen at random for each run until all have had theirs.
    Draws from random.Random as IOPS does, so that the order is the same as there."""
    generator = random.Random(seed)
    if samples is not None:  # random search: some of the points, once more shuffled below
        executions = generator.sample(executions, min(samples, len(executions)))
    executions = generator.sample(executions, len(executions))
    active = list(range(len(executions)))
    done = [0] * len(executions)
    order = []
    while active:
        at = generator.choice(active)
        done[at] += 1
        order.append((executions[at], done[at]))
        if done[at] == repetitions:
            active.remove(at)
    return order
